//! A step: the connection that it uses, and where it reports what it found.

use std::cell::RefCell;
use std::collections::BTreeSet;

use mcp_assay::Revision;
use serde_json::Value;

use super::answers::ANSWERS;
use super::capability_truthful::TRUTHFUL;
use super::survives::SURVIVES;
use crate::findings::{Findings, Outcome};
use crate::raw_client::{Answer, Client, GivenUp, Reply};
use crate::requirement::{Requirement, Wanted};

/// How long a server that answers nothing is waited for, in steps, before it is said to hang.
const HANG_STEPS: u32 = 2;

/// The lists of a server; read once, used by the steps that follow.
#[derive(Default)]
pub(super) struct Listed {
    pub(super) tools: Vec<Value>,
    pub(super) resources: Vec<Value>,
    pub(super) templates: Vec<Value>,
    pub(super) prompts: Vec<Value>,
    /// Capabilities whose list has changed since, as far as is known.
    pub(super) changed: RefCell<BTreeSet<&'static str>>,
    /// Methods of declared lists that were not read to their end.
    pub(super) unread: Vec<&'static str>,
}

/// The requirements that a step shows, and the step.
pub(crate) struct Probe {
    pub(crate) shows: &'static [&'static Requirement],
    pub(super) moment: Moment,
}

/// The condition under which a step is taken.
#[derive(Clone, Copy)]
pub(super) enum Moment {
    /// In the walk over an open connection.
    Walk(fn(&mut Step<'_, '_>, &Listed)),
    /// In the walk, over HTTP only.
    Http(fn(&mut Step<'_, '_>, &Listed)),
    /// As a part of another step, or between connections: the step is called by its name.
    Elsewhere,
}

impl Probe {
    pub(super) const fn walk(
        shows: &'static [&'static Requirement],
        run: fn(&mut Step<'_, '_>, &Listed),
    ) -> Self {
        let moment = Moment::Walk(run);
        Self { shows, moment }
    }

    pub(super) const fn http(
        shows: &'static [&'static Requirement],
        run: fn(&mut Step<'_, '_>, &Listed),
    ) -> Self {
        let moment = Moment::Http(run);
        Self { shows, moment }
    }

    pub(super) const fn between(shows: &'static [&'static Requirement]) -> Self {
        let moment = Moment::Elsewhere;
        Self { shows, moment }
    }
}

/// One step.
pub(super) struct Step<'a, 'o> {
    pub(super) client: &'a mut Client<'o>,
    pub(super) findings: &'a mut Findings,
    pub(super) wanted: Wanted<'o>,
}

impl Step<'_, '_> {
    pub(super) fn revision(&self) -> Option<Revision> {
        self.client.revision
    }

    pub(super) fn wants(&self, requirements: &[&Requirement]) -> bool {
        self.wanted.any(requirements)
    }

    /// Whether there is no point in going on: no time is left, or the server is gone.
    pub(super) fn is_over(&self) -> bool {
        self.client.options.is_over() || self.client.closed
    }

    pub(super) fn pass(&mut self, requirement: &'static Requirement) {
        let revision = self.client.revision;
        self.findings.add(requirement.id, revision, Outcome::Pass);
    }

    /// The server failed; evidence are numbers of records.
    pub(super) fn fail(
        &mut self,
        requirement: &'static Requirement,
        message: impl Into<String>,
        evidence: &[usize],
    ) {
        self.fail_rule(requirement.id, message, evidence);
    }

    /// The server broke a passive rule in a way that the traffic as a whole no longer shows.
    pub(super) fn fail_rule(
        &mut self,
        id: &'static str,
        message: impl Into<String>,
        evidence: &[usize],
    ) {
        // A server that is no longer heard cannot be blamed for what it does not say.
        if self.client.is_cut_off() {
            return;
        }
        let revision = self.client.revision;
        // Nor one that has ended, which was reported.
        let sent = evidence.first().copied().unwrap_or_default();
        if self.client.end_told.is_some_and(|ended| sent > ended) {
            let outcome = Outcome::NotObserved("the server had ended".to_owned());
            return self.findings.add(id, revision, outcome);
        }
        let evidence = evidence
            .iter()
            .filter_map(|at| self.client.records.get(*at).cloned())
            .collect();
        let message = message.into();
        let outcome = Outcome::Fail { message, evidence };
        self.findings.add(id, revision, outcome);
    }

    pub(super) fn not_applicable(&mut self, requirement: &'static Requirement, why: &str) {
        let outcome = Outcome::NotApplicable(why.to_owned());
        let revision = self.client.revision;
        self.findings.add(requirement.id, revision, outcome);
    }

    pub(super) fn not_observed(&mut self, requirement: &'static Requirement, why: &str) {
        let outcome = Outcome::NotObserved(why.to_owned());
        let revision = self.client.revision;
        self.findings.add(requirement.id, revision, outcome);
    }

    /// An answer has to be an error with one of these codes.
    pub(super) fn expect_code(
        &mut self,
        requirement: &'static Requirement,
        answer: &Answer,
        codes: &[i64],
        what: &str,
    ) -> bool {
        if answer.code().is_some_and(|code| codes.contains(&code)) {
            self.pass(requirement);
            return true;
        }
        // That an answer is missing is a fault of its own, and shows nothing about its code.
        if matches!(answer.reply, Reply::Silence | Reply::Closed) {
            let why = self.why_silent(answer);
            self.not_observed(requirement, &why);
            return false;
        }
        // So was a method that is missing.
        if answer.code() == Some(-32601) && self.misses_method() {
            self.not_observed(requirement, "the method is not there");
            return false;
        }
        // A malformed answer was reported.
        if let Some(sent) = answer.evidence.first()
            && self.client.is_garbled_since(*sent)
        {
            self.not_observed(requirement, "the answer is malformed");
            return false;
        }
        let codes: Vec<_> = codes.iter().map(i64::to_string).collect();
        let message = format!(
            "{what} was answered with {}, expected error {}",
            answer.in_words(),
            codes.join(" or ")
        );
        self.fail(requirement, message, &answer.evidence);
        false
    }

    /// Whether a method behind a declared capability was found to be missing.
    fn misses_method(&self) -> bool {
        let revision = self.client.revision;
        let mut found = self.findings.of(TRUTHFUL.id).iter();
        found.any(|(of, outcome)| *of == revision && matches!(outcome, Outcome::Fail { .. }))
    }

    /// The reason why there is no answer, with the time that was waited.
    pub(super) fn why_silent(&self, answer: &Answer) -> String {
        if self.client.options.is_over() {
            self.client.options.why_over().to_owned()
        } else if answer.reply == Reply::Closed {
            "the server had ended".to_owned()
        } else {
            format!("no answer within {}", self.client.options.step_limit())
        }
    }

    /// A request that any server with these capabilities can serve: silence is a failure of its
    /// own.
    pub(super) fn ask(&mut self, method: &'static str, params: Value) -> Answer {
        let answer = self.client.request(method, params);
        self.note_silence(method, &answer);
        answer
    }

    pub(super) fn note_silence(&mut self, method: &str, answer: &Answer) {
        if self.client.options.is_over() || self.client.is_cut_off() {
            return;
        }
        match answer.reply {
            Reply::Silence if self.client.is_garbled_since(answer.evidence[0]) => {}
            Reply::Silence => {
                let before = self.client.records.len();
                let alive = self.client.is_alive() || self.is_merely_slow(before);
                if self.client.options.is_over() {
                    return;
                }
                if !alive && self.client.is_over() {
                    self.client.closed = true;
                    return self.ended(method, answer);
                }
                let limit = self.client.options.step_limit();
                // A tool may take as long as it needs, and a late answer is one.
                let sent = answer.evidence.first().copied().unwrap_or_default();
                if method == "tools/call" || self.client.is_answered(sent) {
                    let why = format!("`{method}` was not answered within {limit}");
                    return self.not_observed(&ANSWERS, &why);
                }
                let more = if alive {
                    ", while the server answered other requests"
                } else {
                    ", nor was anything after it"
                };
                let message = format!("`{method}` was not answered within {limit}{more}");
                self.fail(&ANSWERS, message, &answer.evidence);
                // Nobody waits for a server that hangs, once for every question.
                if !alive {
                    if !self.client.closed {
                        self.client.given_up = Some(GivenUp::Hangs);
                    }
                    self.client.closed = true;
                }
            }
            Reply::Closed if matches!(self.client.given_up, Some(GivenUp::Hangs)) => {
                let message =
                    format!("`{method}` was not answered: the server reads nothing any more");
                self.fail(&ANSWERS, message, &answer.evidence);
            }
            Reply::Closed => self.ended(method, answer),
            Reply::Result(_) | Reply::Error(..) | Reply::Status(_) => self.pass(&ANSWERS),
        }
    }

    /// Waits for any message of a server that answered nothing in time: a slow one does not hang.
    fn is_merely_slow(&mut self, since: usize) -> bool {
        let patience = self.client.options.step_timeout * HANG_STEPS;
        let says_something = |client: &Client<'_>| client.since(since).next().is_some();
        !self.client.is_http()
            && !self.client.is_over()
            && self.client.wait(patience, says_something)
    }

    /// Reports a server that ended of something that is not answered. One that is busy is not to
    /// blame.
    pub(super) fn check_end(&mut self, method: &str, sent: usize) {
        if self.client.is_alive() || self.client.options.is_over() {
            return;
        }
        if self.client.closed || self.client.is_over() {
            self.client.closed = true;
            let evidence = vec![sent];
            self.ended(
                method,
                &Answer {
                    reply: Reply::Closed,
                    evidence,
                },
            );
        }
    }

    /// Reports once that the server ended: answers missing later mean nothing.
    fn ended(&mut self, method: &str, answer: &Answer) {
        let message = format!("the server ended when `{method}` was sent");
        self.fail(&SURVIVES, message, &answer.evidence);
        if !self.client.is_http() && self.client.end_told.is_none() {
            self.client.end_told = answer.evidence.first().copied();
        }
    }

    /// After something harmful: the server has to answer still.
    pub(super) fn survives(&mut self, after: &str, sent: usize) -> bool {
        if self.client.options.is_over() {
            return false;
        }
        let before = self.client.records.len();
        let alive = self.client.is_alive() || self.is_merely_slow(before);
        if alive {
            self.pass(&SURVIVES);
        } else if !self.client.options.is_over() {
            let how = if self.client.is_over() {
                "ended"
            } else {
                "no longer answers (waited for --step-timeout)"
            };
            let last = self.client.records.len().saturating_sub(1);
            self.fail(
                &SURVIVES,
                format!("the server {how} after {after}"),
                &[sent, last],
            );
            self.client.closed = true;
        }
        alive
    }
}
