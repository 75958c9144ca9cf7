//! Documents of input and output, held against the shape that all tools share and against the tool's own schemas.

use std::sync::Arc;

use super::{SCHEMA, ToolId};
use crate::misfit::{Misfit, read_text};
use crate::policy::Limits;
use crate::registry::Compiled;
use crate::syntax::{Kind, Node, Tape};

/// The schemas of one tool, ready to judge what goes in and what comes out.
///
/// ```
/// use mcp_assay::registry::SchemaRegistry;
/// use mcp_assay::tool_io::ToolId;
///
/// let registry = SchemaRegistry::default();
/// let input = registry.load_text(br#"{"type":"object","required":["query"]}"#, "of the input")?;
/// let search = registry.tool_io(ToolId::new("search").unwrap(), input, None)?;
/// assert!(search.check_input(br#"{"tool":"mcp.tool:search","input":{"query":"x"}}"#).is_empty());
///
/// let misfits = search.check_input(br#"{"tool":"mcp.tool:search","input":{}}"#);
/// assert_eq!(misfits[0].to_string(), "/input: the member `query` is missing");
/// # Ok::<(), mcp_assay::canonical::DetailedError>(())
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
    pub(crate) fn new(
        tool: ToolId,
        [input_shape, output_shape]: [Arc<Compiled>; 2],
        input: Arc<Compiled>,
        output: Option<Arc<Compiled>>,
    ) -> Self {
        Self {
            tool,
            input_shape,
            output_shape,
            input,
            output,
        }
    }

    /// Everything that is wrong with a document of input: with its shape, with the tool it names, and with its `input` by the
    /// tool's own schema.
    #[must_use]
    pub fn check_input(&self, document: &[u8]) -> Vec<Misfit> {
        check(document, |root| {
            let mut misfits = self.check_shape(root, &self.input_shape);
            if let Some(input) = root.get("input") {
                misfits.extend(self.input.misfits(input));
            }
            misfits
        })
    }

    /// Everything that is wrong with a document of output: with its shape, in which nobody asks for `input`, with the tool it
    /// names, and with its `output` by the tool's output schema if there is one.
    #[must_use]
    pub fn check_output(&self, document: &[u8]) -> Vec<Misfit> {
        check(document, |root| {
            let mut misfits = self.check_shape(root, &self.output_shape);
            match (&self.output, root.get("output")) {
                (Some(schema), Some(output)) => misfits.extend(schema.misfits(output)),
                (Some(_), None) if root.kind() == Kind::Object => {
                    misfits.push(Misfit::at(root, "the member `output` is missing"));
                }
                _ => {}
            }
            misfits
        })
    }

    /// The tool.
    #[must_use]
    pub fn tool(&self) -> &ToolId {
        &self.tool
    }

    /// The tool's own schema for what goes in.
    #[must_use]
    pub fn input(&self) -> &Arc<Compiled> {
        &self.input
    }

    /// The tool's own schema for what comes out, if it has one.
    #[must_use]
    pub fn output(&self) -> Option<&Arc<Compiled>> {
        self.output.as_ref()
    }

    fn check_shape(&self, root: Node<'_>, shape: &Compiled) -> Vec<Misfit> {
        let mut misfits = shape.misfits(root);
        let tool = root.get("tool").filter(|tool| tool.kind() == Kind::String);
        if let Some(tool) = tool
            && let Some(Ok(named)) = tool.text().map(|text| text.parse::<ToolId>())
            && named != self.tool
        {
            misfits.push(Misfit::at(tool, "names another tool"));
        }
        misfits
    }
}

fn check(document: &[u8], judge: impl FnOnce(Node<'_>) -> Vec<Misfit>) -> Vec<Misfit> {
    let mut tape = Tape::new();
    match read_text(document, &Limits::DEFAULT, &mut tape) {
        Ok(root) => judge(root),
        Err(misfit) => vec![misfit],
    }
}

/// The schema of output documents on its own.
pub(crate) fn output_schema() -> String {
    let (_, definitions) = SCHEMA.split_once(r#""$defs": "#).unwrap_or_default();
    format!(r##"{{"$ref":"#/$defs/Output","$defs":{definitions}"##)
}
