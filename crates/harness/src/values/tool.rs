//! Tools, what is expected of them, and what they answer.

use serde_json::Value;

use super::{items, text};
use crate::Error;

/// A tool.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Tool {
    /// Its name.
    pub name: String,
    /// Its name, for people.
    pub title: Option<String>,
    /// Its effect.
    pub description: Option<String>,
    /// The schema of its arguments.
    pub input_schema: Value,
    /// The schema of its structured result.
    pub output_schema: Option<Value>,
    /// The hints of the server about its effects.
    pub annotations: Annotations,
    /// The whole tool.
    pub raw: Value,
}

/// Hints of a server about the effects of a tool; `None` where it says nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Annotations {
    /// It changes nothing.
    pub read_only: Option<bool>,
    /// It may destroy something.
    pub destructive: Option<bool>,
    /// Calling it again changes nothing more.
    pub idempotent: Option<bool>,
    /// It reaches beyond what the server knows.
    pub open_world: Option<bool>,
}

/// The answer of a tool.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct ToolResult {
    /// The blocks of content.
    pub content: Vec<Value>,
    /// The structured result.
    pub structured: Option<Value>,
    /// Whether the tool failed.
    pub is_error: bool,
    /// The whole result.
    pub raw: Value,
}

impl Tool {
    pub(crate) fn read(tool: &Value) -> Self {
        let hint = |name: &str| tool["annotations"][name].as_bool();
        Self {
            name: text(tool, "name").unwrap_or_default(),
            title: text(tool, "title"),
            description: text(tool, "description"),
            input_schema: tool["inputSchema"].clone(),
            output_schema: tool.get("outputSchema").cloned(),
            annotations: Annotations {
                read_only: hint("readOnlyHint"),
                destructive: hint("destructiveHint"),
                idempotent: hint("idempotentHint"),
                open_world: hint("openWorldHint"),
            },
            raw: tool.clone(),
        }
    }

    /// Fails unless the tool has an argument of this name.
    pub fn expect_argument(&self, name: &str) -> Result<&Self, Error> {
        let has = self.input_schema["properties"].get(name).is_some();
        self.expect(has, || format!("has no argument `{name}`"))
    }

    /// Fails unless the tool demands an argument of this name.
    pub fn expect_required(&self, name: &str) -> Result<&Self, Error> {
        let required = items(&self.input_schema, "required");
        let has = required.iter().any(|required| *required == name);
        self.expect(has, || format!("does not require the argument `{name}`"))
    }

    /// Fails unless the tool is annotated as read-only.
    pub fn expect_read_only(&self) -> Result<&Self, Error> {
        let is_read_only = self.annotations.read_only == Some(true);
        self.expect(is_read_only, || "is not annotated as read-only".to_owned())
    }

    /// Fails unless the tool says what its structured result looks like.
    pub fn expect_output_schema(&self) -> Result<&Self, Error> {
        let has = self.output_schema.is_some();
        self.expect(has, || "has no `outputSchema`".to_owned())
    }

    fn expect(&self, holds: bool, otherwise: impl FnOnce() -> String) -> Result<&Self, Error> {
        if holds {
            Ok(self)
        } else {
            let name = &self.name;
            Err(Error::Unmet(format!("the tool `{name}` {}", otherwise())))
        }
    }
}

impl ToolResult {
    pub(crate) fn read(result: Value) -> Self {
        Self {
            content: items(&result, "content").to_vec(),
            structured: result.get("structuredContent").cloned(),
            is_error: result["isError"] == true,
            raw: result,
        }
    }

    /// The text of all blocks that are text, one to a line.
    #[must_use]
    pub fn text(&self) -> String {
        let texts: Vec<&str> = self
            .content
            .iter()
            .filter(|block| block["type"] == "text")
            .filter_map(|block| block["text"].as_str())
            .collect();
        texts.join("\n")
    }

    /// Fails if the tool did, with what it said.
    pub fn expect_success(&self) -> Result<&Self, Error> {
        if self.is_error {
            let said = self.text();
            Err(Error::Unmet(format!("the tool failed: {said}")))
        } else {
            Ok(self)
        }
    }

    /// Fails unless the tool did.
    pub fn expect_failure(&self) -> Result<&Self, Error> {
        if self.is_error {
            Ok(self)
        } else {
            let expected = "the tool succeeded, expected a result with `isError`";
            Err(Error::Unmet(expected.to_owned()))
        }
    }
}
