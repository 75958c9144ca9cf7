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
    /// The latest complete list.
    complete: Option<Tools>,
    /// Pages of lists that are not complete, by session.
    pages: HashMap<Option<Box<str>>, Pages>,
    /// Pages of lists that never became complete.
    rest: Tools,
    /// The number of tools in `pages`.
    paged: usize,
}

/// The pages of a list so far.
#[derive(Debug, Default)]
struct Pages {
    tools: Tools,
    /// Whether the first page is among them.
    from_start: bool,
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

    /// The latest complete list. If there is none, lists without their last page still show tools.
    pub(crate) fn into_tools(mut self) -> Tools {
        if let Some(complete) = self.complete {
            return complete;
        }
        let sessions: std::collections::BTreeMap<_, _> = self.pages.into_iter().collect();
        for pages in sessions.into_values() {
            self.rest.merge(pages.tools);
        }
        self.rest
    }

    /// Adds one message. The method that an answer in a batch answers is not known, but no other
    /// has tools.
    fn see_one(&mut self, session: Option<&str>, message: Node<'_>) {
        if let Some(method) = message.get("method") {
            let cursor = message
                .get("params")
                .and_then(|params| params.get("cursor"));
            if method.is_text("tools/list") && cursor.is_none() {
                self.begin(session);
            }
            return;
        }
        let Some(result) = message.get("result") else {
            return;
        };
        let Some(tools) = result.get("tools").filter(|it| it.kind() == Kind::Array) else {
            return;
        };
        let is_last = result
            .get("nextCursor")
            .is_none_or(|cursor| cursor.kind() == Kind::Null);
        let key: Option<Box<str>> = session.map(Box::from);
        let mut pages = self.pages.remove(&key).unwrap_or_else(|| Pages {
            // If the request was not seen, the answer may be any page, but the last is often all.
            from_start: is_last,
            ..Pages::default()
        });
        let before = pages.tools.len();
        add(tools, &mut pages.tools);
        self.paged += pages.tools.len() - before;
        if !is_last {
            if self.paged > MAX_TOOLS {
                self.drop_pages();
            }
            self.pages.insert(key, pages);
            return;
        }
        self.paged = self.paged.saturating_sub(pages.tools.len());
        if pages.from_start {
            pages.tools.is_complete = true;
            self.complete = Some(pages.tools);
        } else {
            self.rest.merge(pages.tools);
        }
    }

    /// A session asks for the first page.
    fn begin(&mut self, session: Option<&str>) {
        if self.pages.len() >= MAX_SESSIONS {
            self.drop_pages();
        }
        let pages = Pages {
            from_start: true,
            ..Pages::default()
        };
        if let Some(before) = self.pages.insert(session.map(Box::from), pages) {
            self.paged = self.paged.saturating_sub(before.tools.len());
            if self.complete.is_none() && self.rest.len() < MAX_TOOLS {
                self.rest.merge(before.tools);
            }
        }
    }

    /// Forgets pages: their lists will not count as complete.
    fn drop_pages(&mut self) {
        self.pages.clear();
        self.paged = 0;
    }
}

fn add(listed: Node<'_>, tools: &mut Tools) {
    for tool in listed.items() {
        if tools.len() >= MAX_TOOLS {
            return;
        }
        // A tool that cannot be read as a value is too deep for any schema.
        if let Ok(tool) = serde_json::from_slice::<Value>(tool.raw()) {
            tools.add(&tool);
        }
    }
}
