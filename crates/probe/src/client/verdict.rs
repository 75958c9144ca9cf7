//! The verdict on a played scenario: reads what the client did, and reports it.

use serde_json::Value;

use super::scene::{Habit, Scene};
use crate::findings::{Findings, Outcome};
use crate::record::Record;
use crate::requirement::Requirement;
use crate::serve::Twist;
use crate::serve::oauth::Reach;
use crate::serve::script::{Asked, Call};
use crate::serve::subject::Exit;

/// A played scenario, everything known of the client from others, and where to report.
pub(super) struct Verdict<'a> {
    pub(super) scene: &'a Scene,
    pub(super) twist: Twist,
    /// Its habits when nothing is odd.
    pub(super) habit: Option<&'a Habit>,
    /// How far it goes for a token.
    pub(super) reach: &'a Reach,
    pub(super) findings: &'a mut Findings,
}

impl<'a> Verdict<'a> {
    /// The client has to go on as it usually does.
    pub(super) fn went_on(&mut self, requirement: &'static Requirement, what: &str) {
        match self.goes_on() {
            None => self.not_observed(
                requirement,
                "the client does nothing more where nothing is odd, either",
            ),
            Some(true) => self.pass(requirement),
            Some(false) => {
                let how = how_ended(self.scene.exit);
                self.fail_here(requirement, format!("the client {how} after {what}"));
            }
        }
    }

    /// Something has to be answered with a result.
    pub(super) fn answered(&mut self, name: &str, requirement: &'static Requirement, what: &str) {
        match (self.reply(name), self.asked(name)) {
            (Some((reply, ..)), _) if reply.get("result").is_some() => self.pass(requirement),
            (Some((reply, asked, at)), _) => {
                let message = format!("{what} was answered with {}", in_words(reply));
                self.fail(requirement, message, asked.talk, &[asked.at, at]);
            }
            (None, Some(asked)) => {
                let message = format!("{what} was not answered");
                self.fail(requirement, message, asked.talk, &[asked.at]);
            }
            (None, None) => {}
        }
    }

    /// Whether requests follow what was odd; nothing if none usually do.
    pub(super) fn goes_on(&self) -> Option<bool> {
        let calls = &self.scene.seen.calls;
        let twisted = self.scene.seen.twisted.unwrap_or(calls.len());
        // Further pages of the same list may have been asked for before anybody looked at the
        // first.
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
    pub(super) fn called(&self) -> Vec<&'a Call> {
        let calls = self.scene.seen.calls.iter();
        calls.filter(|call| call.method == "tools/call").collect()
    }

    pub(super) fn asked(&self, name: &str) -> Option<&'a Asked> {
        self.scene
            .seen
            .asked
            .iter()
            .find(|asked| asked.name == name)
    }

    pub(super) fn reply(&self, name: &str) -> Option<(&'a Value, &'a Asked, usize)> {
        let asked = self.asked(name)?;
        let (reply, at) = asked.reply.as_ref()?;
        Some((reply, asked, *at))
    }

    pub(super) fn record(&self, talk: usize, at: usize) -> Option<&'a Record> {
        self.scene.talks.get(talk)?.records.get(at)
    }

    pub(super) fn pass(&mut self, requirement: &'static Requirement) {
        let revision = Some(self.scene.revision);
        self.findings.add(requirement.id, revision, Outcome::Pass);
    }

    pub(super) fn not_applicable(&mut self, requirement: &'static Requirement, why: &str) {
        let outcome = Outcome::NotApplicable(why.to_owned());
        self.findings
            .add(requirement.id, Some(self.scene.revision), outcome);
    }

    pub(super) fn not_observed(&mut self, requirement: &'static Requirement, why: &str) {
        let outcome = Outcome::NotObserved(why.to_owned());
        self.findings
            .add(requirement.id, Some(self.scene.revision), outcome);
    }

    pub(super) fn fail(
        &mut self,
        requirement: &'static Requirement,
        message: impl Into<String>,
        talk: usize,
        at: &[usize],
    ) {
        let evidence = at
            .iter()
            .filter_map(|at| self.record(talk, *at).cloned())
            .collect();
        self.fail_with(requirement, message.into(), evidence);
    }

    /// The odd thing, and what passed after it.
    pub(super) fn since_twist(&self) -> &[Record] {
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
    pub(super) fn fail_last(&mut self, requirement: &'static Requirement, message: String) {
        let after = self.since_twist();
        let (odd, rest) = after.split_at(after.len().min(2));
        let last = rest.get(rest.len().saturating_sub(2)..).unwrap_or_default();
        let evidence = odd.iter().chain(last).cloned().collect();
        self.fail_with(requirement, message, evidence);
    }

    /// The odd thing, and the first that came after it, is the evidence.
    pub(super) fn fail_here(&mut self, requirement: &'static Requirement, message: String) {
        let evidence = self.since_twist().iter().take(4).cloned().collect();
        self.fail_with(requirement, message, evidence);
    }

    pub(super) fn fail_with(
        &mut self,
        requirement: &'static Requirement,
        message: String,
        evidence: Vec<Record>,
    ) {
        let outcome = Outcome::Fail { message, evidence };
        self.findings
            .add(requirement.id, Some(self.scene.revision), outcome);
    }
}

pub(super) fn how_ended(exit: Exit) -> &'static str {
    match exit {
        Exit::Running => "did nothing more",
        Exit::Code(Some(_)) => "ended",
        Exit::Code(None) => "crashed",
    }
}

pub(super) fn in_words(reply: &Value) -> String {
    match reply["error"]["code"].as_i64() {
        Some(code) => format!("error {code}"),
        None if reply.get("result").is_some() => "a result".to_owned(),
        None => "something else".to_owned(),
    }
}
