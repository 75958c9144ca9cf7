//! The sessions of the traffic: parts of exchanges are checked, each in its session.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use mcp_assay::{Direction, Frame, Http, MessageKind, Session, Verdict};
use mcp_assay_capture::Gap;
use mcp_assay_live::deferred::Work;
use mcp_assay_live::guard::Mode;
use mcp_assay_live::http::{CheckedPart, Lesson, Publications, header_pairs};
use mcp_assay_live::metrics::{Counters, count};

use super::checker::Checker;
use super::metrics::Metrics;
use super::numbered::Numbered;

/// A deferred task.
pub(crate) enum Task {
    Check(Numbered),
    /// A session is over: missing responses are reported.
    End {
        session: u64,
        gap: bool,
    },
    /// Nothing more is known of a session.
    Forget(u64),
}

/// Sessions, and the checker of what is said in them.
pub(crate) struct Sessions {
    checker: Box<dyn Checker>,
    tracked: HashMap<u64, Box<Session>>,
    /// The newest session; an older one that is not there is over.
    newest: u64,
    /// Stands for a session that is over, in which somebody still speaks.
    over: Session,
    /// The tools that servers have listed, in whichever session.
    publications: Publications,
    metrics: Arc<Metrics>,
}

impl Sessions {
    pub(crate) fn new(checker: Box<dyn Checker>, metrics: Arc<Metrics>) -> Self {
        Self {
            checker,
            tracked: HashMap::new(),
            newest: 0,
            over: Session::new(),
            publications: Publications::default(),
            metrics,
        }
    }

    /// Checks a part of an exchange. In `shadow` nobody needs the result.
    pub(crate) fn check(&mut self, numbered: &Numbered) -> Option<CheckedPart> {
        let seen = &numbered.seen;
        if seen.session > self.newest {
            self.newest = seen.session;
            self.tracked.insert(seen.session, Box::default());
        }
        let session = match self.tracked.get_mut(&seen.session) {
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
        if direction == Direction::ClientToServer {
            self.publications.recall(seen.identity, session);
        }
        let texts = seen.part.texts();
        let pairs = header_pairs(&texts);
        let http = Http::new(Some(seen.exchange), seen.part.part(&pairs));
        let bytes = seen.body.as_deref().unwrap_or_default();
        let mut frame = Frame::over_http(bytes, &http)
            .direction(direction)
            .time(numbered.time)
            .at(numbered.line);
        frame.header_revision = seen.revision;
        frame.empty &= !seen.is_message || bytes.is_empty();
        let mode = self.checker.mode();
        let mut part = (mode == Mode::Enforce).then(|| CheckedPart::unchecked(mode));
        let (metrics, begun) = (&self.metrics, Instant::now());
        let name = seen.session.to_string();
        let mut lesson = None;
        self.checker.check(session, &name, frame, &mut |judged| {
            lesson = Lesson::of(judged);
            count(judged, &Judgements(metrics));
            if !judged.failed && judged.checked.kind() != MessageKind::Empty {
                metrics.took(begun.elapsed());
            }
            if let Some(part) = &mut part {
                *part = CheckedPart::new(judged);
            }
        });
        if let Some(lesson) = lesson {
            self.publications.learn(seen.identity, session, lesson);
        }
        if numbered.gap == Some(Gap::After) {
            session.lose_track();
        }
        part
    }
}

impl Sessions {
    /// The tools that servers have listed.
    pub(crate) fn publications(&mut self) -> &mut Publications {
        &mut self.publications
    }
}

/// Counts judgements. What becomes of a message is decided, and counted, by its exchange: a bad
/// body with an error status is forwarded, and our own answer is none of the server's.
struct Judgements<'m>(&'m Metrics);

impl Counters for Judgements<'_> {
    fn message(&self, direction: Option<Direction>, verdict: Verdict) {
        self.0.message(direction, verdict);
    }

    fn violation(&self, rule: &'static str) {
        self.0.violation(rule);
    }

    fn blocked(&self) {}

    fn check_failed(&self) {
        self.0.check_failed();
    }
}

impl Work for Sessions {
    type Task = Task;

    fn run(&mut self, task: &Task, _: &[u8]) {
        match task {
            Task::Check(numbered) => {
                self.check(numbered);
            }
            Task::End { session, gap } => {
                if let Some(mut memory) = self.tracked.remove(session) {
                    if *gap {
                        memory.lose_track();
                    }
                    self.checker.end_session(&memory, &session.to_string());
                }
            }
            Task::Forget(session) => {
                self.tracked.remove(session);
                self.checker.forget_session(&session.to_string());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use bytes::Bytes;
    use http::{HeaderMap, Method};
    use mcp_assay_live::http::{self as live, Identity, RequestAction};
    use mcp_assay_testkit::failing;

    use super::super::http_part::{HttpPart, RequestHead};
    use super::super::numbered::Seen;
    use super::*;

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
                identity: Identity::default(),
                revision: None,
                part: HttpPart::Request(Box::new(head)),
                body: Some(Bytes::from_static(body.as_bytes())),
                is_message: true,
                gap_after: false,
            },
        }
    }

    #[test]
    fn a_request_whose_check_fails_is_refused_by_enforce_alone() {
        for mode in Mode::ALL {
            let metrics = Arc::new(Metrics::default());
            let guard = Box::new(failing::guard(mode));
            let mut sessions = Sessions::new(guard, Arc::clone(&metrics));
            let part = sessions.check(&posted(failing::MESSAGE));
            let text = metrics.to_prometheus();
            assert!(text.contains("mcp_assay_checks_failed_total 1\n"), "{text}");
            let Some(part) = part else {
                assert_eq!(mode, Mode::Shadow);
                continue;
            };
            let mut exchange = live::Exchange::<u64>::new(mode, live::Method::Post, None, None);
            let expected = RequestAction::Refuse(failing::STATUS, failing::REFUSAL.into());
            assert_eq!(exchange.request_action(part), expected);
        }
    }
}
