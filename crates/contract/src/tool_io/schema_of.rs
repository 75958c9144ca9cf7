//! The shape of the documents of one tool.

use core::fmt::Write as _;

use mcp_assay::syntax::write_text;

use super::{SCHEMA, ToolId};

/// The schema of the documents of one tool: as [`SCHEMA`], but `$id` is the id of the tool, and so
/// is every `tool`. In `$id`, characters that no URI may have are written as `%` and two
/// hexadecimal digits.
///
/// ```
/// use mcp_assay_contract::tool_io::{ToolId, schema_of};
///
/// let schema = schema_of(&ToolId::new("search").unwrap());
/// assert!(schema.contains(r#""$id": "mcp.tool:search""#));
/// assert!(schema.contains(r#""const": "mcp.tool:search""#));
/// ```
#[must_use]
pub fn schema_of(tool: &ToolId) -> String {
    let (mut id, mut name) = (String::new(), String::new());
    write_text(&uri(tool), &mut id);
    write_text(&tool.to_string(), &mut name);
    SCHEMA
        .replacen(r#""urn:mcp-assay:tool-io:1.0""#, &id, 1)
        .replacen(
            r#""pattern": "^mcp\\.tool:","#,
            &format!(r#""const": {name},"#),
            1,
        )
}

/// The schema of documents of output alone, from [`SCHEMA`] or that of one tool.
#[must_use]
pub fn output_schema(schema: &str) -> String {
    let (_, definitions) = schema.split_once(r#""$defs": "#).unwrap_or_default();
    format!(r##"{{"$ref":"#/$defs/Output","$defs":{definitions}"##)
}

/// The id of a tool as a URI, whose scheme is `mcp.tool`.
fn uri(tool: &ToolId) -> String {
    let mut out = String::from("mcp.tool:");
    for byte in tool.name().bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                out.push(char::from(byte));
            }
            _ => {
                // Writing to a string cannot fail.
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    out
}
