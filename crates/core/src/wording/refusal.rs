//! Refusals of a schema document in words. The values of the document are not available: only the
//! keyword is.

use super::expected::kind_name;
use crate::syntax::Node;

/// The text of a refusal: found and, if the keyword shows it, expected. `name` is the value in a
/// sentence.
pub(super) fn message(
    name: &str,
    node: Option<Node<'_>>,
    keyword: &str,
    member: Option<&str>,
) -> String {
    let found = node.map_or("something else", |node| kind_name(node.kind()));
    let text = match (keyword, member) {
        ("", _) => return format!("{name} does not fit the schema in force"),
        ("method", _) => return format!("the schema in force has no method {}", quoted(node)),
        ("$ref", _) => {
            return "the schema in force has a definition for this that cannot be compiled"
                .to_owned();
        }
        ("required", Some(member)) => format!("`{member}` is missing from {name}"),
        ("required", None) => format!("{name} lacks a required member"),
        ("type", _) => format!("{name} is {found}, the schema in force expects another type"),
        ("const" | "enum", _) => {
            format!("the value of {name} is none that the schema in force allows")
        }
        ("anyOf", _) => format!("{name} fits none of the alternatives of the schema in force"),
        ("oneOf", _) => {
            format!("{name} does not fit exactly one of the alternatives of the schema in force")
        }
        ("additionalProperties" | "unevaluatedProperties", _) => {
            format!("{name} is not a member that the schema in force allows")
        }
        ("minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum", _) => {
            format!("{name} is out of range")
        }
        ("minItems" | "maxItems" | "additionalItems" | "unevaluatedItems", _) => {
            format!("{name} has too many or too few items")
        }
        ("minLength" | "maxLength", _) => format!("{name} is too long or too short"),
        ("minProperties" | "maxProperties", _) => format!("{name} has too many or too few members"),
        ("uniqueItems", _) => format!("{name} has the same item twice"),
        ("pattern" | "format" | "contentEncoding" | "contentMediaType", _) => {
            format!("{name} does not have the form that the schema in force demands")
        }
        _ => format!("{name} does not fit the schema in force"),
    };
    format!("{text} (`{keyword}`)")
}

fn quoted(node: Option<Node<'_>>) -> String {
    format!(
        "`{}`",
        super::tame(&node.and_then(Node::text).unwrap_or_default())
    )
}
