//! Shapes, structs, enums and unions as JSON Schema.

use super::json::Json;
use crate::tables::{
    Arm, ArmTag, ENUMS, Enum, Format, Revision, STRUCTS, Shape, ShapeId, Struct, UNIONS, Union,
};

/// The schema of a shape in a revision: a reference if it has a name.
pub(super) fn shape(id: ShapeId, revision: Revision) -> Json {
    let Some(shape) = id.get() else {
        return Json::Object(Vec::new());
    };
    match *shape {
        Shape::Any => Json::Object(Vec::new()),
        Shape::Null => of_type("null"),
        Shape::Bool => of_type("boolean"),
        Shape::Object => of_type("object"),
        Shape::String(format) => {
            let mut schema = of_type("string");
            if let Some(format) = format_name(format) {
                schema.set("format", Json::text(format));
            }
            schema
        }
        Shape::Literal(text) => Json::object([("const", Json::text(text))]),
        Shape::Int { min, max } => {
            let mut schema = of_type("integer");
            if min != i64::MIN {
                schema.set("minimum", Json::Int(min));
            }
            if max != i64::MAX {
                schema.set("maximum", Json::Int(max));
            }
            schema
        }
        Shape::Number { min, max } => {
            let mut schema = of_type("number");
            if min.is_finite() {
                schema.set("minimum", Json::Float(min));
            }
            if max.is_finite() {
                schema.set("maximum", Json::Float(max));
            }
            schema
        }
        Shape::Array { item, max } => {
            let mut schema = of_type("array");
            schema.set("items", self::shape(item, revision));
            if max != u32::MAX {
                schema.set("maxItems", Json::Int(i64::from(max)));
            }
            schema
        }
        Shape::Map(value) => {
            let mut schema = of_type("object");
            schema.set("additionalProperties", self::shape(value, revision));
            schema
        }
        Shape::Struct(index) => reference(STRUCTS[usize::from(index)].name),
        Shape::Enum(index) => reference(ENUMS[usize::from(index)].name),
        Shape::Union(index) => {
            let row = &UNIONS[usize::from(index)];
            if is_in_place(row) {
                union(row, revision)
            } else {
                reference(row.name)
            }
        }
    }
}

/// The schema of a struct in a revision.
pub(super) fn structure(row: &Struct, revision: Revision) -> Json {
    let mut schema = described(row.doc);
    schema.set("type", Json::text("object"));
    let mut properties = Json::Object(Vec::new());
    for field in row.fields {
        let id = field.shape[revision.index()];
        if id == ShapeId::ABSENT {
            continue;
        }
        let mut member = described(field.doc);
        if let Json::Object(members) = shape(id, revision) {
            for (keyword, value) in members {
                member.set(&keyword, value);
            }
        }
        properties.set(field.name, member);
    }
    schema.set("properties", properties);
    let required: Vec<&str> = required(row, revision).collect();
    if !required.is_empty() {
        schema.set("required", Json::texts(required));
    }
    schema
}

/// The names of the members that must be there.
pub(super) fn required(row: &Struct, revision: Revision) -> impl Iterator<Item = &'static str> {
    let bits = row.required[revision.index()];
    row.fields
        .iter()
        .enumerate()
        .filter(move |(index, _)| bits >> index & 1 == 1)
        .map(|(_, field)| field.name)
}

/// The schema of an enum in a revision.
pub(super) fn enumeration(row: &Enum, revision: Revision) -> Json {
    let mut schema = described(row.doc);
    schema.set("type", Json::text("string"));
    let values = row
        .values
        .iter()
        .filter(|(_, revisions)| revisions.contains(revision));
    schema.set("enum", Json::texts(values.map(|(value, _)| *value)));
    schema
}

/// The schema of a union in a revision. The branches of one with a tag exclude each other by the
/// tag alone.
pub(super) fn union(row: &Union, revision: Revision) -> Json {
    let mut schema = described(row.doc);
    let arms: Vec<&Arm> = row
        .arms
        .iter()
        .filter(|arm| arm.revisions.contains(revision))
        .collect();
    match row.tag {
        None => schema.set(
            "anyOf",
            Json::Array(arms.iter().map(|arm| shape(arm.shape, revision)).collect()),
        ),
        Some(tag) => {
            let named = arms.iter().filter_map(|arm| match arm.tag {
                ArmTag::Value(value) => Some(value),
                _ => None,
            });
            let named: Vec<&str> = named.collect();
            let branches = arms.iter().map(|arm| {
                let condition = condition(tag, arm.tag, &named);
                Json::object([(
                    "allOf",
                    Json::Array(vec![condition, shape(arm.shape, revision)]),
                )])
            });
            schema.set("oneOf", Json::Array(branches.collect()));
        }
    }
    schema
}

/// Whether a union was written in place, `string | int`, and so has no definition of its own.
pub(super) fn is_in_place(row: &Union) -> bool {
    row.name.contains('|')
}

/// A reference to a definition.
pub(super) fn reference(name: &str) -> Json {
    Json::object([("$ref", Json::Text(format!("{REFERENCE}{name}")))])
}

/// The prefix of the name of a definition in a reference. Names are plain words, so nothing is
/// escaped.
pub(super) const REFERENCE: &str = "#/$defs/";

/// An object with a description, if there is one.
pub(super) fn described(doc: &str) -> Json {
    if doc.is_empty() {
        Json::Object(Vec::new())
    } else {
        Json::object([("description", Json::text(doc))])
    }
}

/// The condition on the tag under which a branch applies.
fn condition(tag: &str, arm: ArmTag, named: &[&str]) -> Json {
    let value = match arm {
        ArmTag::Untagged => return Json::Object(Vec::new()),
        ArmTag::Absent => {
            let present = Json::object([("required", Json::texts([tag]))]);
            return Json::object([("type", Json::text("object")), ("not", present)]);
        }
        ArmTag::Value(value) => Json::object([("const", Json::text(value))]),
        ArmTag::Else => {
            let others = Json::object([("enum", Json::texts(named.iter().copied()))]);
            Json::object([("type", Json::text("string")), ("not", others)])
        }
    };
    Json::object([
        ("type", Json::text("object")),
        ("properties", Json::object([(tag, value)])),
        ("required", Json::texts([tag])),
    ])
}

fn of_type(name: &str) -> Json {
    Json::object([("type", Json::text(name))])
}

fn format_name(format: Format) -> Option<&'static str> {
    match format {
        Format::Plain => None,
        Format::Uri => Some("uri"),
        Format::UriTemplate => Some("uri-template"),
        Format::Byte => Some("byte"),
    }
}
