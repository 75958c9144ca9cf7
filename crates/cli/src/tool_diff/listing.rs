//! Tools in traffic: results of `tools/list`, page by page.

use std::collections::HashMap;

use mcp_assay::syntax::{Kind, Node};
use mcp_assay::{Checked, MessageKind};
use serde_json::Value;

use super::tools::Tools;

/// The number of sessions that may be in the middle of a list.
const MAX_SESSIONS: usize = 1024;

/// The number of tools that are kept; no server in use has more.
const MAX_TOOLS: usize = 20_000;

/// The tools in the traffic.
#[derive(Debug, Default)]
pub(crate) struct Listing {
    tools: Tools,
    /// Whether the pages read of a session's list began with the first.
    from_start: HashMap<Option<Box<str>>, bool>,
}

impl Listing {
    /// Adds a message.
    pub(crate) fn see(&mut self, session: Option<&str>, checked: &Checked<'_>) {
        let Some(root) = checked.root() else {
            return;
        };
        if checked.kind() == MessageKind::Batch {
            for item in root.items() {
                self.see_one(session, item);
            }
            return;
        }
        if checked.method().as_deref() == Some("tools/list") {
            self.see_one(session, root);
        }
    }

    /// The tools. A list without its last page still shows tools.
    pub(crate) fn into_tools(self) -> Tools {
        self.tools
    }

    /// Adds one message. The method that an answer in a batch answers is not known, but no other
    /// has tools.
    fn see_one(&mut self, session: Option<&str>, message: Node<'_>) {
        if let Some(method) = message.get("method") {
            let cursor = message
                .get("params")
                .and_then(|params| params.get("cursor"));
            if method.is_text("tools/list") && cursor.is_none() {
                self.note(session, true);
            }
            return;
        }
        let Some(result) = message.get("result") else {
            return;
        };
        let Some(tools) = result.get("tools").filter(|it| it.kind() == Kind::Array) else {
            return;
        };
        self.add(tools);
        // If the request was not seen, the answer may be any page.
        let from_start = self.from_start.get(&session.map(Box::from)).copied();
        let is_last = result
            .get("nextCursor")
            .is_none_or(|cursor| cursor.kind() == Kind::Null);
        if is_last {
            self.tools.is_complete |= from_start.unwrap_or(true);
            self.from_start.remove(&session.map(Box::from));
        } else if from_start.is_none() {
            self.note(session, false);
        }
    }

    fn note(&mut self, session: Option<&str>, from_start: bool) {
        if self.from_start.len() >= MAX_SESSIONS {
            self.from_start.clear();
        }
        self.from_start.insert(session.map(Box::from), from_start);
    }

    fn add(&mut self, tools: Node<'_>) {
        for tool in tools.items() {
            if self.tools.len() >= MAX_TOOLS {
                return;
            }
            // A tool that cannot be read as a value is too deep for any schema.
            if let Ok(tool) = serde_json::from_slice::<Value>(tool.raw()) {
                self.tools.add(&tool);
            }
        }
    }
}
