//! Records and checks traffic in the order in which it came: in the next pause where that is quick,
//! on another thread where it is not.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use mcp_assay::ListedTools;
use mcp_assay::syntax::Node;
use mcp_assay_capture::Gap;
use mcp_assay_live::deferred::{DeferredQueue, QueueLimits};
use mcp_assay_live::guard::Mode;
use mcp_assay_live::http::{CheckedPart, Identity};
use mcp_assay_live::record::RecordWriter;

use super::checker::{Checker, Recording};
use super::idle_spin::IdleSpin;
use super::metrics::Metrics;
use super::numbered::{HEAD, Numbered, Seen};
use super::sessions::{Sessions, Task};

/// Deferred checks before they run inline, and their bytes.
const MAX_DEFERRED: usize = 16;
const MAX_DEFERRED_BYTES: usize = 1 << 20;

/// The longest body that is checked inline.
const MAX_INLINE: usize = 64 << 10;

/// Records and checks traffic beside the forwarding.
pub(crate) struct Inspector {
    state: Mutex<State>,
    mode: Mode,
    /// Whether nothing is recorded or checked.
    off: bool,
    idle_spin: IdleSpin,
}

struct State {
    recording: Option<Recording>,
    records: RecordWriter,
    queue: Option<DeferredQueue<Sessions>>,
    metrics: Arc<Metrics>,
    begun: Instant,
    /// The number of the last part: that of its record, if there is a recording.
    line: u64,
    /// Sessions of which something was not seen since their last part.
    gaps: HashSet<u64>,
}

impl Inspector {
    /// At most `max_queued` bytes wait for the other thread. Parts on top of that go on unchecked.
    pub(crate) fn new(
        checker: Option<Box<dyn Checker>>,
        recording: Option<Recording>,
        records: RecordWriter,
        metrics: Arc<Metrics>,
        max_queued: usize,
    ) -> Self {
        let mode = checker
            .as_ref()
            .map_or(Mode::Shadow, |checker| checker.mode());
        let limits = QueueLimits {
            deferred: MAX_DEFERRED,
            deferred_bytes: MAX_DEFERRED_BYTES,
            inline_bytes: HEAD + MAX_INLINE,
            queued_bytes: max_queued,
        };
        let sessions = checker.map(|checker| Sessions::new(checker, Arc::clone(&metrics)));
        let queue = sessions.map(|sessions| DeferredQueue::new(sessions, limits));
        Self {
            off: queue.is_none() && recording.is_none(),
            mode,
            idle_spin: IdleSpin::new(),
            state: Mutex::new(State {
                recording,
                records,
                queue,
                metrics,
                begun: Instant::now(),
                line: 0,
                gaps: HashSet::new(),
            }),
        }
    }

    /// Whether parts are checked before they are forwarded.
    pub(crate) fn enforces(&self) -> bool {
        self.mode == Mode::Enforce
    }

    /// Whether nothing is recorded or checked.
    pub(crate) fn is_off(&self) -> bool {
        self.off
    }

    /// The mode; `shadow` if nothing is checked.
    pub(crate) fn mode(&self) -> Mode {
        self.mode
    }

    /// Records and checks a part. In `enforce` it is checked at once; else later, without a result.
    pub(crate) fn check(&self, seen: Seen) -> Option<CheckedPart> {
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
            metrics.add_unchecked(1);
            gaps.insert(session);
        }
        None
    }

    /// Whether the server has listed a tool of this name for a client.
    pub(crate) fn knows_tool(&self, identity: Identity, name: Node<'_>) -> bool {
        let state = self.state();
        let queue = state.queue.as_ref();
        queue.is_none_or(|queue| queue.lock().publications().knows(identity, name))
    }

    /// Tracks the tools that the server has listed for a client.
    pub(crate) fn publish(&self, identity: Identity, listed: ListedTools) {
        if let Some(queue) = &self.state().queue {
            queue.lock().publications().publish(identity, listed);
        }
    }

    /// Runs deferred checks: the traffic pauses.
    pub(crate) fn catch_up(&self) {
        if let Some(queue) = &mut self.state().queue {
            queue.run();
        }
    }

    /// Records an answer of the gateway that the session need not know.
    pub(crate) fn record_own(&self, seen: Seen) {
        self.state().number(seen);
    }

    /// Marks a session as incomplete: no rule may conclude anything from a missing message.
    pub(crate) fn lose(&self, session: u64) {
        if !self.off {
            self.state().gaps.insert(session);
        }
    }

    /// A message was forwarded that cannot be checked.
    pub(crate) fn forwarded_unchecked(&self, session: u64) {
        let mut state = self.state();
        state.metrics.add_unchecked(1);
        state.gaps.insert(session);
    }

    /// A session is over.
    pub(crate) fn end(&self, session: u64) {
        let mut state = self.state();
        let gap = state.settle_gap(session);
        state.defer(Task::End { session, gap });
    }

    /// Nothing more comes of a session that was only seen in part.
    pub(crate) fn forget(&self, session: u64) {
        let mut state = self.state();
        state.settle_gap(session);
        state.defer(Task::Forget(session));
    }

    /// Traffic came: more may follow at once.
    pub(crate) fn stir(&self) {
        self.idle_spin.stir();
    }

    /// Runs deferred checks in pauses of the traffic. It never ends.
    pub(crate) async fn stay_awake(&self) {
        self.idle_spin.stay_awake(|| self.catch_up()).await;
    }

    /// The traffic is over: checks and records the rest.
    pub(crate) fn finish(&self) {
        let mut state = self.state();
        if let Some(queue) = &mut state.queue {
            queue.finish();
        }
        for session in state.gaps.iter().copied().collect::<Vec<_>>() {
            state.settle_gap(session);
        }
        state.queue = None;
        state.recording = None;
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
        if let Some(recording) = &mut self.recording {
            recording(numbered.record(&mut self.records));
        }
        numbered
    }

    /// Records that the end of a session was not seen, if it was not.
    fn settle_gap(&mut self, session: u64) -> bool {
        let gap = self.gaps.remove(&session);
        if let (true, Some(recording)) = (gap, &mut self.recording) {
            self.line += 1;
            let time = self.begun.elapsed();
            recording(self.records.gap(time, &session.to_string()));
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
