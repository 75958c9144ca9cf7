//! What a client makes of odd tools.

use serde_json::Value;

use super::Verdict;
use super::how_ended;
use crate::serve::lures::{SHOW_RESULT, SHOW_SCHEMA, UNRESOLVED, keyword_schema};
use crate::serve::script::Call;
use crate::serve::subject::Exit;

impl Verdict<'_> {
    pub(super) fn odd_dialect(&mut self) {
        const ID: &str = "schema/unknown-dialect-error";
        match (self.goes_on(), self.scene.exit) {
            (None, _) => {
                self.not_observed(ID, "the client does nothing after it has listed the tools");
            }
            // A client that ends with an error has told its user.
            (Some(true), _) | (_, Exit::Code(Some(1..))) => self.pass(ID),
            (Some(false), exit) => {
                let how = how_ended(exit);
                let message =
                    format!("the client {how} after a tool whose schema is in an unknown dialect");
                self.fail_here(ID, message);
            }
        }
    }

    pub(super) fn network_ref(&mut self) {
        const ID: &str = "schema/no-network-ref";
        let lists = |call: &Call| call.method == "tools/list";
        if let Some(path) = self.scene.seen.lured.first() {
            let message =
                format!("a `$ref` in the schema of a tool made the client fetch `{path}`");
            self.fail_here(ID, message);
        } else if self.scene.seen.calls.iter().any(lists) {
            self.pass(ID);
        }
        self.unresolved_ref();
    }

    /// Who calls a tool whose schema cannot be evaluated takes it for one that allows everything.
    fn unresolved_ref(&mut self) {
        const ID: &str = "schema/unresolved-ref-rejected";
        let called = self.called();
        let odd = called.iter().find(|call| call.params["name"] == UNRESOLVED);
        match odd {
            Some(call) => {
                let message =
                    "the client called a tool whose schema is a `$ref` that it did not resolve";
                self.fail(ID, message, call.talk, &[call.at]);
            }
            None if called.len() < 2 => {
                self.not_observed(ID, "the client does not call every tool");
            }
            None => self.pass(ID),
        }
    }

    /// Who goes on may have turned the result down quietly: it has to show it.
    pub(super) fn dialect(&mut self) {
        const ID: &str = "schema/dialect-2020-12";
        let shown = self.called().into_iter().any(|call| {
            call.params["name"] == SHOW_RESULT
                && call.params["arguments"]["result"]["terms"].is_array()
        });
        match self.goes_on() {
            _ if shown => self.pass(ID),
            Some(false) => {
                let how = how_ended(self.scene.exit);
                let what = "structured content that fits its schema in the dialect 2020-12 and in no older one";
                self.fail_here(ID, format!("the client {how} after {what}"));
            }
            _ => self.not_observed(
                ID,
                "the client does not show the result that a tool asks for",
            ),
        }
    }

    /// What became of a schema that the client was asked to show.
    pub(super) fn keywords(&mut self) {
        const ID: &str = "schema/keywords-preserved";
        let called = self.called();
        let shown = called
            .iter()
            .find(|call| call.params["name"] == SHOW_SCHEMA);
        let shown = shown.filter(|call| {
            let schema = &call.params["arguments"]["schema"];
            schema["type"] == "object" && schema["properties"].is_object()
        });
        let Some(call) = shown else {
            self.not_observed(
                ID,
                "the client does not show the schema that a tool asks for",
            );
            return;
        };
        let mut lost = Vec::new();
        find_lost(
            &keyword_schema(),
            &call.params["arguments"]["schema"],
            &mut lost,
        );
        let (talk, at) = (call.talk, call.at);
        if lost.is_empty() {
            self.pass(ID);
        } else {
            let message = format!("the schema of a tool lost {}", lost.join(", "));
            self.fail(ID, message, talk, &[at]);
        }
    }

    pub(super) fn hostile_schema(&mut self) {
        const ID: &str = "schema/bounded-validation";
        match (self.goes_on(), self.scene.exit) {
            (None, _) => {
                self.not_observed(ID, "the client does nothing after it has listed the tools");
            }
            (Some(_), Exit::Code(Some(_))) => self.pass(ID),
            (Some(true), Exit::Running)
                if self.habit.is_some_and(|habit| habit.exit == Exit::Running) =>
            {
                self.pass(ID);
            }
            (_, exit) => {
                let how = how_ended(exit);
                let message =
                    format!("the client {how} after a schema that takes for ever to evaluate");
                self.fail_last(ID, message);
            }
        }
    }

    pub(super) fn bad_header(&mut self) {
        const ID: &str = "tools/x-mcp-header-invalid-dropped";
        let called = self.called();
        let usual = self.habit.map_or(0, |habit| {
            habit
                .calls
                .iter()
                .filter(|method| *method == "tools/call")
                .count()
        });
        if let Some(call) = called.iter().find(|call| call.params["name"] == "broken") {
            let message = "the client called a tool whose `x-mcp-header` is invalid";
            self.fail(ID, message, call.talk, &[call.at]);
        } else if usual < 2 {
            self.not_observed(ID, "the client does not call every tool");
        } else if called.is_empty() {
            self.fail_here(
                ID,
                "the client called no tool any more after one had an invalid `x-mcp-header`"
                    .to_owned(),
            );
        } else {
            self.pass(ID);
        }
    }
}

/// The keywords that one has and the other has not, or has otherwise; what is within a lost one is lost with it.
fn find_lost(ours: &Value, theirs: &Value, lost: &mut Vec<String>) {
    for (keyword, value) in ours.as_object().into_iter().flatten() {
        match theirs.get(keyword) {
            Some(kept) if value.is_object() => find_lost(value, kept, lost),
            Some(kept) if kept == value => {}
            _ => lost.push(format!("`{keyword}`")),
        }
    }
}
