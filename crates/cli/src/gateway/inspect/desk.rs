//! Judges parts of exchanges, each in the memory of its session.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use bytes::Bytes;
use mcp_assay::{Frame, Http, MessageKind, Session};

use super::piece::pairs;
use super::{Numbered, Outcome, Task};
use crate::capture::Gap;
use crate::gateway::metrics::Metrics;
use crate::live::{Judge, Passing};

/// Where traffic is judged.
pub(super) struct Desk {
    judge: Judge,
    sessions: HashMap<u64, Box<Session>>,
    /// The newest session; an older one that is not there is over.
    newest: u64,
    /// Stands for a session that is over, in which somebody still speaks.
    over: Session,
    metrics: Arc<Metrics>,
}

impl Desk {
    pub(super) fn new(judge: Judge, metrics: Arc<Metrics>) -> Self {
        Self {
            judge,
            sessions: HashMap::new(),
            newest: 0,
            over: Session::new(),
            metrics,
        }
    }

    /// Judges a part of an exchange.
    pub(super) fn see(&mut self, numbered: &Numbered) -> Outcome {
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
        let direction = seen.piece.direction();
        let texts = seen.piece.texts();
        let pairs = pairs(&texts);
        let http = Http::new(Some(seen.exchange), seen.piece.part(&pairs));
        let bytes = seen.body.as_deref().unwrap_or_default();
        let mut frame = Frame::over_http(bytes, &http)
            .direction(direction)
            .time(numbered.time)
            .at(numbered.line);
        frame.header_revision = seen.revision;
        let mut outcome = Outcome {
            passing: Passing::Forward,
            text: Bytes::new(),
            status: 400,
            kind: MessageKind::Empty,
        };
        let (metrics, begun) = (&self.metrics, Instant::now());
        let name = seen.session.to_string();
        outcome.passing = self.judge.judge(session, Some(&name), frame, |judged| {
            let checked = &judged.checked;
            if judged.failed {
                metrics.failed.inc();
            } else {
                metrics.checked(checked, begun.elapsed());
            }
            outcome.kind = checked.kind();
            outcome.status = judged.status();
        });
        if outcome.passing != Passing::Forward {
            self.metrics.blocked.inc();
            outcome.text = Bytes::copy_from_slice(self.judge.text());
        }
        if numbered.gap == Some(Gap::After) {
            session.lose_track();
        }
        outcome
    }

    pub(super) fn work(&mut self, task: &Task) {
        match task {
            Task::See(numbered) => {
                self.see(numbered);
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

    /// All is over.
    pub(super) fn finish(&mut self) -> &Judge {
        self.judge.finish();
        &self.judge
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use http::{HeaderMap, Method};
    use mcp_assay_live::guard::Mode;

    use super::super::{Piece, RequestHead, Seen};
    use super::*;
    use crate::live::tests::defective;

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
                piece: Piece::Request(Box::new(head)),
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
            let mut desk = Desk::new(judge, Arc::clone(&metrics));
            let body = r#"{"jsonrpc":"2.0","id":"a","method":"defect"}"#;
            let outcome = desk.see(&posted(body));
            assert_eq!(metrics.failed.get(), 1);
            if mode == Mode::Shadow {
                assert_eq!(outcome.passing, Passing::Forward);
                continue;
            }
            assert_eq!((outcome.passing, outcome.status), (Passing::Refuse, 200));
            let text = String::from_utf8_lossy(&outcome.text).into_owned();
            let expected = r#"{"jsonrpc":"2.0","id":"a","error":{"code":-32603,"#;
            assert!(text.starts_with(expected), "{text}");
            assert_eq!(metrics.blocked.get(), 1);
        }
    }
}
