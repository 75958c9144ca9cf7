//! The meaning of the wire files: names resolved, bases flattened, everything laid out per
//! revision.
//!
//! [`build`] goes through three passes: [`scope`] finds the revisions of every item, [`check`]
//! refuses items that make no sense, and [`layout`] fills the rows. Writing the rows as Rust is the
//! task of [`crate::codegen`].

mod check;
mod layout;
mod scope;
mod shapes;
mod structs;
#[cfg(test)]
mod tests;

use crate::wire::ast::{ArmTag, Format, Item, MethodKind};
use crate::wire::diagnostic::Diagnostic;

/// A set of revisions, one bit each, the oldest in the lowest bit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub(crate) struct Set(pub(crate) u8);

impl Set {
    /// The revisions from `first` to `last`, both included.
    pub(crate) fn range(first: usize, last: usize) -> Self {
        (first..=last).fold(Self::default(), Self::with)
    }

    pub(crate) fn with(self, revision: usize) -> Self {
        Self(self.0 | 1 << revision)
    }

    pub(crate) fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(crate) fn minus(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    pub(crate) fn contains(self, revision: usize) -> bool {
        self.0 >> revision & 1 == 1
    }

    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(crate) fn iter(self) -> impl Iterator<Item = usize> {
        (0..8).filter(move |&revision| self.contains(revision))
    }
}

/// Index of a shape; `None` is absent.
pub(crate) type ShapeId = Option<u16>;

/// The content of `generated.rs`.
#[derive(Default, Debug)]
pub(crate) struct Tables {
    pub(crate) revisions: Vec<String>,
    pub(crate) facts: Vec<FactRow>,
    pub(crate) shapes: Vec<Shape>,
    pub(crate) structs: Vec<StructRow>,
    pub(crate) enums: Vec<EnumRow>,
    pub(crate) unions: Vec<UnionRow>,
    pub(crate) aliases: Vec<AliasRow>,
    pub(crate) methods: Vec<MethodRow>,
    pub(crate) errors: Vec<ErrorRow>,
}

#[derive(Debug)]
pub(crate) struct FactRow {
    pub(crate) name: String,
    pub(crate) doc: String,
    pub(crate) set: Set,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Shape {
    Any,
    Null,
    Bool,
    String(Format),
    Literal(String),
    Int(i64, i64),
    Number(f64, f64),
    Object,
    Array(u16, u32),
    Map(u16),
    Struct(u16),
    Enum(u16),
    Union(u16),
}

#[derive(Debug)]
pub(crate) struct StructRow {
    pub(crate) name: String,
    pub(crate) doc: String,
    pub(crate) set: Set,
    pub(crate) fields: Vec<FieldRow>,
    /// For each revision a bit per field.
    pub(crate) required: Vec<u64>,
}

#[derive(Debug)]
pub(crate) struct FieldRow {
    pub(crate) name: String,
    pub(crate) doc: String,
    /// For each revision.
    pub(crate) shape: Vec<ShapeId>,
}

#[derive(Debug)]
pub(crate) struct EnumRow {
    pub(crate) name: String,
    pub(crate) doc: String,
    pub(crate) set: Set,
    pub(crate) values: Vec<(String, Set)>,
}

#[derive(Debug)]
pub(crate) struct UnionRow {
    pub(crate) name: String,
    pub(crate) doc: String,
    pub(crate) set: Set,
    pub(crate) tag: Option<String>,
    pub(crate) arms: Vec<ArmRow>,
}

#[derive(Debug)]
pub(crate) struct ArmRow {
    pub(crate) tag: ArmTag,
    pub(crate) shape: u16,
    pub(crate) set: Set,
}

#[derive(Debug)]
pub(crate) struct AliasRow {
    pub(crate) name: String,
    pub(crate) doc: String,
    /// For each revision.
    pub(crate) shape: Vec<ShapeId>,
}

#[derive(Debug)]
pub(crate) struct MethodRow {
    pub(crate) name: String,
    pub(crate) doc: String,
    /// For each revision.
    pub(crate) forms: Vec<Option<FormRow>>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct FormRow {
    pub(crate) kind: MethodKind,
    pub(crate) definition: String,
    pub(crate) from_client: bool,
    pub(crate) from_server: bool,
    pub(crate) params: ShapeId,
    pub(crate) params_required: bool,
    pub(crate) result: ShapeId,
    /// Party, then path.
    pub(crate) needs: Vec<Vec<String>>,
}

#[derive(Debug)]
pub(crate) struct ErrorRow {
    pub(crate) code: i32,
    pub(crate) name: String,
    pub(crate) doc: String,
    pub(crate) set: Set,
    pub(crate) data: ShapeId,
}

/// Lays out the items of all files.
pub(crate) fn build(items: &[Item]) -> Result<Tables, Vec<Diagnostic>> {
    let revisions = scope::revisions(items)?;
    let scope = scope::Scope::new(revisions, items)?;
    check::run(&scope)?;
    layout::run(&scope)
}
