//! Documents of input and output, checked against the shape that all tools share and against the
//! tool's own schemas.

use core::fmt::Write as _;
use std::sync::{Arc, LazyLock};

use mcp_assay::registry::{Compiled, LoadError, LoadErrorKind, SchemaRegistry};
use mcp_assay::syntax::{Kind, Node, ScanLimits, Tape};

use super::schema_of::output_schema;
use super::{SCHEMA, ToolId};
use crate::misfit::{Misfit, read_text};
use crate::misfits::misfits;

/// The schemas of one tool, ready to check its input and output.
///
/// ```
/// use mcp_assay::registry::SchemaRegistry;
/// use mcp_assay_contract::tool_io::{ToolId, ToolIo};
///
/// let registry = SchemaRegistry::default();
/// let input = registry.load_text(br#"{"type":"object","required":["query"]}"#, "of the input")?;
/// let search = ToolIo::new(&registry, ToolId::new("search").unwrap(), input, None)?;
/// assert!(search.check_input(br#"{"tool":"mcp.tool:search","input":{"query":"x"}}"#).is_empty());
///
/// let misfits = search.check_input(br#"{"tool":"mcp.tool:search","input":{}}"#);
/// assert_eq!(misfits[0].to_string(), "/input: the member `query` is missing");
/// # Ok::<(), mcp_assay::registry::LoadError>(())
/// ```
#[derive(Clone, Debug)]
pub struct ToolIo {
    tool: ToolId,
    input_shape: Arc<Compiled>,
    output_shape: Arc<Compiled>,
    input: Arc<Compiled>,
    output: Option<Arc<Compiled>>,
}

impl ToolIo {
    /// The schemas of a tool that a registry has by name: `tools/<name>.input` and, if there is
    /// one, `tools/<name>.output`. In the name of a tool, all characters except letters, digits,
    /// `_`, `-` and `.` are written as `%` and two hexadecimal digits, and so is a `.` at the
    /// beginning.
    ///
    /// # Errors
    ///
    /// There is no input schema, or a schema cannot be used. The message names the file.
    pub fn load(registry: &SchemaRegistry, tool: &ToolId) -> Result<Self, LoadError> {
        let name = file_name(tool.name());
        let input = registry.load_named(&format!("tools/{name}.input"))?;
        let output = match registry.load_named(&format!("tools/{name}.output")) {
            Err(error) if error.kind == LoadErrorKind::NotFound => None,
            loaded => Some(loaded?),
        };
        Self::new(registry, tool.clone(), input, output)
    }

    /// The same for given schemas.
    ///
    /// # Errors
    ///
    /// None, unless the limits of the registry are too low for the shape that all tools share.
    pub fn new(
        registry: &SchemaRegistry,
        tool: ToolId,
        input: Arc<Compiled>,
        output: Option<Arc<Compiled>>,
    ) -> Result<Self, LoadError> {
        Ok(Self {
            tool,
            input_shape: registry.load_static(SCHEMA, "of tool I/O")?,
            output_shape: registry.load_static(&OUTPUT_SCHEMA, "of tool I/O")?,
            input,
            output,
        })
    }

    /// All faults of a document of input: of its shape, of the tool it names, and of its `input` by
    /// the tool's own schema.
    #[must_use]
    pub fn check_input(&self, document: &[u8]) -> Vec<Misfit> {
        check(document, |root| {
            let mut found = self.check_shape(root, &self.input_shape);
            if let Some(input) = root.get("input") {
                found.extend(misfits(&self.input, input));
            }
            found
        })
    }

    /// All faults of a document of output: of its shape, in which `input` is optional, of the tool
    /// it names, and of its `output` by the tool's output schema if there is one.
    #[must_use]
    pub fn check_output(&self, document: &[u8]) -> Vec<Misfit> {
        check(document, |root| {
            let mut found = self.check_shape(root, &self.output_shape);
            match (&self.output, root.get("output")) {
                (Some(schema), Some(output)) => found.extend(misfits(schema, output)),
                (Some(_), None) if root.kind() == Kind::Object => {
                    found.push(Misfit::at(root, "the member `output` is missing"));
                }
                _ => {}
            }
            found
        })
    }

    /// The tool.
    #[must_use]
    pub fn tool(&self) -> &ToolId {
        &self.tool
    }

    /// The tool's own schema of the input.
    #[must_use]
    pub fn input(&self) -> &Arc<Compiled> {
        &self.input
    }

    /// The tool's own schema of the output, if it has one.
    #[must_use]
    pub fn output(&self) -> Option<&Arc<Compiled>> {
        self.output.as_ref()
    }

    fn check_shape(&self, root: Node<'_>, shape: &Compiled) -> Vec<Misfit> {
        let mut found = misfits(shape, root);
        let tool = root.get("tool").filter(|tool| tool.kind() == Kind::String);
        if let Some(tool) = tool
            && let Some(Ok(named)) = tool.text().map(|text| text.parse::<ToolId>())
            && named != self.tool
        {
            found.push(Misfit::at(tool, "names another tool"));
        }
        found
    }
}

fn check(document: &[u8], judge: impl FnOnce(Node<'_>) -> Vec<Misfit>) -> Vec<Misfit> {
    let mut tape = Tape::new();
    match read_text(document, &ScanLimits::DEFAULT, &mut tape) {
        Ok(root) => judge(root),
        Err(misfit) => vec![misfit],
    }
}

/// The schema of output documents on its own.
pub(super) static OUTPUT_SCHEMA: LazyLock<String> = LazyLock::new(|| output_schema(SCHEMA));

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
