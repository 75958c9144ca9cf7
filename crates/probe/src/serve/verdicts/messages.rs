//! What a client makes of messages that are odd, late or missing.

use mcp_assay::model::Fact;

use super::Verdict;
use super::in_words;
use crate::record::Record;
use crate::serve::asks::STILL_THERE;
use crate::serve::script::Call;

impl Verdict<'_> {
    /// After something harmful the client has to be there still.
    pub(super) fn harm(&mut self) {
        let asked = &self.scene.seen.asked;
        if !self.scene.revision.has(Fact::ServerRequests) {
            self.went_on("probe/survives", "something that is no message");
            return;
        }
        self.parse_errors();
        if self.habit.is_some_and(|habit| !habit.pings) {
            let why = "the client does not answer `ping`";
            self.not_observed("probe/survives", why);
            self.not_observed("cancel/invalid-ignored", why);
            return;
        }
        for pair in asked.windows(2) {
            let [harm, ping] = pair else { continue };
            if ping.name != STILL_THERE {
                continue;
            }
            let is_cancel = harm.name.starts_with("a cancellation");
            let id = if is_cancel {
                "cancel/invalid-ignored"
            } else {
                "probe/survives"
            };
            if ping.reply.is_some() {
                self.pass(id);
                continue;
            }
            let calls = &self.scene.seen.calls;
            let later = |call: &Call| call.talk == harm.talk && call.at > harm.at;
            if calls.iter().any(later) {
                // It gave up on the request that was open, and went on: it is there, and hears nothing more of this.
                self.pass(id);
                return;
            }
            let how = if ping.in_vain {
                "no longer answers"
            } else {
                "ended"
            };
            let message = format!("the client {how} after {}", harm.name);
            self.fail(id, message, ping.talk, &[harm.at, ping.at]);
            return;
        }
    }

    /// Who answers a text at all has to say what was wrong with it. Who does not cannot know that it was a request.
    fn parse_errors(&mut self) {
        const ID: &str = "jsonrpc/parse-error-reply";
        let scene = self.scene;
        let mut texts = scene.seen.asked.iter().filter(|asked| asked.id.is_none());
        let Some(text) = texts.next().filter(|text| text.name.starts_with("text")) else {
            return;
        };
        let until = texts.next().map_or(usize::MAX, |next| next.at);
        let is_error = |talk: usize, at: usize| {
            let message = self.record(talk, at).and_then(Record::message);
            message.is_some_and(|message| message["id"].is_null() && message["error"].is_object())
        };
        let stray = scene.seen.strays.iter().find(|(talk, at)| {
            *talk == text.talk && (text.at..until).contains(at) && is_error(*talk, *at)
        });
        let Some((talk, at)) = stray else {
            self.not_observed(ID, "the client does not answer what it cannot read");
            return;
        };
        let reply = self.record(*talk, *at).and_then(Record::message);
        let reply = reply.unwrap_or_default();
        if reply["error"]["code"] == -32700 {
            self.pass(ID);
        } else {
            let message = format!(
                "text that is not JSON was answered with {}, expected error -32700",
                in_words(&reply)
            );
            self.fail(ID, message, *talk, &[text.at, *at]);
        }
    }

    pub(super) fn silent(&mut self) {
        const ID: &str = "cancel/stdio-needs-notification";
        let scene = self.scene;
        if !scene.revision.has(Fact::Stateless) || scene.talks.is_empty() {
            return;
        }
        let Some(twisted) = scene.seen.twisted else {
            return;
        };
        let Some(call) = scene.seen.calls.get(twisted - 1) else {
            return;
        };
        let cancelled = scene
            .seen
            .notices
            .iter()
            .any(|(talk, _, method)| *talk == call.talk && method == "notifications/cancelled");
        let again = scene.seen.calls[twisted..].iter().find(|later| {
            let mut params = (later.params.clone(), call.params.clone());
            for params in [&mut params.0, &mut params.1] {
                if let Some(params) = params.as_object_mut() {
                    params.remove("_meta");
                }
            }
            later.talk == call.talk && later.method == call.method && params.0 == params.1
        });
        match (cancelled, again) {
            (true, _) => self.pass(ID),
            (false, Some(again)) => {
                let message = format!(
                    "the client gave up on `{}` and sent it again without cancelling it",
                    call.method
                );
                self.fail(ID, message, call.talk, &[call.at, again.at]);
            }
            (false, None) => {
                self.not_observed(ID, "the client did not give up while it was watched");
            }
        }
    }

    pub(super) fn died(&mut self) {
        const ID: &str = "subscriptions/resubscribe";
        let scene = self.scene;
        if !scene.revision.has(Fact::Subscriptions) {
            return;
        }
        let listens = |talk: usize| {
            let mut calls = scene.seen.calls.iter();
            calls.any(|call| call.talk == talk && call.method == "subscriptions/listen")
        };
        let next = scene.seen.calls.iter().find(|call| call.talk > 0);
        match next {
            _ if !listens(0) => self.not_applicable(ID, "the client does not subscribe"),
            None => self.not_observed(ID, "the client did not connect again"),
            Some(call) if listens(call.talk) => self.pass(ID),
            Some(call) => {
                let message = "the client connected again and did not subscribe again";
                self.fail(ID, message, call.talk, &[call.at]);
            }
        }
    }
}
