//! The tables compiled for the interpreter: for one revision, with everything it needs in one
//! place.
//!
//! Computed at compile time from the generated tables; no fact is stated here.

mod fill;
mod kinds;
mod name;

use mcp_assay_json::{KeyHash, Kind, Token};

use self::fill::{BRANCH_COUNT, COMPILED, LITERAL_COUNT, MEMBER_COUNT, SHAPE_COUNT, VALUE_COUNT};
pub(crate) use self::kinds::Kinds;
pub(crate) use self::name::Name;
use super::{ENUMS, STRUCTS, ShapeId, Struct, UNIONS};
use crate::tables::Revision;

/// The model in one revision.
pub(crate) struct Compiled {
    shapes: [CompiledShape; SHAPE_COUNT],
    structs: [CompiledStruct; STRUCTS.len()],
    unions: [CompiledUnion; UNIONS.len()],
    enums: [Range; ENUMS.len()],
    members: [Member; MEMBER_COUNT],
    branches: [Branch; BRANCH_COUNT],
    values: [Name; VALUE_COUNT],
    literals: [Name; LITERAL_COUNT],
}

/// A shape in one revision.
#[derive(Clone, Copy)]
pub(crate) struct CompiledShape {
    pub(crate) kinds: Kinds,
    /// The index of its struct, if it is one; or of its literal, counted from the end of the
    /// structs.
    item: u16,
}

/// A struct in one revision.
#[derive(Clone, Copy)]
pub(crate) struct CompiledStruct {
    /// A bit for each field that must be present.
    pub(crate) required: u64,
    /// The index of its first member in the compiled table; the first entry is none.
    first: u32,
    id: u16,
    /// From the hash of a key to the member that it may be.
    by_hash: [u8; KeyHash::COUNT],
}

/// A member of a struct.
#[derive(Clone, Copy)]
pub(crate) struct Member {
    name: Name,
    /// Whether the name is long, or another field has the same hash: a key that does not match may
    /// still be a field.
    doubtful: bool,
    /// The index of the field.
    pub(crate) position: u8,
    pub(crate) kinds: Kinds,
    pub(crate) shape: ShapeId,
    /// The struct that the shape is, if it is one.
    pub(crate) item: u16,
}

/// The member that the hash of a key points to.
pub(crate) enum Candidate<'p> {
    Found(&'p Member),
    /// All names have to be compared.
    Doubtful,
    None,
}

/// A union in one revision.
#[derive(Clone, Copy)]
pub(crate) struct CompiledUnion {
    /// The member that picks the branch.
    pub(crate) tag: Name,
    branches: Range,
    /// The kinds of values that several branches may have, a bit for each.
    shared: u8,
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

impl Compiled {
    #[inline(always)]
    pub(crate) fn of(revision: Revision) -> &'static Self {
        &COMPILED[revision.index()]
    }

    /// The kinds of a shape.
    #[inline(always)]
    pub(crate) fn kinds(&self, shape: ShapeId) -> Kinds {
        let shape = self.shapes.get(usize::from(shape.0));
        shape.map_or(Kinds::NONE, |shape| shape.kinds)
    }

    /// The struct that a shape is, if it is one.
    #[inline(always)]
    pub(crate) fn item_of(&self, shape: ShapeId) -> Option<&CompiledStruct> {
        self.item(self.shapes.get(usize::from(shape.0))?.item)
    }

    #[inline(always)]
    pub(crate) fn item(&self, id: u16) -> Option<&CompiledStruct> {
        self.structs.get(usize::from(id))
    }

    #[inline(always)]
    pub(crate) fn union(&self, id: u16) -> &CompiledUnion {
        &self.unions[usize::from(id)]
    }

    /// Whether values of this kind may have several branches.
    #[inline(always)]
    pub(crate) fn is_shared(&self, union: u16, kind: Kind) -> bool {
        self.union(union).shared >> kind as u8 & 1 == 1
    }

    /// The text of a literal, unless it is long.
    #[inline(always)]
    pub(crate) fn literal(&self, shape: ShapeId) -> Option<&Name> {
        let shape = self.shapes.get(usize::from(shape.0))?;
        let index = usize::from(shape.item).checked_sub(STRUCTS.len())?;
        self.literals.get(index)
    }

    /// The branches that a tag can pick, or all if there is none.
    #[inline(always)]
    pub(crate) fn branches(&self, union: &CompiledUnion) -> &[Branch] {
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
    pub(crate) fn member(&self, item: &CompiledStruct, key: &Token, bytes: &[u8]) -> Candidate<'_> {
        let slot = item.first as usize + usize::from(item.by_hash[key.key_hash().index()]);
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
    pub(crate) fn member_at(&self, item: &CompiledStruct, position: usize) -> Option<&Member> {
        let member = self.members.get(item.first as usize + 1 + position)?;
        (member.shape != ShapeId::ABSENT).then_some(member)
    }
}

impl CompiledStruct {
    /// The struct in all revisions.
    pub(crate) fn item(&self) -> &'static Struct {
        &STRUCTS[usize::from(self.id)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mcp_assay_json::{ScanLimits, Tape, scan};

    /// The key of an object with one member, looked up in a struct; `after` stands behind the
    /// object.
    fn found(compiled: &Compiled, item: &CompiledStruct, key: &str, after: &str) -> Option<usize> {
        let text = format!(r#"{{"{key}":0}}{after}"#);
        let mut tape = Tape::new();
        scan(text.as_bytes(), &ScanLimits::DEFAULT, &mut tape).expect("JSON");
        match compiled.member(item, &tape.tokens()[1], text.as_bytes()) {
            Candidate::Found(member) => Some(usize::from(member.position)),
            Candidate::Doubtful => {
                let mut fields = item.item().fields.iter();
                let position = fields.position(|field| field.name == key)?;
                compiled.member_at(item, position).map(|_| position)
            }
            Candidate::None => None,
        }
    }

    #[test]
    fn every_member_is_found_where_it_exists() {
        for revision in Revision::ALL {
            let compiled = Compiled::of(revision);
            for item in &compiled.structs {
                for (position, field) in item.item().fields.iter().enumerate() {
                    let exists = field.shape[revision.index()] != ShapeId::ABSENT;
                    let expected = exists.then_some(position);
                    for after in ["", "               "] {
                        let name = item.item().name;
                        let found = found(compiled, item, field.name, after);
                        assert_eq!(found, expected, "{revision} {name} {}", field.name);
                    }
                }
            }
        }
    }

    #[test]
    fn what_only_resembles_a_member_is_none() {
        for item in &Compiled::of(Revision::latest()).structs {
            for field in item.item().fields {
                for other in [
                    format!("{}x", field.name),
                    format!("x{}", field.name),
                    field.name[..field.name.len() - 1].to_owned(),
                    field.name.to_uppercase() + "_",
                ] {
                    let known = item.item().fields.iter().any(|field| field.name == other);
                    let found = found(Compiled::of(Revision::latest()), item, &other, "        ");
                    assert_eq!(found.is_some(), known, "{} {other}", item.item().name);
                }
            }
        }
    }
}
