//! What a client makes of odd tools.

use super::Verdict;
use super::how_ended;
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
        let called: Vec<(String, usize, usize)> = self
            .scene
            .seen
            .calls
            .iter()
            .filter(|call| call.method == "tools/call")
            .filter_map(|call| {
                let name = call.params["name"].as_str()?;
                Some((name.to_owned(), call.talk, call.at))
            })
            .collect();
        let usual = self.habit.map_or(0, |habit| {
            habit
                .calls
                .iter()
                .filter(|method| *method == "tools/call")
                .count()
        });
        if let Some((_, talk, at)) = called.iter().find(|(name, ..)| name == "broken") {
            let message = "the client called a tool whose `x-mcp-header` is invalid";
            self.fail(ID, message, *talk, &[*at]);
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
