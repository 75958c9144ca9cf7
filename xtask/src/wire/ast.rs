//! The content of a wire file as it is written: names and dates are not resolved yet.

use super::diagnostic::Place;

/// A text with its place.
#[derive(Clone, Debug)]
pub(crate) struct Name {
    /// The text.
    pub(crate) text: String,
    /// The place.
    pub(crate) place: Place,
}

/// `since`, `until`, `only`.
#[derive(Clone, Default, Debug)]
pub(crate) struct Marks {
    /// The first revision.
    pub(crate) since: Option<Name>,
    /// The last revision.
    pub(crate) until: Option<Name>,
}

/// A top-level definition.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    /// Its name; for a method the method, for an error its name, for a revision the date.
    pub(crate) name: Name,
    /// The `##` lines before it.
    pub(crate) doc: String,
    /// The revisions that have it.
    pub(crate) marks: Marks,
    /// The kind of item.
    pub(crate) kind: ItemKind,
}

/// The kinds of items.
#[derive(Clone, Debug)]
pub(crate) enum ItemKind {
    /// `revision 2025-06-18`
    Revision,
    /// `fact batches`
    Fact,
    /// `request`, `notification` or `input`
    Method(Method),
    /// `struct`
    Struct(Struct),
    /// `union`
    Union(Union),
    /// `enum`
    Enum(Vec<Value>),
    /// `type Name = T`
    Alias(Type),
    /// `error`
    Error(Error),
}

impl ItemKind {
    /// Whether other definitions may use its name as a type.
    pub(crate) fn is_type(&self) -> bool {
        matches!(
            self,
            Self::Struct(_) | Self::Union(_) | Self::Enum(_) | Self::Alias(_)
        )
    }
}

/// The kinds of methods.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum MethodKind {
    /// `request`
    Request,
    /// `notification`
    Notification,
    /// `input`
    Input,
}

/// A method block.
#[derive(Clone, Debug)]
pub(crate) struct Method {
    /// Its keyword.
    pub(crate) kind: MethodKind,
    /// The name of the whole message.
    pub(crate) definition: Name,
    /// Whether the client may send it.
    pub(crate) from_client: bool,
    /// Whether the server may send it.
    pub(crate) from_server: bool,
    /// The `params` lines.
    pub(crate) params: Vec<Field>,
    /// The `result` lines.
    pub(crate) results: Vec<Field>,
    /// The `needs` lines.
    pub(crate) needs: Vec<Need>,
}

/// A `needs` line.
#[derive(Clone, Debug)]
pub(crate) struct Need {
    /// `client.a.b` or `server.a`, as it is written.
    pub(crate) path: Name,
    /// Its parts; the first is the party.
    pub(crate) parts: Vec<String>,
    /// The revisions in which it applies.
    pub(crate) marks: Marks,
}

/// A struct block.
#[derive(Clone, Debug)]
pub(crate) struct Struct {
    /// The structs whose members it has too.
    pub(crate) bases: Vec<Base>,
    /// Its own members.
    pub(crate) fields: Vec<Field>,
}

/// A base of a struct.
#[derive(Clone, Debug)]
pub(crate) struct Base {
    /// The name of the struct.
    pub(crate) name: Name,
    /// The revisions in which it is a base.
    pub(crate) marks: Marks,
}

/// A member of a struct; also the `params`, `result` and `data` lines.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    /// The key.
    pub(crate) name: Name,
    /// The `##` lines before it.
    pub(crate) doc: String,
    /// Whether it has a `?`.
    pub(crate) optional: bool,
    /// Its type.
    pub(crate) ty: Type,
    /// The revisions that have it.
    pub(crate) marks: Marks,
}

/// A union block.
#[derive(Clone, Debug)]
pub(crate) struct Union {
    /// The member that picks the branch.
    pub(crate) tag: Option<Name>,
    /// The branches.
    pub(crate) arms: Vec<Arm>,
}

/// A branch of a union.
#[derive(Clone, Debug)]
pub(crate) struct Arm {
    /// The condition under which the branch applies.
    pub(crate) tag: ArmTag,
    /// The place of the branch.
    pub(crate) place: Place,
    /// Its type.
    pub(crate) ty: Type,
    /// The revisions that have it.
    pub(crate) marks: Marks,
}

/// The condition that picks a branch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum ArmTag {
    /// The union has no tag.
    Untagged,
    /// The tag has this value.
    Value(String),
    /// The tag is missing.
    Absent,
    /// The tag has a value that no other branch names.
    Else,
}

/// A value of an enum.
#[derive(Clone, Debug)]
pub(crate) struct Value {
    /// The string.
    pub(crate) name: Name,
    /// The revisions that have it.
    pub(crate) marks: Marks,
}

/// An error block or line.
#[derive(Clone, Debug)]
pub(crate) struct Error {
    /// The code.
    pub(crate) code: i32,
    /// The `data` lines.
    pub(crate) data: Vec<Field>,
}

/// A type with its place.
#[derive(Clone, Debug)]
pub(crate) struct Type {
    /// The kind of type.
    pub(crate) kind: TypeKind,
    /// The place.
    pub(crate) place: Place,
}

/// The kinds of types.
#[derive(Clone, Debug)]
pub(crate) enum TypeKind {
    /// `any`
    Any,
    /// `null`
    Null,
    /// `bool`
    Bool,
    /// `string`, `string(uri)`
    String(Format),
    /// `"text"`
    Literal(String),
    /// `int`, `int(0..)`
    Int(i64, i64),
    /// `num`, `num(0..1)`
    Number(f64, f64),
    /// `object`
    Object,
    /// `[T]`, `[T](..100)`
    Array(Box<Type>, u32),
    /// `map T`
    Map(Box<Type>),
    /// A name of these files.
    Name(String),
    /// `A | B`
    Either(Vec<Type>),
}

/// The formats of strings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Format {
    /// None.
    Plain,
    /// `uri`
    Uri,
    /// `uri-template`
    UriTemplate,
    /// `byte`
    Byte,
}
