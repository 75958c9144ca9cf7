//! A shape in the wire notation, on one line.

use crate::tables::{ENUMS, Format, Revision, STRUCTS, Shape, ShapeId, UNIONS};

/// A shape as `wire/` writes it: `string(uri)`, `[ContentBlock]`, `map int(0..)`.
///
/// Names of types that are only aliases do not survive: the tables hold the types that they stand
/// for.
#[must_use]
pub fn describe(shape: ShapeId, revision: Revision) -> String {
    let Some(shape) = shape.get() else {
        return "nothing".to_owned();
    };
    match *shape {
        Shape::Any => "any".to_owned(),
        Shape::Null => "null".to_owned(),
        Shape::Bool => "bool".to_owned(),
        Shape::Object => "object".to_owned(),
        Shape::String(Format::Plain) => "string".to_owned(),
        Shape::String(Format::Uri) => "string(uri)".to_owned(),
        Shape::String(Format::UriTemplate) => "string(uri-template)".to_owned(),
        Shape::String(Format::Byte) => "string(byte)".to_owned(),
        Shape::Literal(text) => format!("\"{text}\""),
        Shape::Int { min, max } => range(
            "int",
            (min != i64::MIN).then_some(min),
            (max != i64::MAX).then_some(max),
        ),
        Shape::Number { min, max } => range(
            "num",
            min.is_finite().then_some(min),
            max.is_finite().then_some(max),
        ),
        Shape::Array { item, max } => {
            let bound = if max == u32::MAX {
                String::new()
            } else {
                format!("(..{max})")
            };
            format!("[{}]{bound}", describe(item, revision))
        }
        Shape::Map(value) => format!("map {}", describe(value, revision)),
        Shape::Struct(index) => STRUCTS[usize::from(index)].name.to_owned(),
        Shape::Enum(index) => ENUMS[usize::from(index)].name.to_owned(),
        Shape::Union(index) => {
            let union = &UNIONS[usize::from(index)];
            if !super::shape::is_in_place(union) {
                return union.name.to_owned();
            }
            let arms = union
                .arms
                .iter()
                .filter(|arm| arm.revisions.contains(revision));
            arms.map(|arm| describe(arm.shape, revision))
                .collect::<Vec<_>>()
                .join(" | ")
        }
    }
}

fn range<T: core::fmt::Display>(name: &str, min: Option<T>, max: Option<T>) -> String {
    let end = |value: Option<T>| value.map_or_else(String::new, |value| value.to_string());
    if min.is_none() && max.is_none() {
        name.to_owned()
    } else {
        format!("{name}({}..{})", end(min), end(max))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(structure: &str, member: &str, revision: Revision) -> String {
        let row = STRUCTS
            .iter()
            .find(|row| row.name == structure)
            .expect("the struct exists");
        let field = row
            .fields
            .iter()
            .find(|field| field.name == member)
            .expect("the member exists");
        describe(field.shape[revision.index()], revision)
    }

    #[test]
    fn shapes_read_like_the_notation() {
        let revision = Revision::V2025_11_25;
        assert_eq!(member("Tool", "name", revision), "string");
        assert_eq!(member("Resource", "uri", revision), "string(uri)");
        assert_eq!(
            member("CallToolResult", "content", revision),
            "[ContentBlock]"
        );
        assert_eq!(member("JSONRPCRequest", "jsonrpc", revision), "\"2.0\"");
        assert_eq!(member("JSONRPCRequest", "id", revision), "string | int");
        assert_eq!(member("Annotations", "priority", revision), "num(0..1)");
        assert_eq!(
            member("Tool", "outputSchema", Revision::V2024_11_05),
            "nothing"
        );
    }
}
