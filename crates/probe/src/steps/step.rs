//! Where a step stands: the connection it uses, and where it says what it found.

use mcp_assay::Revision;
use serde_json::Value;

use crate::client::{Answer, Client, GivenUp, Reply};
use crate::findings::{Findings, Outcome};

/// One step.
pub(crate) struct Step<'a, 'o> {
    pub(crate) client: &'a mut Client<'o>,
    pub(crate) findings: &'a mut Findings,
}

impl Step<'_, '_> {
    pub(crate) fn revision(&self) -> Option<Revision> {
        self.client.revision
    }

    pub(crate) fn wants(&self, ids: &[&str]) -> bool {
        self.client.options.wants_any(ids)
    }

    /// Whether there is no point in going on: no time is left, or the server is gone.
    pub(crate) fn is_over(&self) -> bool {
        self.client.options.is_over() || self.client.closed
    }

    pub(crate) fn pass(&mut self, id: &'static str) {
        self.findings.add(id, self.client.revision, Outcome::Pass);
    }

    /// The server failed; evidence are numbers of records.
    pub(crate) fn fail(
        &mut self,
        id: &'static str,
        message: impl Into<String>,
        evidence: &[usize],
    ) {
        // A server that is no longer heard cannot be blamed for what it does not say.
        if self.client.is_cut_off() {
            return;
        }
        // Nor one that has ended, which was told.
        let sent = evidence.first().copied().unwrap_or_default();
        if self.client.end_told.is_some_and(|ended| sent > ended) {
            return self.not_observed(id, "the server had ended");
        }
        let evidence = evidence
            .iter()
            .filter_map(|at| self.client.records.get(*at).cloned())
            .collect();
        let message = message.into();
        self.findings.add(
            id,
            self.client.revision,
            Outcome::Fail { message, evidence },
        );
    }

    pub(crate) fn not_applicable(&mut self, id: &'static str, why: &str) {
        let outcome = Outcome::NotApplicable(why.to_owned());
        self.findings.add(id, self.client.revision, outcome);
    }

    pub(crate) fn not_observed(&mut self, id: &'static str, why: &str) {
        let outcome = Outcome::NotObserved(why.to_owned());
        self.findings.add(id, self.client.revision, outcome);
    }

    /// An answer has to be an error with one of these codes.
    pub(crate) fn expect_code(
        &mut self,
        id: &'static str,
        answer: &Answer,
        codes: &[i64],
        what: &str,
    ) -> bool {
        if answer.code().is_some_and(|code| codes.contains(&code)) {
            self.pass(id);
            return true;
        }
        // When time is up, silence means nothing.
        if self.client.options.is_over() && answer.reply == Reply::Silence {
            self.not_observed(id, "time was up");
            return false;
        }
        // What is wrong with the answer itself was told.
        if let Some(sent) = answer.evidence.first()
            && self.client.is_garbled_since(*sent)
        {
            self.not_observed(id, "the answer is malformed");
            return false;
        }
        let codes: Vec<_> = codes.iter().map(i64::to_string).collect();
        let message = format!(
            "{what} was answered with {}, expected error {}",
            answer.in_words(),
            codes.join(" or ")
        );
        self.fail(id, message, &answer.evidence);
        false
    }

    /// A request that any server with these capabilities can serve: silence is a failure of its own.
    pub(crate) fn ask(&mut self, method: &'static str, params: Value) -> Answer {
        let answer = self.client.request(method, params);
        self.note_silence(method, &answer);
        answer
    }

    pub(crate) fn note_silence(&mut self, method: &str, answer: &Answer) {
        if self.client.options.is_over() || self.client.is_cut_off() {
            return;
        }
        match answer.reply {
            Reply::Silence if self.client.is_garbled_since(answer.evidence[0]) => {}
            Reply::Silence => {
                let alive = self.client.is_alive();
                if self.client.options.is_over() {
                    return;
                }
                if !alive && self.client.is_over() {
                    self.client.closed = true;
                    return self.ended(method, answer);
                }
                let more = if alive {
                    ""
                } else {
                    ", nor was anything after it"
                };
                let message = format!(
                    "`{method}` was not answered within {:?}{more}",
                    self.client.options.step_timeout
                );
                self.fail("probe/answers", message, &answer.evidence);
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
                self.fail("probe/answers", message, &answer.evidence);
            }
            Reply::Closed => self.ended(method, answer),
            Reply::Result(_) | Reply::Error(..) | Reply::Status(_) => self.pass("probe/answers"),
        }
    }

    /// The server ended, which is told once: what is asked of it later means nothing.
    fn ended(&mut self, method: &str, answer: &Answer) {
        let message = format!("the server ended when `{method}` was sent");
        self.fail("probe/survives", message, &answer.evidence);
        if !self.client.is_http() && self.client.end_told.is_none() {
            self.client.end_told = answer.evidence.first().copied();
        }
    }

    /// After something harmful: the server has to answer still.
    pub(crate) fn survives(&mut self, after: &str, sent: usize) -> bool {
        if self.client.options.is_over() {
            return false;
        }
        let alive = self.client.is_alive();
        if alive {
            self.pass("probe/survives");
        } else if !self.client.options.is_over() {
            let how = if self.client.is_over() {
                "ended"
            } else {
                "no longer answers"
            };
            let last = self.client.records.len().saturating_sub(1);
            self.fail(
                "probe/survives",
                format!("the server {how} after {after}"),
                &[sent, last],
            );
            self.client.closed = true;
        }
        alive
    }
}
