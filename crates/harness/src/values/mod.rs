//! Answers of servers, as types. Members that a test can do without are optional; members without a
//! type are in `raw`.
//!
//! A member that has to be there and is not is empty: in strict mode a rule has failed the call
//! before.

mod handshake;
mod prompt;
mod resource;
mod tool;

use serde_json::Value;

pub use self::handshake::{Handshake, ServerInfo};
pub use self::prompt::{Prompt, PromptArgument, PromptMessage, PromptResult};
pub use self::resource::{Contents, Resource, ResourceTemplate};
pub use self::tool::{Annotations, Tool, ToolResult};
use crate::Error;

/// A list that an answer is nothing without.
pub(crate) fn list<'a>(
    result: &'a Value,
    member: &'static str,
    method: &str,
) -> Result<&'a [Value], Error> {
    result[member]
        .as_array()
        .map(Vec::as_slice)
        .ok_or_else(|| missing(method, member))
}

pub(crate) fn missing(method: &str, what: &'static str) -> Error {
    Error::Malformed {
        method: method.to_owned(),
        what,
    }
}

fn text(value: &Value, member: &str) -> Option<String> {
    value[member].as_str().map(str::to_owned)
}

fn items<'a>(value: &'a Value, member: &str) -> &'a [Value] {
    value[member].as_array().map_or(&[], Vec::as_slice)
}
