//! The compiled tables, computed at compile time from the generated ones.

use mcp_assay_json::KeyHash;

use super::{
    Branch, Compiled, CompiledShape, CompiledStruct, CompiledUnion, Kinds, Member, Name, Range,
};
use crate::tables::{ArmTag, ENUMS, Revision, SHAPES, STRUCTS, Shape, ShapeId, UNIONS};

pub(super) const SHAPE_COUNT: usize = SHAPES.len();

/// All members of all structs, and none of each.
pub(super) const MEMBER_COUNT: usize = {
    let (mut count, mut index) = (0, 0);
    while index < STRUCTS.len() {
        count += 1 + STRUCTS[index].fields.len();
        index += 1;
    }
    count
};

/// All branches of all unions.
pub(super) const BRANCH_COUNT: usize = {
    let (mut count, mut index) = (0, 0);
    while index < UNIONS.len() {
        count += UNIONS[index].arms.len();
        index += 1;
    }
    count
};

/// All values of all enums.
pub(super) const VALUE_COUNT: usize = {
    let (mut count, mut index) = (0, 0);
    while index < ENUMS.len() {
        count += ENUMS[index].values.len();
        index += 1;
    }
    count
};

pub(super) const LITERAL_COUNT: usize = {
    let (mut count, mut index) = (0, 0);
    while index < SHAPES.len() {
        if let Shape::Literal(_) = SHAPES[index] {
            count += 1;
        }
        index += 1;
    }
    count
};

pub(super) static COMPILED: [Compiled; Revision::COUNT] = {
    let mut compiled = [const { Compiled::EMPTY }; Revision::COUNT];
    let mut index = 0;
    while index < Revision::COUNT {
        compiled[index].fill(Revision::ALL[index]);
        index += 1;
    }
    compiled
};

impl Compiled {
    #[expect(clippy::large_stack_arrays, reason = "only the compiler ever has it")]
    const EMPTY: Self = Self {
        shapes: [CompiledShape {
            kinds: Kinds::NONE,
            item: u16::MAX,
        }; SHAPE_COUNT],
        structs: [CompiledStruct {
            required: 0,
            first: 0,
            id: 0,
            by_hash: [0; KeyHash::COUNT],
        }; STRUCTS.len()],
        unions: [CompiledUnion {
            tag: Name::NONE,
            branches: Range { start: 0, end: 0 },
            shared: 0,
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
        literals: [Name::NONE; LITERAL_COUNT],
    };

    const fn fill(&mut self, revision: Revision) {
        let (mut index, mut literals) = (0, 0);
        while index < SHAPE_COUNT {
            self.shapes[index].kinds = Kinds::of(&SHAPES[index], revision);
            match SHAPES[index] {
                Shape::Struct(id) => self.shapes[index].item = id,
                Shape::Literal(text) => {
                    self.shapes[index].item = (STRUCTS.len() + literals) as u16;
                    self.literals[literals] = Name::of(text);
                    literals += 1;
                }
                _ => {}
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
                let slot = &mut item.by_hash[KeyHash::of(field.name.as_bytes()).index()];
                if *slot == 0 {
                    *slot = position as u8 + 1;
                } else {
                    self.members[first + *slot as usize].doubtful = true;
                }
                let member = &mut self.members[first + 1 + position];
                let shape = field.shape[revision.index()];
                member.position = position as u8;
                member.doubtful |= field.name.len() > Name::MAX_LENGTH;
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
            let (mut possible, mut shared) = (0, 0);
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
                    let kinds = self.shapes[shape.0 as usize].kinds.possible();
                    shared |= possible & kinds;
                    possible |= kinds;
                }
                arm += 1;
            }
            self.unions[index] = CompiledUnion {
                tag: match union.tag {
                    Some(tag) => Name::of(tag),
                    None => Name::NONE,
                },
                branches: Range { start, end },
                shared,
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
