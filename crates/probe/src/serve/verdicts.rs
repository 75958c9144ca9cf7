//! What each scenario shows about the requirements that only it can show.

mod auth;
mod caching;
mod good;
mod messages;
mod requests;
mod schemas;
mod tasks;
mod versions;

use serde_json::Value;

use super::oauth::Reach;
use super::run::{Habit, Scene};
use super::scenarios::{Scenario, Twist};
use super::script::{Asked, Call};
use super::subject::Exit;
use crate::findings::{Findings, Outcome};
use crate::record::Record;

/// What is known of a client from other scenarios.
#[derive(Clone, Copy)]
pub(super) struct Known<'a> {
    /// What it does when nothing is odd.
    pub(super) habit: Option<&'a Habit>,
    /// How far it goes for a token.
    pub(super) reach: &'a Reach,
}

/// Says what a scenario showed.
pub(super) fn give(scenario: &Scenario, scene: &Scene, known: Known<'_>, findings: &mut Findings) {
    let mut verdict = Verdict {
        scene,
        habit: known.habit,
        reach: known.reach,
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
            verdict.answered("batch", "jsonrpc/batch-accepted", "the `ping` in a batch");
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
        Twist::Guarded(guard) => verdict.guarded(guard),
        Twist::Refusal => verdict.refused_sampling(),
        Twist::Tasks => verdict.tasks(),
        Twist::Keywords => verdict.keywords(),
        Twist::Dialect => verdict.dialect(),
        Twist::LongLived => verdict.long_lived(),
        Twist::AskedReads => verdict.asked_reads(),
        // What they show, the rules that are always in force see, or two of them together.
        Twist::RefusedInitialize
        | Twist::Errors
        | Twist::Slow
        | Twist::Resume
        | Twist::Expired
        | Twist::Private => {}
    }
}

/// Says what two users showed, one after the other.
pub(super) fn give_private(users: [&Scene; 2], known: Known<'_>, findings: &mut Findings) {
    let [first, scene] = users;
    let mut verdict = Verdict {
        scene,
        habit: known.habit,
        reach: known.reach,
        findings,
    };
    verdict.private(first);
}

struct Verdict<'a> {
    scene: &'a Scene,
    habit: Option<&'a Habit>,
    reach: &'a Reach,
    findings: &'a mut Findings,
}

impl<'a> Verdict<'a> {
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

    /// The calls of tools.
    fn called(&self) -> Vec<&'a Call> {
        let calls = self.scene.seen.calls.iter();
        calls.filter(|call| call.method == "tools/call").collect()
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

    /// The odd thing, and what passed after it.
    fn since_twist(&self) -> &[Record] {
        let seen = &self.scene.seen;
        let twisted = seen.twisted.map(|twisted| twisted.saturating_sub(1));
        let Some(call) = twisted.and_then(|twisted| seen.calls.get(twisted)) else {
            return &[];
        };
        let talk = self.scene.talks.get(call.talk);
        talk.and_then(|talk| talk.records.get(call.at..))
            .unwrap_or_default()
    }

    /// The odd thing, and the last that passed after it, is the evidence.
    fn fail_last(&mut self, id: &'static str, message: String) {
        let after = self.since_twist();
        let (odd, rest) = after.split_at(after.len().min(2));
        let last = rest.get(rest.len().saturating_sub(2)..).unwrap_or_default();
        let evidence = odd.iter().chain(last).cloned().collect();
        self.fail_with(id, message, evidence);
    }

    /// The odd thing, and the first that came after it, is the evidence.
    fn fail_here(&mut self, id: &'static str, message: String) {
        let evidence = self.since_twist().iter().take(4).cloned().collect();
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
