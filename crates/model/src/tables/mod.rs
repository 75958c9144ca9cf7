//! The protocol as static tables, generated from `wire/*.wire`, with the types of their rows and
//! the ways to query them.
//!
//! No traffic is checked here: [`crate::shape`] walks a message along these tables,
//! [`crate::schema`] writes them as JSON Schema.

#[rustfmt::skip]
mod generated;
mod compiled;
mod lookup;
mod method;
mod revision;

pub(crate) use self::compiled::{Candidate, Compiled, CompiledStruct, Kinds, Member, Name};
pub use self::generated::{ALIASES, ENUMS, ERRORS, FACTS, Fact, METHODS, SHAPES, STRUCTS, UNIONS};
pub(crate) use self::generated::{METHOD_LOOKUP, REVISION_COUNT, REVISION_NAMES};
pub use self::lookup::{Lookup, hash_key};
pub use self::method::{method_at, method_named};
pub use self::revision::{Revision, RevisionSet, UnknownRevision};
use crate::party::Party;

/// Index of a [`Shape`] in [`SHAPES`], or [`ShapeId::ABSENT`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ShapeId(pub u16);

impl ShapeId {
    /// No shape: the member, params or result does not exist in that revision.
    pub const ABSENT: Self = Self(u16::MAX);

    /// The shape, or `None` if absent.
    #[must_use]
    pub fn get(self) -> Option<&'static Shape> {
        SHAPES.get(usize::from(self.0))
    }
}

/// One value for each revision, in order of [`Revision::ALL`].
pub type ByRevision<T> = [T; Revision::COUNT];

/// The shape of a value.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Shape {
    /// Any JSON value.
    Any,
    /// Only `null`.
    Null,
    /// `true` or `false`.
    Bool,
    /// A string; the format is an annotation.
    String(Format),
    /// Exactly this string.
    Literal(&'static str),
    /// A number without fractional part, within the bounds.
    Int {
        /// The least, `i64::MIN` if unbounded.
        min: i64,
        /// The greatest, `i64::MAX` if unbounded.
        max: i64,
    },
    /// A number within the bounds.
    Number {
        /// The least, minus infinity if unbounded.
        min: f64,
        /// The greatest, infinity if unbounded.
        max: f64,
    },
    /// Any object.
    Object,
    /// An array of at most `max` items.
    Array {
        /// The shape of each item.
        item: ShapeId,
        /// The greatest number of items, `u32::MAX` if unbounded.
        max: u32,
    },
    /// An object whose members all have one shape.
    Map(ShapeId),
    /// Index into [`STRUCTS`].
    Struct(u16),
    /// Index into [`ENUMS`].
    Enum(u16),
    /// Index into [`UNIONS`].
    Union(u16),
}

/// The format of a string.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Format {
    /// No format.
    Plain,
    /// A URI (RFC 3986).
    Uri,
    /// A URI template (RFC 6570).
    UriTemplate,
    /// Base64.
    Byte,
}

/// An object with named members. Objects are open: other members are allowed.
#[derive(Debug)]
pub struct Struct {
    /// The name, as in the official schema where that has one.
    pub name: &'static str,
    /// Documentation, empty if none.
    pub doc: &'static str,
    /// The revisions that have the struct.
    pub revisions: RevisionSet,
    /// At most 64 members, those of the bases first.
    pub fields: &'static [Field],
    /// For each revision a bit per field that must be present.
    pub required: ByRevision<u64>,
}

/// A member of a struct.
#[derive(Debug)]
pub struct Field {
    /// The key.
    pub name: &'static str,
    /// Documentation, empty if none.
    pub doc: &'static str,
    /// Its shape in each revision, [`ShapeId::ABSENT`] where it does not exist.
    pub shape: ByRevision<ShapeId>,
}

impl Field {
    /// A row of the tables.
    #[must_use]
    pub const fn new(name: &'static str, doc: &'static str, shape: ByRevision<ShapeId>) -> Self {
        Self { name, doc, shape }
    }
}

/// A set of strings.
#[derive(Debug)]
pub struct Enum {
    /// The name.
    pub name: &'static str,
    /// Documentation, empty if none.
    pub doc: &'static str,
    /// The revisions that have the enum.
    pub revisions: RevisionSet,
    /// The values, with the revisions that know them.
    pub values: &'static [(&'static str, RevisionSet)],
}

/// A value that may have one of several shapes.
#[derive(Debug)]
pub struct Union {
    /// The name; for a union written in place (`string | int`) its text.
    pub name: &'static str,
    /// Documentation, empty if none.
    pub doc: &'static str,
    /// The revisions that have the union.
    pub revisions: RevisionSet,
    /// The member that picks the branch, or `None`: the first branch that fits.
    pub tag: Option<&'static str>,
    /// The branches, in order.
    pub arms: &'static [Arm],
}

/// A branch of a union.
#[derive(Debug)]
pub struct Arm {
    /// The condition under which the branch applies.
    pub tag: ArmTag,
    /// Its shape.
    pub shape: ShapeId,
    /// The revisions that have it.
    pub revisions: RevisionSet,
}

/// The condition that picks a branch of a union.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArmTag {
    /// The union has no tag: the branch is tried.
    Untagged,
    /// The tag member has this value.
    Value(&'static str),
    /// The tag member is missing.
    Absent,
    /// The tag member is a string that no other branch names.
    Else,
}

/// Another name of a shape.
#[derive(Debug)]
pub struct Alias {
    /// The name.
    pub name: &'static str,
    /// Documentation, empty if none.
    pub doc: &'static str,
    /// The shape in each revision, [`ShapeId::ABSENT`] where the name does not exist.
    pub shape: ByRevision<ShapeId>,
}

/// A method, in all revisions that have it.
#[derive(Debug)]
pub struct Method {
    /// The wire name, `tools/call`.
    pub name: &'static str,
    /// Its place in [`METHODS`].
    pub index: u16,
    /// Documentation, empty if none.
    pub doc: &'static str,
    /// Its properties in each revision, `None` where it does not exist.
    pub forms: ByRevision<Option<&'static MethodForm>>,
}

/// A method in one revision.
#[derive(Debug)]
pub struct MethodForm {
    /// Request, notification or input request.
    pub kind: MethodKind,
    /// The name of the whole message, `CallToolRequest`.
    pub definition: &'static str,
    /// Whether the client may send it.
    pub from_client: bool,
    /// Whether the server may send it.
    pub from_server: bool,
    /// The shape of `params`.
    pub params: ShapeId,
    /// Whether `params` must be present.
    pub params_required: bool,
    /// The shape of the result, [`ShapeId::ABSENT`] for notifications.
    pub result: ShapeId,
    /// Capabilities that must have been declared.
    pub needs: &'static [Need],
}

/// The kind of message that carries a method.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MethodKind {
    /// Has an id and is answered.
    Request,
    /// Has no id and is not answered.
    Notification,
    /// Embedded in an `input_required` result; not a message of its own.
    Input,
}

/// A capability that a method depends on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Need {
    /// The party that has to declare it.
    pub party: Party,
    /// The path under `capabilities`.
    pub path: &'static [&'static str],
}

/// An error code with a meaning of its own.
#[derive(Debug)]
pub struct ErrorCode {
    /// The code.
    pub code: i32,
    /// Its name.
    pub name: &'static str,
    /// Documentation, empty if none.
    pub doc: &'static str,
    /// The revisions that define it.
    pub revisions: RevisionSet,
    /// The shape of `data`, [`ShapeId::ABSENT`] if it is free. Where there is one, `data` is
    /// required.
    pub data: ShapeId,
}
