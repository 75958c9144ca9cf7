//! The tables once more, as the interpreter wants them: for one revision, with everything it asks for in one place.
//!
//! Computed at compile time from the generated tables; nothing here is a fact of its own.

use super::{ArmTag, ENUMS, SHAPES, STRUCTS, Shape, ShapeId, Struct, UNIONS, Union};
use crate::Revision;
use crate::syntax::{Kind, Look, Token};

/// What the interpreter needs to know of a revision.
pub(crate) struct Plan {
    shapes: [ShapePlan; SHAPE_COUNT],
    structs: [StructPlan; STRUCTS.len()],
    unions: [UnionPlan; UNIONS.len()],
    enums: [Range; ENUMS.len()],
    members: [Member; MEMBER_COUNT],
    branches: [Branch; BRANCH_COUNT],
    values: [Name; VALUE_COUNT],
}

/// A shape in one revision.
#[derive(Clone, Copy)]
pub(crate) struct ShapePlan {
    pub(crate) kinds: Kinds,
    /// The struct that it is, if it is one.
    item: u16,
}

/// A struct in one revision.
#[derive(Clone, Copy)]
pub(crate) struct StructPlan {
    /// A bit for each field that must be present.
    pub(crate) required: u64,
    /// Where its members begin in the plan; the first is none.
    first: u32,
    id: u16,
    /// From the look of a key to the member that it may be.
    looks: [u8; Look::COUNT],
}

/// A member of a struct.
#[derive(Clone, Copy)]
pub(crate) struct Member {
    name: Name,
    /// Whether the name is long, or another field looks alike: what does not match may still be a field.
    doubtful: bool,
    /// The index of the field.
    pub(crate) position: u8,
    pub(crate) kinds: Kinds,
    pub(crate) shape: ShapeId,
    /// The struct that the shape is, if it is one.
    pub(crate) item: u16,
}

/// What a glance at a key tells.
pub(crate) enum Candidate<'p> {
    Found(&'p Member),
    /// All names have to be compared.
    Doubtful,
    None,
}

/// A union in one revision.
#[derive(Clone, Copy)]
pub(crate) struct UnionPlan {
    /// The member that picks the branch.
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

/// A name of up to fifteen bytes as it stands on the wire, with the quote that ends it: two words that meet or overlap. The
/// quote marks the end, so that equal words are equal names.
#[derive(Clone, Copy)]
pub(crate) struct Name {
    head: u64,
    tail: u64,
    /// The bytes of the head that are its own.
    mask: u64,
    /// Where the tail begins; 0 if the head is all of it.
    offset: u8,
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
        let shape = self.shapes.get(usize::from(shape.0));
        shape.map_or(Kinds::NONE, |shape| shape.kinds)
    }

    /// The struct that a shape is, if it is one.
    #[inline(always)]
    pub(crate) fn item_of(&self, shape: ShapeId) -> Option<&StructPlan> {
        self.item(self.shapes.get(usize::from(shape.0))?.item)
    }

    #[inline(always)]
    pub(crate) fn item(&self, id: u16) -> Option<&StructPlan> {
        self.structs.get(usize::from(id))
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

    /// The values of an enum, but for long ones.
    #[inline(always)]
    pub(crate) fn values(&self, id: u16) -> &[Name] {
        let Range { start, end } = self.enums[usize::from(id)];
        let values = self.values.get(usize::from(start)..usize::from(end));
        values.unwrap_or_default()
    }

    /// The member that a key names, if the struct has it in this revision.
    #[inline(always)]
    pub(crate) fn member(&self, item: &StructPlan, key: &Token, bytes: &[u8]) -> Candidate<'_> {
        let slot = item.first as usize + usize::from(item.looks[key.look().index()]);
        let Some(member) = self.members.get(slot) else {
            return Candidate::None;
        };
        let at = key.start as usize + 1;
        let Some(word) = bytes.get(at..at + 8).and_then(<[u8]>::first_chunk) else {
            return Candidate::Doubtful;
        };
        if member.name.is(u64::from_le_bytes(*word), at, bytes) {
            Candidate::Found(member)
        } else if member.doubtful || key.complex {
            Candidate::Doubtful
        } else {
            Candidate::None
        }
    }

    /// The member of a field, if the struct has it in this revision.
    pub(crate) fn member_at(&self, item: &StructPlan, position: usize) -> Option<&Member> {
        let member = self.members.get(item.first as usize + 1 + position)?;
        (member.shape != ShapeId::ABSENT).then_some(member)
    }
}

impl StructPlan {
    /// The struct in all revisions.
    pub(crate) fn item(&self) -> &'static Struct {
        &STRUCTS[usize::from(self.id)]
    }
}

impl Name {
    const LONGEST: usize = 15;

    /// Equal to nothing.
    const NONE: Self = Self {
        head: 1,
        tail: 0,
        mask: 0,
        offset: 0,
    };

    /// The name, or none if it is too long.
    const fn of(name: &str) -> Self {
        let name = name.as_bytes();
        if name.len() > Self::LONGEST {
            return Self::NONE;
        }
        let mut all = b'"' as u128;
        let mut index = name.len();
        while index > 0 {
            index -= 1;
            all = all << 8 | name[index] as u128;
        }
        let offset = name.len().saturating_sub(7);
        Self {
            head: all as u64,
            tail: (all >> (8 * offset)) as u64,
            mask: if name.len() < 7 {
                (1 << (8 * name.len() + 8)) - 1
            } else {
                !0
            },
            offset: offset as u8,
        }
    }

    /// Whether a string or key, whose opening quote is at `start`, is the name.
    #[inline(always)]
    pub(crate) fn is_at(&self, start: u32, bytes: &[u8]) -> bool {
        let at = start as usize + 1;
        let word = match bytes.get(at..at + 8).and_then(<[u8]>::first_chunk) {
            Some(word) => u64::from_le_bytes(*word),
            None => last_word(at, bytes),
        };
        self.is(word, at, bytes)
    }

    /// The same, when the word at the place after the quote was read.
    #[inline(always)]
    fn is(&self, word: u64, at: usize, bytes: &[u8]) -> bool {
        if word & self.mask != self.head {
            return false;
        }
        let at = at + usize::from(self.offset);
        self.offset == 0
            || bytes
                .get(at..at + 8)
                .is_some_and(|word| word == self.tail.to_le_bytes())
    }
}

/// What remains of the message, if less than eight bytes, with zeros behind.
#[cold]
#[inline(never)]
fn last_word(at: usize, bytes: &[u8]) -> u64 {
    let rest = bytes.get(at..).unwrap_or_default();
    rest.iter()
        .rev()
        .fold(0, |word, byte| word << 8 | u64::from(*byte))
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

/// All members of all structs, and none of each.
const MEMBER_COUNT: usize = {
    let (mut count, mut index) = (0, 0);
    while index < STRUCTS.len() {
        count += 1 + STRUCTS[index].fields.len();
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
        shapes: [ShapePlan {
            kinds: Kinds::NONE,
            item: u16::MAX,
        }; SHAPE_COUNT],
        structs: [StructPlan {
            required: 0,
            first: 0,
            id: 0,
            looks: [0; Look::COUNT],
        }; STRUCTS.len()],
        unions: [UnionPlan {
            tag: Name::NONE,
            branches: Range { start: 0, end: 0 },
        }; UNIONS.len()],
        enums: [Range { start: 0, end: 0 }; ENUMS.len()],
        members: [Member {
            name: Name::NONE,
            doubtful: false,
            position: 0,
            kinds: Kinds::NONE,
            shape: ShapeId::ABSENT,
            item: u16::MAX,
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
            self.shapes[index].kinds = Kinds::of(&SHAPES[index], revision);
            if let Shape::Struct(id) = SHAPES[index] {
                self.shapes[index].item = id;
            }
            index += 1;
        }
        self.fill_structs(revision);
        self.fill_unions(revision);
        self.fill_enums(revision);
    }

    const fn fill_structs(&mut self, revision: Revision) {
        let (mut index, mut first) = (0, 0);
        while index < STRUCTS.len() {
            let fields = STRUCTS[index].fields;
            let item = &mut self.structs[index];
            item.required = STRUCTS[index].required[revision.index()];
            item.first = first as u32;
            item.id = index as u16;
            let mut position = 0;
            while position < fields.len() {
                let field = &fields[position];
                let slot = &mut item.looks[Look::of(field.name.as_bytes()).index()];
                if *slot == 0 {
                    *slot = position as u8 + 1;
                } else {
                    self.members[first + *slot as usize].doubtful = true;
                }
                let member = &mut self.members[first + 1 + position];
                let shape = field.shape[revision.index()];
                member.position = position as u8;
                member.doubtful |= field.name.len() > Name::LONGEST;
                if (shape.0 as usize) < SHAPE_COUNT {
                    member.name = Name::of(field.name);
                    member.kinds = self.shapes[shape.0 as usize].kinds;
                    member.item = self.shapes[shape.0 as usize].item;
                    member.shape = shape;
                }
                position += 1;
            }
            first += 1 + fields.len();
            index += 1;
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
