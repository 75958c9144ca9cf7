//! The input and output of a tool, in a shape that all tools share.
//!
//! A document of input has the members `tool` and `input`, and may have `version` and `metadata`.
//! Its `tool` is the canonical id, `mcp.tool:<name>`; its `input` is checked by the tool's own
//! schema. A document of output is the same with an optional `input`, and with an `output` that the
//! tool's output schema checks. [`SCHEMA`] has both shapes; [`schema_of`] gives them for one tool,
//! with the tool's id as `$id`. [`check`] checks a document of either kind by its shape alone,
//! [`ToolIo`] also by the schemas of its tool.

#[cfg(feature = "json-schema")]
mod check;
mod id;
#[cfg(feature = "json-schema")]
mod io;
mod schema_of;
#[cfg(all(test, feature = "json-schema"))]
mod tests;

#[cfg(feature = "json-schema")]
pub use self::check::{check, check_of};
pub use self::id::{NotAToolId, ToolId};
#[cfg(feature = "json-schema")]
pub use self::io::ToolIo;
pub use self::schema_of::{output_schema, schema_of};

/// The shape that all tools share: JSON Schema 2020-12. That of output is in there as
/// `#/$defs/Output`.
pub const SCHEMA: &str = include_str!("schema.json");
