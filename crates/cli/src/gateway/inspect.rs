//! Records and checks traffic in the order in which it came: in the next pause where that is quick,
//! on another thread where it is not.

mod checker;
mod http_part;

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use bytes::Bytes;
use mcp_assay::Revision;
use mcp_assay_live::deferred::{DeferredQueue, QueueLimits};
use mcp_assay_live::guard::Mode;
use mcp_assay_live::http::{CheckedPart, header_pairs};
use mcp_assay_live::record::HttpRecord;

use self::checker::Checker;
pub(super) use self::http_part::{HttpPart, RequestHead, ResponseHead};
use super::idle_spin::IdleSpin;
use super::metrics::Metrics;
use crate::capture::Gap;
use crate::live::{Judge, Recorder, Summary};
use crate::output::counted;

/// Deferred checks before they run inline, and their bytes.
const MAX_DEFERRED: usize = 16;
const MAX_DEFERRED_BYTES: usize = 1 << 20;

/// The longest body that is checked inline.
const MAX_INLINE: usize = 64 << 10;

/// The size of a head: it keeps alive what was read with it, mostly as much as is read at once.
const HEAD: usize = 8 << 10;

/// Bytes that may wait for the other thread. Parts on top of that go on unchecked.
const MAX_QUEUED: usize = 128 << 20;

/// A part of an exchange that somebody sent.
pub(super) struct Seen {
    pub(super) session: u64,
    pub(super) exchange: i64,
    /// The revision that its head names, or that of its request.
    pub(super) revision: Option<Revision>,
    pub(super) part: HttpPart,
    pub(super) body: Option<Bytes>,
    /// Whether something of the session is not seen after it.
    pub(super) gap_after: bool,
}

/// Records and checks traffic beside the forwarding.
pub(super) struct Inspector {
    state: Mutex<State>,
    mode: Mode,
    /// Whether anybody looks at all.
    idle: bool,
    idle_spin: Arc<IdleSpin>,
}

struct State {
    recorder: Option<Recorder>,
    queue: Option<DeferredQueue<Checker>>,
    metrics: Arc<Metrics>,
    begun: Instant,
    /// The number of the last part: that of its record, if there is a recording.
    line: u64,
    /// Sessions of which something was not seen since their last part.
    gaps: HashSet<u64>,
}

/// A deferred task.
enum Task {
    Check(Numbered),
    /// A session is over: missing responses are reported.
    End {
        session: u64,
        gap: bool,
    },
    /// Nothing more is known of a session.
    Forget(u64),
}

/// A part with its place.
struct Numbered {
    line: u64,
    time: Duration,
    gap: Option<Gap>,
    seen: Seen,
}

impl Inspector {
    pub(super) fn new(
        judge: Option<Judge>,
        recorder: Option<Recorder>,
        mode: Mode,
        metrics: Arc<Metrics>,
        idle_spin: Arc<IdleSpin>,
    ) -> Self {
        let mode = if judge.is_some() { mode } else { Mode::Shadow };
        let limits = QueueLimits {
            deferred: MAX_DEFERRED,
            deferred_bytes: MAX_DEFERRED_BYTES,
            inline_bytes: HEAD + MAX_INLINE,
            queued_bytes: MAX_QUEUED,
        };
        let checker = judge.map(|judge| Checker::new(judge, Arc::clone(&metrics)));
        let queue = checker.map(|checker| DeferredQueue::new(checker, limits));
        Self {
            idle: queue.is_none() && recorder.is_none(),
            mode,
            idle_spin,
            state: Mutex::new(State {
                recorder,
                queue,
                metrics,
                begun: Instant::now(),
                line: 0,
                gaps: HashSet::new(),
            }),
        }
    }

    /// Whether parts must be checked before they go on.
    pub(super) fn enforces(&self) -> bool {
        self.mode == Mode::Enforce
    }

    /// Whether nobody looks.
    pub(super) fn is_idle(&self) -> bool {
        self.idle
    }

    /// The mode; `shadow` if nothing is checked.
    pub(super) fn mode(&self) -> Mode {
        self.mode
    }

    /// Records and checks a part. In `enforce` it is checked at once; else later, without a result.
    pub(super) fn check(&self, seen: Seen) -> Option<CheckedPart> {
        let mut state = self.state();
        let numbered = state.number(seen);
        let State {
            queue,
            metrics,
            gaps,
            ..
        } = &mut *state;
        let queue = queue.as_mut()?;
        if self.enforces() {
            return queue.lock().check(&numbered);
        }
        self.idle_spin.stir();
        let (size, session) = (numbered.size(), numbered.seen.session);
        if !queue.defer(Task::Check(numbered), &[], size) {
            metrics.unchecked.inc();
            gaps.insert(session);
        }
        None
    }

    /// Checks what went on already: the traffic pauses.
    pub(super) fn catch_up(&self) {
        if let Some(queue) = &mut self.state().queue {
            queue.run();
        }
    }

    /// Records an answer of ours that the session need not know.
    pub(super) fn record_own(&self, seen: Seen) {
        self.state().number(seen);
    }

    /// Something of a session is not seen: from here on nothing is concluded from that.
    pub(super) fn lose(&self, session: u64) {
        if !self.idle {
            self.state().gaps.insert(session);
        }
    }

    /// A message was forwarded that cannot be checked.
    pub(super) fn forwarded_unchecked(&self, session: u64) {
        let mut state = self.state();
        state.metrics.unchecked.inc();
        state.gaps.insert(session);
    }

    /// A session is over.
    pub(super) fn end(&self, session: u64) {
        let mut state = self.state();
        let gap = state.settle_gap(session);
        state.defer(Task::End { session, gap });
    }

    /// Nothing more comes of a session that was only seen in part.
    pub(super) fn forget(&self, session: u64) {
        let mut state = self.state();
        state.settle_gap(session);
        state.defer(Task::Forget(session));
    }

    /// The traffic is over.
    pub(super) fn finish(&self) -> Summary {
        let mut state = self.state();
        if let Some(queue) = &mut state.queue {
            queue.finish();
        }
        for session in state.gaps.iter().copied().collect::<Vec<_>>() {
            state.settle_gap(session);
        }
        let recorder = state.recorder.take();
        let trouble = recorder.as_ref().and_then(Recorder::trouble);
        let Some(queue) = state.queue.take() else {
            return Summary {
                totals: None,
                notices: Vec::new(),
                trouble,
            };
        };
        let mut checker = queue.lock();
        let judge = checker.finish();
        let mut notices = judge.notices();
        let unchecked = state.metrics.unchecked.get();
        if unchecked > 0 {
            let what = counted(unchecked, "message");
            notices.push(format!(
                "{what} passed unchecked, because they were compressed or checking fell behind"
            ));
        }
        Summary {
            totals: Some(judge.totals().clone()),
            notices,
            trouble,
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Gives a part its place, and records it.
    fn number(&mut self, seen: Seen) -> Numbered {
        self.line += 1;
        let gap = if !self.gaps.is_empty() && self.gaps.remove(&seen.session) {
            Some(Gap::Before)
        } else {
            seen.gap_after.then_some(Gap::After)
        };
        if gap == Some(Gap::Before) && seen.gap_after {
            self.gaps.insert(seen.session);
        }
        let numbered = Numbered {
            line: self.line,
            time: self.begun.elapsed(),
            gap,
            seen,
        };
        if let Some(recorder) = &mut self.recorder {
            numbered.record(recorder);
        }
        numbered
    }

    /// Records that the end of a session was not seen, if it was not.
    fn settle_gap(&mut self, session: u64) -> bool {
        let gap = self.gaps.remove(&session);
        if let (true, Some(recorder)) = (gap, &mut self.recorder) {
            self.line += 1;
            recorder.gap(self.begun.elapsed(), &session.to_string());
        }
        gap
    }

    /// Defers a task, after all that came before it.
    fn defer(&mut self, task: Task) {
        if let Some(queue) = &mut self.queue {
            queue.defer_small(task);
        }
    }
}

impl Numbered {
    fn size(&self) -> usize {
        let head = match self.seen.part {
            HttpPart::Request(_) | HttpPart::Response(_) => HEAD,
            HttpPart::Event { .. } | HttpPart::End { .. } => 1,
        };
        head + self.seen.body.as_ref().map_or(0, Bytes::len)
    }

    fn record(&self, recorder: &mut Recorder) {
        let seen = &self.seen;
        let texts = seen.part.texts();
        let reason = match &seen.part {
            HttpPart::Response(head) => head.reason(),
            _ => None,
        };
        recorder.http(&HttpRecord {
            time: self.time,
            exchange: seen.exchange,
            direction: seen.part.direction(),
            session: &seen.session.to_string(),
            gap: self.gap.map(Gap::name),
            part: seen.part.part(&header_pairs(&texts)),
            reason: reason.as_deref(),
            body: seen.body.as_deref(),
        });
    }
}
