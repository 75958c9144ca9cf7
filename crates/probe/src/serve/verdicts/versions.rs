//! What a client makes of versions that it cannot speak.

use std::time::Duration;

use mcp_assay::Revision;
use mcp_assay::model::Fact;

use super::Verdict;
use crate::findings::Outcome;
use crate::serve::script::Call;

/// So much later has a message been sent in knowledge of another.
const KNOWN: Duration = Duration::from_millis(100);

impl Verdict<'_> {
    pub(super) fn unknown_version(&mut self) {
        const ID: &str = "version/disconnect-on-unsupported";
        let seen = &self.scene.seen;
        let Some(greeting) = seen.calls.iter().find(|call| call.method == "initialize") else {
            return;
        };
        let (talk, at) = (greeting.talk, greeting.at);
        let call = seen
            .calls
            .iter()
            .find(|call| call.is_feature)
            .map(|call| (call.at, call.method.clone()));
        let notice = seen
            .notices
            .iter()
            .find(|(.., method)| method == "notifications/initialized")
            .map(|(_, at, method)| (*at, method.clone()));
        match notice.or(call) {
            Some((next, method)) => {
                let message = format!(
                    "the client went on with `{method}` although it cannot know the version of the answer"
                );
                self.fail(ID, message, talk, &[at, at + 1, next]);
            }
            None => self.pass(ID),
        }
    }

    pub(super) fn other_version(&mut self) {
        const ID: &str = "version/retry-with-supported";
        let scene = self.scene;
        let time = |call: &Call| self.record(call.talk, call.at).map(|record| record.time);
        let version =
            |call: &Call| call.params["_meta"]["io.modelcontextprotocol/protocolVersion"].clone();
        let Some(first) = scene.seen.calls.first() else {
            return;
        };
        let again = scene.seen.calls.iter().skip(1).find(|call| {
            let later = time(call).zip(time(first));
            version(call) == version(first)
                && !version(call).is_null()
                && later.is_some_and(|(call, first)| call > first + KNOWN)
        });
        match again {
            Some(call) => {
                let message = "the client repeated a version that the server had refused";
                self.fail(ID, message, call.talk, &[first.at, first.at + 1, call.at]);
            }
            None => self.pass(ID),
        }
    }

    pub(super) fn odd_code(&mut self) {
        const ID: &str = "version/fallback-not-code-keyed";
        let modern = Revision::latest_with(Fact::Stateless);
        let falls_back = self.habit.is_some_and(|habit| {
            habit
                .calls
                .first()
                .is_some_and(|method| method != "initialize")
        });
        if !falls_back {
            let why = "the client opens with a handshake";
            self.findings
                .add(ID, modern, Outcome::NotApplicable(why.to_owned()));
            return;
        }
        let calls = &self.scene.seen.calls;
        let outcome = if calls.iter().any(|call| call.method == "initialize") {
            Outcome::Pass
        } else {
            let evidence = self
                .scene
                .talks
                .first()
                .map(|talk| talk.records.iter().take(4).cloned().collect());
            Outcome::Fail {
                message: "the client goes back to `initialize` after one error code and gives up after another".to_owned(),
                evidence: evidence.unwrap_or_default(),
            }
        };
        self.findings.add(ID, modern, outcome);
    }
}
