//! What a client shows while nothing is odd.

use mcp_assay::model::Fact;
use serde_json::Value;

use super::Verdict;
use crate::serve::answers::{DEFAULT, MOST_TOKENS, page};
use crate::serve::script::Call;
use crate::serve::stage::Ending;

impl Verdict<'_> {
    pub(super) fn good(&mut self) {
        let scene = self.scene;
        for talk in &scene.talks {
            const ID: &str = "lifecycle/stdio-shutdown-order";
            match talk.ending {
                Ending::InputClosed => self.pass(ID),
                Ending::Killed if !talk.records.is_empty() => {
                    let message = "the client ended the server without closing its standard input first and waiting";
                    let last = talk.records.last().cloned();
                    self.fail_with(ID, message.to_owned(), last.into_iter().collect());
                }
                _ => self.not_observed(ID, "the client did not end its server"),
            }
        }
        self.pages();
        let form = self.asked("form").and_then(|asked| asked.reply.as_ref());
        if let Some((reply, at)) = form {
            let talk = self.asked("form").map_or(0, |asked| asked.talk);
            self.defaults(&reply["result"], talk, *at);
        }
        let retry = scene
            .seen
            .calls
            .iter()
            .find(|call| call.params.get("inputResponses").is_some());
        if let Some(call) = retry {
            let responses = &call.params["inputResponses"];
            if let Some(city) = responses.get("city") {
                self.defaults(city, call.talk, call.at);
            }
            if let Some(hello) = responses.get("hello") {
                self.tokens(hello, call);
            }
        }
    }

    fn pages(&mut self) {
        const SIZE: &str = "pagination/no-assumed-page-size";
        const EMPTY: &str = "pagination/empty-cursor-is-cursor";
        let calls = &self.scene.seen.calls;
        let lists: Vec<&Call> = calls
            .iter()
            .filter(|call| call.method == "tools/list" && call.is_feature)
            .collect();
        let Some(last) = lists.iter().max_by_key(|call| page(&call.params)) else {
            return;
        };
        let reached = page(&last.params).unwrap_or_default();
        let (talk, at) = (last.talk, last.at);
        let modern = self.scene.revision.has(Fact::Stateless);
        let unpaged = "the client asks for first pages only";
        match reached {
            0 | 1 => {
                self.not_observed(SIZE, unpaged);
                self.not_observed(EMPTY, unpaged);
            }
            2 => {
                let message =
                    "the client stopped at an empty page although there is a `nextCursor`";
                self.fail(SIZE, message, talk, &[at, at + 1]);
            }
            3 if modern => {
                self.pass(SIZE);
                let message = "the client stopped at a page whose `nextCursor` is the empty string";
                self.fail(EMPTY, message, talk, &[at, at + 1]);
            }
            _ => {
                self.pass(SIZE);
                self.pass(EMPTY);
            }
        }
    }

    fn defaults(&mut self, answer: &Value, talk: usize, at: usize) {
        const ID: &str = "elicitation/defaults-prefilled";
        if answer["action"] != "accept" {
            self.not_observed(ID, "the form was not accepted");
            return;
        }
        match &answer["content"]["city"] {
            Value::Null => {
                let message = "a form was accepted without the field that has a default";
                self.fail(ID, message, talk, &[at]);
            }
            Value::String(city) if city == DEFAULT => self.pass(ID),
            _ => self.not_observed(ID, "the field was filled in with something else"),
        }
    }

    fn tokens(&mut self, answer: &Value, call: &Call) {
        const ID: &str = "sampling/max-tokens";
        let text = answer["content"]["text"].as_str().unwrap_or_default();
        // A word is at least one token.
        let words = text.split_whitespace().count();
        if words > MOST_TOKENS {
            let message = format!("`maxTokens` {MOST_TOKENS} was answered with {words} words");
            self.fail(ID, message, call.talk, &[call.at]);
        } else {
            self.pass(ID);
        }
    }
}
