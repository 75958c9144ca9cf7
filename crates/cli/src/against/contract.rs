//! Contracts of our own that documents are checked against with `--as`: the result envelope, and
//! the input and output of tools.

use core::ops::ControlFlow;
use std::sync::Arc;

use mcp_assay::registry::{Compiled, Fit, Member, Mismatch};
use mcp_assay::syntax::{Kind, Node};
use mcp_assay::{Checked, Detail, Frame, Sink, Validator, Violation};
use mcp_assay_contract::tool_io::{ToolId, output_schema, schema_of};
use mcp_assay_contract::{envelope, tool_io};

use crate::schemas;

/// The names of the contracts. The id of a tool, `mcp.tool:<name>`, is one, too.
pub(crate) const CONTRACTS: [&str; 2] = ["envelope", "tool-io"];

/// A contract that documents are checked against.
#[derive(Clone, Debug)]
pub(crate) struct Contract {
    whole: Part,
    /// For documents that have an `output`.
    output: Option<Part>,
}

/// A schema, with its text and its name in reports.
#[derive(Clone, Debug)]
struct Part {
    name: &'static str,
    text: &'static str,
    schema: Arc<Compiled>,
}

impl Contract {
    /// The contract of this name, if there is one.
    pub(crate) fn named(name: &str) -> anyhow::Result<Option<Self>> {
        Ok(Some(match name {
            "envelope" => Self {
                whole: Part::new("envelope", envelope::SCHEMA)?,
                output: None,
            },
            "tool-io" => Self::of_tools("tool-io", tool_io::SCHEMA)?,
            name => {
                let Ok(tool) = name.parse::<ToolId>() else {
                    return Ok(None);
                };
                // One for each run: they live as long as the program.
                let name = Box::leak(tool.to_string().into_boxed_str());
                Self::of_tools(name, Box::leak(schema_of(&tool).into_boxed_str()))?
            }
        }))
    }

    fn of_tools(name: &'static str, text: &'static str) -> anyhow::Result<Self> {
        let output = Box::leak(output_schema(text).into_boxed_str());
        Ok(Self {
            whole: Part::new(name, text)?,
            output: Some(Part::new(name, output)?),
        })
    }

    /// Checks a document.
    pub(crate) fn check<'v>(&self, validator: &'v mut Validator, frame: Frame<'v>) -> Checked<'v> {
        validator.check_text(frame, |root, _, sink| {
            let is_output = root.kind() == Kind::Object && root.get("output").is_some();
            let part = self.output.as_ref().filter(|_| is_output);
            part.unwrap_or(&self.whole).check(root, sink)
        })
    }
}

impl Part {
    fn new(name: &'static str, text: &'static str) -> anyhow::Result<Self> {
        let schema = schemas::shared().load_static(text, "of a contract")?;
        Ok(Self { name, text, schema })
    }

    fn check(&self, root: Node<'_>, sink: &mut dyn Sink) -> ControlFlow<()> {
        let mut flow = ControlFlow::Continue(());
        let fit = self.schema.check(root, &mut |mismatch| {
            if flow.is_continue() {
                flow = self.push(root, mismatch, sink);
            }
        });
        if fit == Fit::Undecided && flow.is_continue() {
            return sink.push(Violation::by_override(root));
        }
        flow
    }

    fn push(
        &self,
        root: Node<'_>,
        mismatch: &Mismatch<'_>,
        sink: &mut dyn Sink,
    ) -> ControlFlow<()> {
        let at = match mismatch.member {
            Some(Member::Extra(key)) => root.at(key),
            _ => root.at(mismatch.at),
        };
        let member = match mismatch.member {
            Some(Member::Missing(name)) => self.name_in_text(name),
            _ => None,
        };
        let keyword = mismatch.keyword;
        let mut violation = Violation::by_override(at);
        violation.detail = Detail::Schema { keyword, member };
        if !mismatch.schema.is_empty() {
            violation.schema = sink.note(self.name, mismatch.schema, keyword);
        }
        sink.push(violation)
    }

    /// A name of the schema, as its text has it: that of a violation lives as long as the program.
    fn name_in_text(&self, name: &str) -> Option<&'static str> {
        let start = self.text.find(&format!("\"{name}\""))? + 1;
        self.text.get(start..start + name.len())
    }
}
