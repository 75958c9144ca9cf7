//! Checks parts of exchanges, each in its session.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use mcp_assay::{Frame, Http, Session};
use mcp_assay_live::deferred::Work;
use mcp_assay_live::guard::{Decision, Mode};
use mcp_assay_live::http::{CheckedPart, header_pairs};

use super::{Numbered, Task};
use crate::capture::Gap;
use crate::gateway::metrics::Metrics;
use crate::live::Judge;

/// Checks traffic.
pub(super) struct Checker {
    judge: Judge,
    sessions: HashMap<u64, Box<Session>>,
    /// The newest session; an older one that is not there is over.
    newest: u64,
    /// Stands for a session that is over, in which somebody still speaks.
    over: Session,
    metrics: Arc<Metrics>,
}

impl Checker {
    pub(super) fn new(judge: Judge, metrics: Arc<Metrics>) -> Self {
        Self {
            judge,
            sessions: HashMap::new(),
            newest: 0,
            over: Session::new(),
            metrics,
        }
    }

    /// Checks a part of an exchange. In `shadow` nobody needs the result.
    pub(super) fn check(&mut self, numbered: &Numbered) -> Option<CheckedPart> {
        let seen = &numbered.seen;
        if seen.session > self.newest {
            self.newest = seen.session;
            self.sessions.insert(seen.session, Box::default());
        }
        let session = match self.sessions.get_mut(&seen.session) {
            Some(session) => &mut **session,
            None => {
                self.over = Session::new();
                self.over.lose_track();
                &mut self.over
            }
        };
        if numbered.gap == Some(Gap::Before) {
            session.lose_track();
        }
        let direction = seen.part.direction();
        let texts = seen.part.texts();
        let pairs = header_pairs(&texts);
        let http = Http::new(Some(seen.exchange), seen.part.part(&pairs));
        let bytes = seen.body.as_deref().unwrap_or_default();
        let mut frame = Frame::over_http(bytes, &http)
            .direction(direction)
            .time(numbered.time)
            .at(numbered.line);
        frame.header_revision = seen.revision;
        let mode = self.judge.mode();
        let mut part = (mode == Mode::Enforce).then(|| CheckedPart::unchecked(mode));
        let (metrics, begun) = (&self.metrics, Instant::now());
        let name = seen.session.to_string();
        let decision = self.judge.judge(session, Some(&name), frame, |judged| {
            if judged.failed {
                metrics.failed.inc();
            } else {
                metrics.checked(&judged.checked, begun.elapsed());
            }
            if let Some(part) = &mut part {
                *part = CheckedPart::new(judged);
            }
        });
        if decision != Decision::Forward {
            self.metrics.blocked.inc();
        }
        if numbered.gap == Some(Gap::After) {
            session.lose_track();
        }
        part
    }

    /// Ends report and log: the traffic is over.
    pub(super) fn finish(&mut self) -> &Judge {
        self.judge.finish();
        &self.judge
    }
}

impl Work for Checker {
    type Task = Task;

    fn run(&mut self, task: &Task, _: &[u8]) {
        match task {
            Task::Check(numbered) => {
                self.check(numbered);
            }
            Task::End { session, gap } => {
                if let Some(mut memory) = self.sessions.remove(session) {
                    if *gap {
                        memory.lose_track();
                    }
                    self.judge.end_session(&memory, Some(&session.to_string()));
                }
            }
            Task::Forget(session) => {
                self.sessions.remove(session);
                self.judge.forget_session(Some(&session.to_string()));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use bytes::Bytes;
    use http::{HeaderMap, Method};
    use mcp_assay_live::http::{self as live, RequestAction};

    use super::super::{HttpPart, RequestHead, Seen};
    use super::*;
    use crate::live::tests::{defective, failing};

    fn posted(body: &'static str) -> Numbered {
        let head = RequestHead {
            method: Method::POST,
            path: "/mcp".parse().unwrap(),
            headers: HeaderMap::new(),
        };
        Numbered {
            line: 1,
            time: Duration::ZERO,
            gap: None,
            seen: Seen {
                session: 1,
                exchange: 1,
                revision: None,
                part: HttpPart::Request(Box::new(head)),
                body: Some(Bytes::from_static(body.as_bytes())),
                gap_after: false,
            },
        }
    }

    #[test]
    fn a_request_whose_check_fails_is_refused_by_enforce_alone() {
        for mode in Mode::ALL {
            let metrics = Arc::new(Metrics::new());
            let judge = Judge::new("test".to_owned(), defective(mode), None, None);
            let mut checker = Checker::new(judge, Arc::clone(&metrics));
            let part = checker.check(&posted(failing::MESSAGE));
            assert_eq!(metrics.failed.get(), 1);
            let Some(part) = part else {
                assert_eq!(mode, Mode::Shadow);
                continue;
            };
            let mut exchange = live::Exchange::<u64>::new(mode, live::Method::Post, None, None);
            let expected = RequestAction::Refuse(failing::STATUS, failing::REFUSAL.into());
            assert_eq!(exchange.request_action(part), expected);
            assert_eq!(metrics.blocked.get(), 1);
        }
    }
}
