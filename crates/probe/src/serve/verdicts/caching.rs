//! What a client does with answers that it may keep.

use serde_json::Value;

use super::Verdict;
use crate::serve::answers::page;
use crate::serve::lures::REPORT_READS;
use crate::serve::run::Scene;
use crate::serve::script::Call;
use crate::serve::subject::USERS;

impl Verdict<'_> {
    pub(super) fn long_lived(&mut self) {
        const ID: &str = "caching/key-exact";
        let calls = self.scene.seen.calls.iter();
        let lists: Vec<&Call> = calls.filter(|call| call.method == "tools/list").collect();
        let pages = |call: &&Call| page(&call.params) > Some(1);
        match lists.first() {
            _ if !self.habit.is_some_and(|habit| habit.pages) => {
                self.not_observed(ID, "the client asks for first pages only");
            }
            None => self.not_observed(ID, "the client did not list the tools"),
            Some(_) if lists.iter().any(pages) => self.pass(ID),
            Some(first) => {
                let message = "the client asks for the second page of a list, unless it may keep the first: it takes one for the other";
                self.fail(ID, message, first.talk, &[first.at, first.at + 1]);
            }
        }
    }

    /// What the tool was told came from the resource, one time or two.
    pub(super) fn asked_reads(&mut self) {
        const ID: &str = "caching/no-mrtr-results";
        let seen = &self.scene.seen;
        let reports =
            |call: &&Call| call.method == "tools/call" && call.params["name"] == REPORT_READS;
        let report = seen.calls.iter().find(reports);
        let told = |call: &Call| {
            let texts = call.params["arguments"]["texts"].as_array()?;
            let texts: Vec<_> = texts.iter().filter_map(Value::as_str).collect();
            let [first, second] = texts[..] else {
                return None;
            };
            let known = |text: &str| seen.texts.iter().any(|known| known == text);
            (known(first) && known(second)).then_some(first == second)
        };
        match report.and_then(|call| Some((call, told(call)?))) {
            None => {
                let why =
                    "the client was not seen to read the same resource twice, as a tool asks it to";
                self.not_observed(ID, why);
            }
            Some((_, false)) => self.pass(ID),
            Some((call, true)) => {
                let retry = seen.calls.iter().find(|call| {
                    call.method == "resources/read" && call.params.get("inputResponses").is_some()
                });
                let mut evidence: Vec<usize> = Vec::new();
                evidence.extend(retry.into_iter().flat_map(|retry| [retry.at, retry.at + 1]));
                evidence.push(call.at);
                let message = "the answer to a retry with `inputResponses` was given out again";
                self.fail(ID, message, call.talk, &evidence);
            }
        }
    }

    /// The second user has to hear for itself what the first one heard.
    pub(super) fn private(&mut self, first: &Scene) {
        const ID: &str = "caching/private-not-shared";
        let second = self.scene;
        let identified = [first, second]
            .iter()
            .zip(USERS)
            .all(|(scene, user)| scene.names(user));
        let asks = |scene: &Scene, method: &str| {
            let mut calls = scene.seen.calls.iter();
            calls.any(|call| call.is_feature && call.method == method)
        };
        let kept = [
            "tools/list",
            "resources/list",
            "prompts/list",
            "resources/templates/list",
            "resources/read",
        ];
        let missing = kept
            .iter()
            .find(|method| asks(first, method) && !asks(second, method));
        let later = second.seen.calls.iter().find(|call| call.is_feature);
        match (missing, later) {
            _ if !identified => {
                let why = "the client does not send the token of its user: `{token}` or `MCP_ASSAY_TOKEN`";
                self.not_observed(ID, why);
            }
            (_, None) => self.not_observed(ID, "the client asks for nothing"),
            (None, Some(_)) => self.pass(ID),
            (Some(method), Some(call)) => {
                let message = format!(
                    "a private answer to `{method}` was kept for another user, who did not ask for it"
                );
                self.fail(ID, message, call.talk, &[call.at]);
            }
        }
    }
}
