//! The place in the exported schema that a fault of a value refers to.
//!
//! Nothing is exported for it: the walk follows the value down to the fault, and the tables along
//! with it, and writes where their schema has the keyword.

use mcp_assay_json::{Kind, Node};

use super::shape::is_in_place;
use crate::shape::branch;
use crate::tables::{ENUMS, Revision, STRUCTS, Shape, ShapeId, Struct, UNIONS, Union};

/// A keyword in the schema of a revision.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeywordPlace {
    /// The JSON Pointer of the keyword, in the document that [`export`](super::export) writes.
    pub pointer: String,
    /// The keyword.
    pub keyword: &'static str,
}

impl KeywordPlace {
    /// A keyword of a schema that has this pointer.
    #[must_use]
    pub fn new(schema: &str, keyword: &'static str) -> Self {
        Self {
            pointer: format!("{schema}/{keyword}"),
            keyword,
        }
    }
}

/// The demand that a value does not meet.
#[derive(Clone, Copy, Debug)]
pub enum Demand {
    /// A member of a struct.
    Member(&'static Struct),
    /// A branch of a union with a tag.
    Branch(&'static Union),
    /// The JSON type of a shape, or its literal.
    Type(ShapeId),
    /// One of the values of a shape.
    Value(ShapeId),
    /// The bounds of a shape.
    Range(ShapeId),
    /// The number of items.
    Items,
    /// The shape of the value, which it is known to miss.
    Any,
}

/// The keyword that makes a demand of the value at a token: `root` was checked against `shape`,
/// whose schema has the pointer `base` if it has no definition of its own.
#[must_use]
pub fn keyword_place(
    root: Node<'_>,
    (shape, base): (ShapeId, &str),
    at: u32,
    demand: Demand,
    revision: Revision,
) -> Option<KeywordPlace> {
    let (schema, keyword) = match demand {
        Demand::Member(item) => (defined(item.name), "required"),
        Demand::Branch(union) => (defined(union.name), branches(union)),
        Demand::Value(shape) if is_enum(shape) => (definition(shape)?, "enum"),
        Demand::Type(shape) if definition(shape).is_some() => {
            (definition(shape)?, keyword_of(shape)?)
        }
        _ => {
            let (schema, shape, value) = find(root, (shape, base), at, demand, revision)?;
            let keyword = match demand {
                Demand::Range(_) => bound(value, shape),
                Demand::Items => "maxItems",
                _ => keyword_of(shape)?,
            };
            (schema, keyword)
        }
    };
    Some(KeywordPlace::new(&schema, keyword))
}

/// The schema of the value at a token, with its shape.
fn find<'a>(
    root: Node<'a>,
    (shape, base): (ShapeId, &str),
    at: u32,
    demand: Demand,
    revision: Revision,
) -> Option<(String, ShapeId, Node<'a>)> {
    let mut here = Place {
        value: root,
        shape,
        schema: definition(shape).unwrap_or_else(|| base.to_owned()),
    };
    loop {
        if here.value.index() == at && is_meant(here.shape, demand) {
            return Some((here.schema, here.shape, here.value));
        }
        match here.enter(at, revision) {
            Some(next) => here = next,
            // A tag that is no string picks no branch.
            None if is_union(here.shape) && matches!(demand, Demand::Any) => {
                return Some((here.schema, here.shape, here.value));
            }
            None => return None,
        }
    }
}

/// Whether a shape makes the demand, and not one of its branches.
fn is_meant(shape: ShapeId, demand: Demand) -> bool {
    match demand {
        Demand::Type(wanted) | Demand::Value(wanted) | Demand::Range(wanted) => shape == wanted,
        Demand::Items => matches!(shape.get(), Some(Shape::Array { .. })),
        Demand::Member(_) | Demand::Branch(_) | Demand::Any => true,
    }
}

/// A value on the way to the fault.
struct Place<'a> {
    value: Node<'a>,
    shape: ShapeId,
    /// The pointer of its schema.
    schema: String,
}

impl Place<'_> {
    /// The next place on the way to a token: a branch of a union, or a part of the value.
    fn enter(&self, at: u32, revision: Revision) -> Option<Self> {
        let (value, shape, step) = match *self.shape.get()? {
            Shape::Union(id) => {
                let shape = branch(self.value, id, revision)?;
                let union = &UNIONS[usize::from(id)];
                let mut arms = union
                    .arms
                    .iter()
                    .filter(|arm| arm.revisions.contains(revision));
                let position = arms.position(|arm| arm.shape == shape)?;
                let step = match union.tag {
                    None => format!("/anyOf/{position}"),
                    Some(_) => format!("/oneOf/{position}/allOf/1"),
                };
                (self.value, shape, step)
            }
            Shape::Struct(id) => {
                let (key, value) = member_at(self.value, at)?;
                let mut fields = STRUCTS[usize::from(id)].fields.iter();
                let field = fields.find(|field| key.is_text(field.name))?;
                let name = field.name.replace('~', "~0").replace('/', "~1");
                let shape = field.shape[revision.index()];
                (value, shape, format!("/properties/{name}"))
            }
            Shape::Map(shape) => {
                let (_, value) = member_at(self.value, at)?;
                (value, shape, "/additionalProperties".to_owned())
            }
            Shape::Array { item, .. } => {
                if self.value.kind() != Kind::Array {
                    return None;
                }
                let value = self.value.items().find(|item| holds(*item, at))?;
                (value, item, "/items".to_owned())
            }
            _ => return None,
        };
        let schema = definition(shape).unwrap_or_else(|| format!("{}{step}", self.schema));
        Some(Self {
            value,
            shape,
            schema,
        })
    }
}

/// The member of an object whose value has a token.
fn member_at(object: Node<'_>, at: u32) -> Option<(Node<'_>, Node<'_>)> {
    if object.kind() != Kind::Object {
        return None;
    }
    object.members().find(|(_, value)| holds(*value, at))
}

fn holds(value: Node<'_>, at: u32) -> bool {
    (value.index()..value.end()).contains(&at)
}

/// The pointer of a shape's definition, if it has a name.
fn definition(shape: ShapeId) -> Option<String> {
    match *shape.get()? {
        Shape::Struct(id) => Some(defined(STRUCTS[usize::from(id)].name)),
        Shape::Enum(id) => Some(defined(ENUMS[usize::from(id)].name)),
        Shape::Union(id) if !is_in_place(&UNIONS[usize::from(id)]) => {
            Some(defined(UNIONS[usize::from(id)].name))
        }
        _ => None,
    }
}

/// The pointer of the definition of a name.
fn defined(name: &str) -> String {
    format!("/$defs/{name}")
}

fn is_enum(shape: ShapeId) -> bool {
    matches!(shape.get(), Some(Shape::Enum(_)))
}

fn is_union(shape: ShapeId) -> bool {
    matches!(shape.get(), Some(Shape::Union(_)))
}

fn branches(union: &Union) -> &'static str {
    match union.tag {
        None => "anyOf",
        Some(_) => "oneOf",
    }
}

/// The keyword of a shape that decides which values it takes.
fn keyword_of(shape: ShapeId) -> Option<&'static str> {
    Some(match *shape.get()? {
        Shape::Any => return None,
        Shape::Literal(_) => "const",
        Shape::Union(id) => branches(&UNIONS[usize::from(id)]),
        _ => "type",
    })
}

/// The bound that a number exceeds.
#[expect(
    clippy::cast_precision_loss,
    reason = "bounds of the protocol are small"
)]
fn bound(value: Node<'_>, shape: ShapeId) -> &'static str {
    let min = match shape.get() {
        Some(Shape::Int { min, .. }) => *min as f64,
        Some(Shape::Number { min, .. }) => *min,
        _ => f64::NEG_INFINITY,
    };
    if value.as_f64() < min {
        "minimum"
    } else {
        "maximum"
    }
}
