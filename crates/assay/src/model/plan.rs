//! The tables once more, as the interpreter wants them: for one revision, with everything it asks for in one place.
//!
//! Computed at compile time from the generated tables; nothing here is a fact of its own.

use super::lookup::{Ends, Lookup, middle};
use super::{ArmTag, ENUMS, Field, SHAPES, STRUCTS, Shape, ShapeId, UNIONS, Union};
use crate::Revision;
use crate::syntax::Kind;

/// What the interpreter needs to know of a revision.
pub(crate) struct Plan {
    shapes: [Kinds; SHAPE_COUNT],
    structs: [StructPlan; STRUCTS.len()],
    unions: [UnionPlan; UNIONS.len()],
    enums: [Range; ENUMS.len()],
    members: [Member; MEMBER_COUNT],
    branches: [Branch; BRANCH_COUNT],
    values: [Name; VALUE_COUNT],
}

/// A struct in one revision.
#[derive(Clone, Copy)]
pub(crate) struct StructPlan {
    multiplier: u64,
    /// A bit for each field that must be present.
    pub(crate) required: u64,
    /// Where its slots begin among the members of the plan.
    first: u32,
    shift: u32,
}

/// A slot of a struct's look-up.
#[derive(Clone, Copy)]
pub(crate) struct Member {
    name: Name,
    /// The index of the field.
    pub(crate) position: u8,
    pub(crate) kinds: Kinds,
    pub(crate) shape: ShapeId,
}

/// A union in one revision.
#[derive(Clone, Copy)]
pub(crate) struct UnionPlan {
    /// The member that picks the branch; a name that is never found if there is none.
    pub(crate) tag: Name,
    branches: Range,
}

/// A branch: one that a value of the tag picks, or one that is tried.
#[derive(Clone, Copy)]
pub(crate) struct Branch {
    pub(crate) name: Name,
    pub(crate) shape: ShapeId,
}

#[derive(Clone, Copy)]
struct Range {
    start: u16,
    end: u16,
}

/// A name as it is compared: of up to sixteen bytes the ends are all of it.
#[derive(Clone, Copy)]
pub(crate) struct Name {
    ends: Ends,
    length: u32,
}

/// Which kinds of values have a shape, a bit for each.
#[derive(Clone, Copy)]
pub(crate) struct Kinds {
    /// Every value of the kind has the shape: there is nothing to look into.
    fitting: u8,
    /// A value of the kind can have the shape.
    possible: u8,
}

impl Plan {
    #[inline(always)]
    pub(crate) fn of(revision: Revision) -> &'static Self {
        &PLANS[revision.index()]
    }

    /// The kinds of a shape.
    #[inline(always)]
    pub(crate) fn kinds(&self, shape: ShapeId) -> Kinds {
        let kinds = self.shapes.get(usize::from(shape.0));
        kinds.copied().unwrap_or(Kinds::NONE)
    }

    #[inline(always)]
    pub(crate) fn item(&self, id: u16) -> &StructPlan {
        &self.structs[usize::from(id)]
    }

    #[inline(always)]
    pub(crate) fn union(&self, id: u16) -> &UnionPlan {
        &self.unions[usize::from(id)]
    }

    /// The branches that a tag can pick, or all if there is none.
    #[inline(always)]
    pub(crate) fn branches(&self, union: &UnionPlan) -> &[Branch] {
        let Range { start, end } = union.branches;
        let branches = self.branches.get(usize::from(start)..usize::from(end));
        branches.unwrap_or_default()
    }

    /// The values of an enum.
    #[inline(always)]
    pub(crate) fn values(&self, id: u16) -> &[Name] {
        let Range { start, end } = self.enums[usize::from(id)];
        let values = self.values.get(usize::from(start)..usize::from(end));
        values.unwrap_or_default()
    }

    /// The member of this name of up to sixteen bytes, if the struct has it in this revision.
    #[inline(always)]
    pub(crate) fn short_member(&self, item: &StructPlan, name: Name) -> Option<&Member> {
        let member = self.candidate(item, name.hash())?;
        member.name.is(name).then_some(member)
    }

    /// The member of any name.
    pub(crate) fn long_member(
        &self,
        id: u16,
        item: &StructPlan,
        name: &[u8],
    ) -> Option<&Member> {
        let ends = Ends::of(name);
        let hash = if name.len() > 16 {
            ends.hash() ^ middle(name)
        } else {
            ends.hash()
        };
        let member = self.candidate(item, hash)?;
        let field = STRUCTS[usize::from(id)].fields.get(usize::from(member.position))?;
        (member.name.length != u32::MAX && field.name.as_bytes() == name).then_some(member)
    }

    /// The member at a position, if the struct has it in this revision.
    pub(crate) fn member_at(&self, item: &StructPlan, position: usize) -> Option<&Member> {
        let slots = self.members.get(item.first as usize..)?;
        let slots = slots.get(..1 << (64 - item.shift))?;
        slots.iter().find(|member| {
            member.name.length != u32::MAX && usize::from(member.position) == position
        })
    }

    #[inline(always)]
    fn candidate(&self, item: &StructPlan, hash: u64) -> Option<&Member> {
        let slot = hash.wrapping_mul(item.multiplier) >> (item.shift & 63);
        self.members.get(item.first as usize + slot as usize)
    }
}

impl Name {
    /// No name is so long.
    const NONE: Self = Self {
        ends: Ends { head: 0, tail: 0 },
        length: u32::MAX,
    };

    pub(crate) const fn new(ends: Ends, length: u32) -> Self {
        Self { ends, length }
    }

    const fn of(name: &str) -> Self {
        Self::new(Ends::of(name.as_bytes()), name.len() as u32)
    }

    /// What [`hash_key`](super::hash_key) makes of a name of up to sixteen bytes.
    #[inline(always)]
    pub(crate) fn hash(self) -> u64 {
        self.ends.hash()
    }

    /// Equality of names of up to sixteen bytes; false for longer ones that differ in what is kept of them.
    #[inline(always)]
    pub(crate) fn is(self, other: Self) -> bool {
        self.length == other.length
            && self.ends.head == other.ends.head
            && self.ends.tail == other.ends.tail
    }
}

impl Kinds {
    const NONE: Self = Self {
        fitting: 0,
        possible: 0,
    };

    #[inline(always)]
    pub(crate) fn fit(self, kind: Kind) -> bool {
        self.fitting >> kind as u8 & 1 == 1
    }

    #[inline(always)]
    pub(crate) fn may_be(self, kind: Kind) -> bool {
        self.possible >> kind as u8 & 1 == 1
    }

    const fn of(shape: &Shape, revision: Revision) -> Self {
        let bits = match shape {
            Shape::Any => !0,
            Shape::String(_) | Shape::Literal(_) | Shape::Enum(_) => 1 << Kind::String as u8,
            Shape::Bool => 1 << Kind::True as u8 | 1 << Kind::False as u8,
            Shape::Null => 1 << Kind::Null as u8,
            Shape::Int { .. } | Shape::Number { .. } => 1 << Kind::Number as u8,
            Shape::Array { .. } => 1 << Kind::Array as u8,
            Shape::Object | Shape::Map(_) | Shape::Struct(_) => 1 << Kind::Object as u8,
            Shape::Union(id) => return Self::of_union(&UNIONS[*id as usize], revision),
        };
        let all = match shape {
            Shape::Any | Shape::String(_) | Shape::Bool | Shape::Null | Shape::Object => true,
            Shape::Number { min, max } => *min == f64::NEG_INFINITY && *max == f64::INFINITY,
            _ => false,
        };
        Self {
            fitting: if all { bits } else { 0 },
            possible: bits,
        }
    }

    const fn of_union(union: &Union, revision: Revision) -> Self {
        let mut kinds = Self::NONE;
        if union.tag.is_some() {
            kinds.possible = 1 << Kind::Object as u8;
            return kinds;
        }
        let mut index = 0;
        while index < union.arms.len() {
            let arm = &union.arms[index];
            if arm.revisions.contains(revision) {
                let more = Self::of(&SHAPES[arm.shape.0 as usize], revision);
                kinds.fitting |= more.fitting;
                kinds.possible |= more.possible;
            }
            index += 1;
        }
        kinds
    }
}

const SHAPE_COUNT: usize = SHAPES.len();

/// All slots of all structs.
const MEMBER_COUNT: usize = {
    let (mut count, mut index) = (0, 0);
    while index < STRUCTS.len() {
        count += STRUCTS[index].lookup.slots.len();
        index += 1;
    }
    count
};

/// All branches of all unions.
const BRANCH_COUNT: usize = {
    let (mut count, mut index) = (0, 0);
    while index < UNIONS.len() {
        count += UNIONS[index].arms.len();
        index += 1;
    }
    count
};

/// All values of all enums.
const VALUE_COUNT: usize = {
    let (mut count, mut index) = (0, 0);
    while index < ENUMS.len() {
        count += ENUMS[index].values.len();
        index += 1;
    }
    count
};

static PLANS: [Plan; Revision::COUNT] = {
    let mut plans = [const { Plan::EMPTY }; Revision::COUNT];
    let mut index = 0;
    while index < Revision::COUNT {
        plans[index].fill(Revision::ALL[index]);
        index += 1;
    }
    plans
};

impl Plan {
    const EMPTY: Self = Self {
        shapes: [Kinds::NONE; SHAPE_COUNT],
        structs: [StructPlan {
            multiplier: 0,
            required: 0,
            first: 0,
            shift: 0,
        }; STRUCTS.len()],
        unions: [UnionPlan {
            tag: Name::NONE,
            branches: Range { start: 0, end: 0 },
        }; UNIONS.len()],
        enums: [Range { start: 0, end: 0 }; ENUMS.len()],
        members: [Member {
            name: Name::NONE,
            position: 0,
            kinds: Kinds::NONE,
            shape: ShapeId::ABSENT,
        }; MEMBER_COUNT],
        branches: [Branch {
            name: Name::NONE,
            shape: ShapeId::ABSENT,
        }; BRANCH_COUNT],
        values: [Name::NONE; VALUE_COUNT],
    };

    const fn fill(&mut self, revision: Revision) {
        let mut index = 0;
        while index < SHAPE_COUNT {
            self.shapes[index] = Kinds::of(&SHAPES[index], revision);
            index += 1;
        }
        self.fill_structs(revision);
        self.fill_unions(revision);
        self.fill_enums(revision);
    }

    const fn fill_structs(&mut self, revision: Revision) {
        let (mut index, mut first) = (0, 0);
        while index < STRUCTS.len() {
            let item = &STRUCTS[index];
            let Lookup {
                multiplier,
                shift,
                slots,
            } = item.lookup;
            self.structs[index] = StructPlan {
                multiplier,
                required: item.required[revision.index()],
                first: first as u32,
                shift,
            };
            let mut slot = 0;
            while slot < slots.len() {
                if slots[slot] != u8::MAX {
                    let field = &item.fields[slots[slot] as usize];
                    self.fill_member(first + slot, slots[slot], field, revision);
                }
                slot += 1;
            }
            first += slots.len();
            index += 1;
        }
    }

    const fn fill_member(&mut self, at: usize, position: u8, field: &Field, revision: Revision) {
        let shape = field.shape[revision.index()];
        if (shape.0 as usize) < SHAPE_COUNT {
            self.members[at] = Member {
                name: Name::of(field.name),
                position,
                kinds: self.shapes[shape.0 as usize],
                shape,
            };
        }
    }

    const fn fill_unions(&mut self, revision: Revision) {
        let (mut index, mut end) = (0, 0);
        while index < UNIONS.len() {
            let union = &UNIONS[index];
            let (start, mut arm) = (end, 0);
            while arm < union.arms.len() {
                let branch = &union.arms[arm];
                let name = match branch.tag {
                    ArmTag::Value(name) => Some(Name::of(name)),
                    ArmTag::Untagged => Some(Name::NONE),
                    ArmTag::Absent | ArmTag::Else => None,
                };
                if let Some(name) = name
                    && branch.revisions.contains(revision)
                {
                    let shape = branch.shape;
                    self.branches[end as usize] = Branch { name, shape };
                    end += 1;
                }
                arm += 1;
            }
            self.unions[index] = UnionPlan {
                tag: match union.tag {
                    Some(tag) => Name::of(tag),
                    None => Name::NONE,
                },
                branches: Range { start, end },
            };
            index += 1;
        }
    }

    const fn fill_enums(&mut self, revision: Revision) {
        let (mut index, mut end) = (0, 0);
        while index < ENUMS.len() {
            let (start, mut value) = (end, 0);
            while value < ENUMS[index].values.len() {
                let (name, revisions) = ENUMS[index].values[value];
                if revisions.contains(revision) {
                    self.values[end as usize] = Name::of(name);
                    end += 1;
                }
                value += 1;
            }
            self.enums[index] = Range { start, end };
            index += 1;
        }
    }
}
