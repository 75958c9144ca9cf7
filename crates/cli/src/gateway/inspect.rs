//! Records and checks traffic in the order in which it came: in the next pause where that is quick,
//! on another thread where it is not.

mod checker;
mod http_part;

use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use bytes::Bytes;
use mcp_assay::Revision;
use mcp_assay_live::guard::Mode;
use mcp_assay_live::http::{CheckedPart, header_pairs};
use mcp_assay_report::Totals;

use self::checker::Checker;
pub(super) use self::http_part::{HttpPart, RequestHead, ResponseHead};
use super::idle_spin::IdleSpin;
use super::metrics::Metrics;
use crate::capture::Gap;
use crate::live::{HttpRecord, Judge, Recorder, counted};

/// Bodies up to this size are judged here: it takes less time than to hand them over.
const QUICK: usize = 64 << 10;

/// So many of them may wait for a pause, and so many bytes.
const FEW: usize = 16;
const SHORT: usize = 1 << 20;

/// A head holds on to what was read with it, which is mostly as much as is read at once.
const HEAD: usize = 8 << 10;

/// Bytes that may wait for the other thread. What comes on top passes unchecked.
const QUEUE: usize = 128 << 20;

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
    checker: Option<Arc<Shared>>,
    metrics: Arc<Metrics>,
    begun: Instant,
    /// The number of the last part: that of its record, if there is a recording.
    line: u64,
    /// Sessions of which something was not seen since their last part.
    gaps: HashSet<u64>,
    /// What went on and is judged in the next pause: traffic comes first.
    later: Vec<Task>,
    /// The size of it.
    later_size: usize,
    queue: Option<Sender<Task>>,
    thread: Option<JoinHandle<()>>,
}

struct Shared {
    checker: Mutex<Checker>,
    /// Bytes that the other thread has not judged yet; a task counts as more than its body is long.
    waiting: AtomicUsize,
}

/// What the other thread has to do.
enum Task {
    Check(Numbered),
    /// A session is over, and what is missing is to be told.
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

/// The results at the end.
pub(super) struct Summary {
    pub(super) totals: Option<Totals>,
    /// What a person should know.
    pub(super) notices: Vec<String>,
    /// What went wrong beside the traffic.
    pub(super) trouble: Option<String>,
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
        let checker = judge.map(|judge| {
            Arc::new(Shared {
                checker: Mutex::new(Checker::new(judge, Arc::clone(&metrics))),
                waiting: AtomicUsize::new(0),
            })
        });
        Self {
            idle: checker.is_none() && recorder.is_none(),
            mode,
            idle_spin,
            state: Mutex::new(State {
                recorder,
                checker,
                metrics,
                begun: Instant::now(),
                line: 0,
                gaps: HashSet::new(),
                later: Vec::new(),
                later_size: 0,
                queue: None,
                thread: None,
            }),
        }
    }

    /// Whether parts must be judged before they go on.
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
        let checker = state.checker.clone()?;
        if self.enforces() {
            return checker.lock().check(&numbered);
        }
        self.idle_spin.stir();
        let size = numbered.size();
        let waiting = checker.waiting.load(Ordering::Acquire);
        if waiting + size <= QUEUE {
            state.task(Task::Check(numbered));
        } else {
            state.metrics.unchecked.inc();
            state.gaps.insert(numbered.seen.session);
        }
        None
    }

    /// There is a pause: judges what went on already.
    pub(super) fn catch_up(&self) {
        self.state().catch_up();
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
        state.task(Task::End { session, gap });
    }

    /// Nothing more comes of a session that was only seen in part.
    pub(super) fn forget(&self, session: u64) {
        let mut state = self.state();
        state.settle_gap(session);
        state.task(Task::Forget(session));
    }

    /// The traffic is over.
    pub(super) fn finish(&self) -> Summary {
        let mut state = self.state();
        state.catch_up();
        drop(state.queue.take());
        if let Some(thread) = state.thread.take() {
            // It catches what goes wrong in it.
            let _ = thread.join();
        }
        for session in state.gaps.iter().copied().collect::<Vec<_>>() {
            state.settle_gap(session);
        }
        let recorder = state.recorder.take();
        let trouble = recorder.as_ref().and_then(Recorder::trouble);
        let Some(checker) = state.checker.take() else {
            return Summary {
                totals: None,
                notices: Vec::new(),
                trouble,
            };
        };
        let mut checker = checker.lock();
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

    /// Does something, after all that is to be done before it.
    fn task(&mut self, task: Task) {
        let Some(checker) = self.checker.clone() else {
            return;
        };
        let size = task.size();
        if checker.waiting.load(Ordering::Acquire) > 0 || size > HEAD + QUICK {
            self.catch_up();
            self.hand_over(&checker, task);
            return;
        }
        self.later.push(task);
        self.later_size += size;
        if self.later.len() >= FEW || self.later_size > SHORT {
            self.catch_up();
        }
    }

    fn catch_up(&mut self) {
        if let (false, Some(checker)) = (self.later.is_empty(), &self.checker) {
            let mut checker = checker.lock();
            for task in self.later.drain(..) {
                checker.work(&task);
            }
            self.later_size = 0;
        }
    }

    fn hand_over(&mut self, checker: &Arc<Shared>, task: Task) {
        let size = task.size();
        checker.waiting.fetch_add(size, Ordering::AcqRel);
        let queue = self.queue.get_or_insert_with(|| {
            let (sender, receiver) = channel();
            let checker = Arc::clone(checker);
            let thread = std::thread::Builder::new().name("check".to_owned());
            self.thread = thread.spawn(move || work(&checker, &receiver)).ok();
            sender
        });
        if queue.send(task).is_err() {
            // The thread could not be started.
            checker.waiting.fetch_sub(size, Ordering::AcqRel);
            self.metrics.unchecked.inc();
        }
    }
}

impl Shared {
    /// The checker is always consistent: it catches a check that fails.
    fn lock(&self) -> MutexGuard<'_, Checker> {
        self.checker.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Does what there is to do, in its order.
fn work(checker: &Shared, queue: &Receiver<Task>) {
    for task in queue {
        checker.lock().work(&task);
        checker.waiting.fetch_sub(task.size(), Ordering::AcqRel);
    }
}

impl Task {
    fn size(&self) -> usize {
        match self {
            Self::Check(numbered) => numbered.size(),
            Self::End { .. } | Self::Forget(_) => 1,
        }
    }
}

impl Numbered {
    fn size(&self) -> usize {
        let head = match self.seen.part {
            HttpPart::Request(_) | HttpPart::Response(_) => HEAD,
            HttpPart::Event { .. } | HttpPart::End => 1,
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
            gap: self.gap,
            part: seen.part.part(&header_pairs(&texts)),
            reason: reason.as_deref(),
            body: seen.body.as_deref(),
        });
    }
}
