//! What each scenario shows about the requirements that only it can show.

use mcp_assay::Revision;
use mcp_assay::model::Fact;
use serde_json::Value;

use super::answers::{DEFAULT, MOST_TOKENS, page};
use super::asks::STILL_THERE;
use super::run::{Habit, Scene};
use super::scenarios::{Scenario, Twist};
use super::script::{Asked, Call};
use super::stage::Ending;
use super::subject::Exit;
use crate::findings::{Findings, Outcome};
use crate::record::Record;

/// So much later has a message been sent in knowledge of another.
const KNOWN: std::time::Duration = std::time::Duration::from_millis(100);

/// Says what a scenario showed.
pub(super) fn give(
    scenario: &Scenario,
    scene: &Scene,
    habit: Option<&Habit>,
    findings: &mut Findings,
) {
    let mut verdict = Verdict {
        scene,
        habit,
        findings,
    };
    match scenario.twist {
        Twist::Nothing => verdict.good(),
        Twist::Undeclared => verdict.undeclared(),
        Twist::Modes => verdict.modes(),
        Twist::OddRequests => verdict.odd_requests(),
        Twist::EarlyPing => verdict.answered(
            "early ping",
            "ping/any-phase",
            "`ping` before the answer to `initialize`",
        ),
        Twist::Batch => {
            verdict.answered("batch", "jsonrpc/batch-accepted", "the `ping` in a batch")
        }
        Twist::Garbage | Twist::Stray => verdict.harm(),
        Twist::UnknownVersion => verdict.unknown_version(),
        Twist::Silent => verdict.silent(),
        Twist::Dies => verdict.died(),
        Twist::Streams => verdict.went_on("http/client-reads-both", "an answer that is a stream"),
        Twist::OddDialect => verdict.odd_dialect(),
        Twist::NetworkRef => verdict.network_ref(),
        Twist::HostileSchema => verdict.hostile_schema(),
        Twist::BadHeader => verdict.bad_header(),
        Twist::NoResultType => verdict.went_on(
            "response/absent-result-type-is-complete",
            "a result without `resultType`",
        ),
        Twist::OtherVersion => verdict.other_version(),
        Twist::OddCode => verdict.odd_code(),
        // What they show, the rules that are always in force see.
        Twist::RefusedInitialize | Twist::Errors | Twist::Slow | Twist::Resume | Twist::Expired => {
        }
    }
}

struct Verdict<'a> {
    scene: &'a Scene,
    habit: Option<&'a Habit>,
    findings: &'a mut Findings,
}

impl<'a> Verdict<'a> {
    fn good(&mut self) {
        let scene = self.scene;
        for talk in &scene.talks {
            const ID: &str = "lifecycle/stdio-shutdown-order";
            match talk.ending {
                Ending::InputClosed => self.pass(ID),
                Ending::Killed if !talk.records.is_empty() => {
                    let message =
                        "the client ended the server without closing its standard input first";
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

    fn undeclared(&mut self) {
        for (name, method, id) in [
            ("roots", "roots/list", "roots/unsupported-reply"),
            (
                "sampling",
                "sampling/createMessage",
                "capability/undeclared-method-reply",
            ),
            (
                "form",
                "elicitation/create",
                "capability/undeclared-method-reply",
            ),
        ] {
            const DECLARE: &str = "capability/declare-client-features";
            let Some((reply, asked, at)) = self.reply(name) else {
                if self.asked(name).is_none() {
                    self.not_applicable(id, "the client declares the capability");
                }
                continue;
            };
            let (talk, evidence) = (asked.talk, [asked.at, at]);
            let is_empty = reply["result"]["roots"]
                .as_array()
                .is_some_and(Vec::is_empty);
            if reply["error"]["code"] == -32601 {
                self.pass(id);
                self.pass(DECLARE);
            } else if reply.get("result").is_some() && !is_empty {
                let message =
                    format!("`{method}` was answered although the capability was not declared");
                self.fail(DECLARE, message, talk, &evidence);
            } else {
                let message = format!(
                    "`{method}`, whose capability was not declared, was answered with {}, expected error -32601",
                    in_words(reply)
                );
                self.fail(id, message, talk, &evidence);
            }
        }
    }

    fn modes(&mut self) {
        const TOOLS: &str = "sampling/undeclared-tools-error";
        match self.reply("sampling tools") {
            Some((reply, asked, at)) if reply.get("result").is_some() => {
                let message = "a sampling request with tools was answered with a result although `sampling.tools` was not declared";
                self.fail(TOOLS, message, asked.talk, &[asked.at, at]);
            }
            Some(_) => self.pass(TOOLS),
            None if self.asked("sampling tools").is_none() => {
                self.not_applicable(TOOLS, "the client declares no sampling, or tools with it");
            }
            None => {}
        }
        const MODE: &str = "elicitation/undeclared-mode-reply";
        match self.reply("undeclared url") {
            Some((reply, asked, at)) if reply["error"]["code"] != -32602 => {
                let message = format!(
                    "an elicitation in the mode `url`, which was not declared, was answered with {}, expected error -32602",
                    in_words(reply)
                );
                self.fail(MODE, message, asked.talk, &[asked.at, at]);
            }
            Some(_) => self.pass(MODE),
            None if self.asked("undeclared url").is_none() => {
                self.not_applicable(MODE, "the client declares no elicitation, or that mode");
            }
            None => {}
        }
        const FETCH: &str = "elicitation/no-prefetch";
        let Some(name) = ["url", "undeclared url"]
            .into_iter()
            .find(|name| self.asked(name).is_some())
        else {
            self.not_applicable(FETCH, "the client declares no elicitation");
            return;
        };
        let agreed = self
            .reply(name)
            .is_some_and(|(reply, ..)| reply["result"]["action"] == "accept");
        match (self.scene.seen.lured.is_empty(), agreed) {
            (true, _) => self.pass(FETCH),
            (false, true) => {
                self.not_observed(FETCH, "the address was fetched, and the user agreed")
            }
            (false, false) => {
                let message =
                    "the address of an elicitation was fetched although nobody agreed to it";
                let (talk, at) = self
                    .asked(name)
                    .map_or((0, 0), |asked| (asked.talk, asked.at));
                self.fail(FETCH, message, talk, &[at]);
            }
        }
    }

    fn odd_requests(&mut self) {
        for (name, id, code, what) in [
            (
                "unknown method",
                "jsonrpc/unknown-method-reply",
                -32601,
                "a request for a method that does not exist",
            ),
            (
                "bad params",
                "jsonrpc/invalid-params-reply",
                -32602,
                "a request whose params do not fit",
            ),
        ] {
            let Some((reply, asked, at)) = self.reply(name) else {
                if self.asked(name).is_none() {
                    self.not_applicable(id, "the client takes no requests with params");
                }
                continue;
            };
            if reply["error"]["code"] == code {
                self.pass(id);
            } else {
                let message = format!(
                    "{what} was answered with {}, expected error {code}",
                    in_words(reply)
                );
                self.fail(id, message, asked.talk, &[asked.at, at]);
            }
        }
    }

    /// Something has to be answered with a result.
    fn answered(&mut self, name: &str, id: &'static str, what: &str) {
        match (self.reply(name), self.asked(name)) {
            (Some((reply, ..)), _) if reply.get("result").is_some() => self.pass(id),
            (Some((reply, asked, at)), _) => {
                let message = format!("{what} was answered with {}", in_words(reply));
                self.fail(id, message, asked.talk, &[asked.at, at]);
            }
            (None, Some(asked)) => {
                let message = format!("{what} was not answered");
                self.fail(id, message, asked.talk, &[asked.at]);
            }
            (None, None) => {}
        }
    }

    /// After something harmful the client has to be there still.
    fn harm(&mut self) {
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
        let reply = self.record(*talk, *at).and_then(|record| record.message());
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

    fn unknown_version(&mut self) {
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

    fn silent(&mut self) {
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
                self.not_observed(ID, "the client did not give up while it was watched")
            }
        }
    }

    fn died(&mut self) {
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

    fn odd_dialect(&mut self) {
        const ID: &str = "schema/unknown-dialect-error";
        match (self.goes_on(), self.scene.exit) {
            (None, _) => {
                self.not_observed(ID, "the client does nothing after it has listed the tools")
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

    fn network_ref(&mut self) {
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

    fn hostile_schema(&mut self) {
        const ID: &str = "schema/bounded-validation";
        match (self.goes_on(), self.scene.exit) {
            (None, _) => {
                self.not_observed(ID, "the client does nothing after it has listed the tools")
            }
            (Some(_), Exit::Code(Some(_))) => self.pass(ID),
            (Some(true), Exit::Running)
                if self.habit.is_some_and(|habit| habit.exit == Exit::Running) =>
            {
                self.pass(ID)
            }
            (_, exit) => {
                let how = how_ended(exit);
                let message =
                    format!("the client {how} after a schema that takes for ever to evaluate");
                self.fail_here(ID, message);
            }
        }
    }

    fn bad_header(&mut self) {
        const ID: &str = "tools/x-mcp-header-invalid-dropped";
        let names = |scene: &Scene| -> Vec<(String, usize, usize)> {
            let calls = scene.seen.calls.iter();
            calls
                .filter(|call| call.method == "tools/call")
                .filter_map(|call| {
                    Some((call.params["name"].as_str()?.to_owned(), call.talk, call.at))
                })
                .collect()
        };
        let called = names(self.scene);
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

    fn other_version(&mut self) {
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

    fn odd_code(&mut self) {
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

    /// The client has to go on as it usually does.
    fn went_on(&mut self, id: &'static str, what: &str) {
        match self.goes_on() {
            None => self.not_observed(
                id,
                "the client does nothing more where nothing is odd, either",
            ),
            Some(true) => self.pass(id),
            Some(false) => {
                let how = how_ended(self.scene.exit);
                self.fail_here(id, format!("the client {how} after {what}"));
            }
        }
    }

    /// Whether requests follow what was odd; nothing if none usually do.
    fn goes_on(&self) -> Option<bool> {
        let calls = &self.scene.seen.calls;
        let twisted = self.scene.seen.twisted.unwrap_or(calls.len());
        // Further pages of the same list may have been asked for before anybody looked at the first.
        let same = twisted.checked_sub(1).and_then(|at| calls.get(at));
        let is_other = |method: &str| same.is_none_or(|same| same.method != method);
        let usual = self.habit.map_or(&[][..], |habit| &habit.calls);
        let usual = usual.iter().skip(twisted);
        let mut after = calls.iter().skip(twisted);
        usual
            .into_iter()
            .any(|method| is_other(method))
            .then(|| after.any(|call| is_other(&call.method)))
    }

    fn asked(&self, name: &str) -> Option<&'a Asked> {
        self.scene
            .seen
            .asked
            .iter()
            .find(|asked| asked.name == name)
    }

    fn reply(&self, name: &str) -> Option<(&'a Value, &'a Asked, usize)> {
        let asked = self.asked(name)?;
        let (reply, at) = asked.reply.as_ref()?;
        Some((reply, asked, *at))
    }

    fn record(&self, talk: usize, at: usize) -> Option<&'a Record> {
        self.scene.talks.get(talk)?.records.get(at)
    }

    fn pass(&mut self, id: &'static str) {
        self.findings
            .add(id, Some(self.scene.revision), Outcome::Pass);
    }

    fn not_applicable(&mut self, id: &'static str, why: &str) {
        let outcome = Outcome::NotApplicable(why.to_owned());
        self.findings.add(id, Some(self.scene.revision), outcome);
    }

    fn not_observed(&mut self, id: &'static str, why: &str) {
        let outcome = Outcome::NotObserved(why.to_owned());
        self.findings.add(id, Some(self.scene.revision), outcome);
    }

    fn fail(&mut self, id: &'static str, message: impl Into<String>, talk: usize, at: &[usize]) {
        let evidence = at
            .iter()
            .filter_map(|at| self.record(talk, *at).cloned())
            .collect();
        self.fail_with(id, message.into(), evidence);
    }

    /// The odd thing, and all that came after it, is the evidence.
    fn fail_here(&mut self, id: &'static str, message: String) {
        let seen = &self.scene.seen;
        let call = seen
            .twisted
            .and_then(|twisted| seen.calls.get(twisted.saturating_sub(1)));
        let evidence = call.map_or(Vec::new(), |call| {
            let records = self
                .scene
                .talks
                .get(call.talk)
                .map(|talk| &talk.records[..]);
            records
                .unwrap_or_default()
                .iter()
                .skip(call.at)
                .take(4)
                .cloned()
                .collect()
        });
        self.fail_with(id, message, evidence);
    }

    fn fail_with(&mut self, id: &'static str, message: String, evidence: Vec<Record>) {
        let outcome = Outcome::Fail { message, evidence };
        self.findings.add(id, Some(self.scene.revision), outcome);
    }
}

fn how_ended(exit: Exit) -> &'static str {
    match exit {
        Exit::Running => "did nothing more",
        Exit::Code(Some(_)) => "ended",
        Exit::Code(None) => "crashed",
    }
}

fn in_words(reply: &Value) -> String {
    match reply["error"]["code"].as_i64() {
        Some(code) => format!("error {code}"),
        None if reply.get("result").is_some() => "a result".to_owned(),
        None => "something else".to_owned(),
    }
}
