//! Schemas of our own contracts.

use core::fmt::Write as _;
use std::sync::{Arc, OnceLock};

use super::cache::SchemaRegistry;
use super::compiled::Compiled;
use crate::canonical::{CanonicalError, DetailedError};
use crate::tool_io::{ToolId, ToolIo};
use crate::{envelope, tool_io};

/// Our own schemas, once they were asked for: their text needs no second look.
#[derive(Debug, Default)]
pub(super) struct BuiltIns {
    envelope: Loaded,
    tool_input: Loaded,
    tool_output: Loaded,
}

type Loaded = OnceLock<Result<Arc<Compiled>, DetailedError>>;

impl SchemaRegistry {
    /// The schema of [the result envelope](crate::envelope).
    ///
    /// # Errors
    ///
    /// None, unless the limits of the registry are too low for it.
    pub fn load_envelope(&self) -> Result<Arc<Compiled>, DetailedError> {
        let load = || self.load_text(envelope::SCHEMA.as_bytes(), "of the envelope");
        self.built_in.envelope.get_or_init(load).clone()
    }

    /// What goes into a tool and comes out of it: the shape that all tools share, and the tool's own schemas, which the
    /// source has under `tools/<name>.input` and, if it wants, `tools/<name>.output`. In the name of a tool, all but letters,
    /// digits, `_`, `-` and `.` is written as `%` and two hexadecimal digits, and so is a `.` at the beginning.
    ///
    /// # Errors
    ///
    /// `NOT_FOUND` if there is no input schema, `INTERNAL_ERROR` if a schema cannot be used. The message names the file.
    pub fn load_tool_io(&self, tool: &ToolId) -> Result<ToolIo, DetailedError> {
        let name = file_name(tool.name());
        let input = self.load_named(&format!("tools/{name}.input"))?;
        let output = match self.load_named(&format!("tools/{name}.output")) {
            Err(error) if error.kind == CanonicalError::NotFound => None,
            loaded => Some(loaded?),
        };
        self.tool_io(tool.clone(), input, output)
    }

    /// The same for schemas that are at hand.
    ///
    /// # Errors
    ///
    /// None, unless the limits of the registry are too low for the shape that all tools share.
    pub fn tool_io(
        &self,
        tool: ToolId,
        input: Arc<Compiled>,
        output: Option<Arc<Compiled>>,
    ) -> Result<ToolIo, DetailedError> {
        let load_input = || self.load_text(tool_io::SCHEMA.as_bytes(), "of tool I/O");
        let load_output = || self.load_text(tool_io::output_schema().as_bytes(), "of tool I/O");
        let shape = self.built_in.tool_input.get_or_init(load_input).clone()?;
        let output_shape = self.built_in.tool_output.get_or_init(load_output).clone()?;
        Ok(ToolIo::new(tool, [shape, output_shape], input, output))
    }
}

/// The name of a tool as part of the name of a file: no name leads out of its folder.
fn file_name(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for (index, byte) in name.bytes().enumerate() {
        match byte {
            b'.' if index > 0 => out.push('.'),
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'-' => out.push(char::from(byte)),
            _ => {
                // Writing to a string cannot fail.
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    out
}
