//! Judging and recording beside the copying: in the next pause where that is quick, by another thread where it is not.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use mcp_assay::Direction;
use mcp_assay_live::guard::{Decision, Mode};

use crate::live::{Line, Recorder, Seen, Watch};

/// Messages up to this size are judged here: it takes less time than to hand them over.
const QUICK: usize = 64 << 10;

/// So many of them may wait for a pause.
const FEW: usize = 64;

/// Bytes that may wait for the other thread. What comes on top passes unchecked.
const QUEUE: usize = 128 << 20;

/// What is done with lines beside copying them.
pub(super) struct Checking {
    /// Lines that came, and answers of ours: what a recording has.
    count: u64,
    recorder: Option<Recorder>,
    watch: Option<Arc<Shared>>,
    mode: Mode,
    later: Later,
    queue: Option<Sender<Waiting>>,
    thread: Option<JoinHandle<()>>,
}

/// Short lines that went on and are judged in the next pause: traffic comes first.
#[derive(Default)]
struct Later {
    bytes: Vec<u8>,
    lines: Vec<Short>,
}

struct Short {
    number: u64,
    time: Duration,
    direction: Direction,
    end: usize,
    unterminated: bool,
}

struct Shared {
    watch: Mutex<Watch>,
    /// Bytes that the other thread has not judged yet; a line counts as one more than it is long.
    waiting: AtomicUsize,
    /// Lines that passed unchecked and that the watch does not know of yet.
    passed: AtomicU64,
}

/// A line that waits to be judged.
struct Waiting {
    number: u64,
    time: Duration,
    direction: Direction,
    bytes: Vec<u8>,
    unterminated: bool,
}

/// What is left when all is over.
pub(super) struct Told {
    pub(super) watch: Option<Watch>,
    /// What went wrong beside the traffic.
    pub(super) trouble: Vec<String>,
}

impl Checking {
    pub(super) fn new(watch: Watch, recorder: Option<Recorder>, mode: Mode) -> Self {
        Self {
            count: 0,
            recorder,
            watch: Some(Arc::new(Shared {
                watch: Mutex::new(watch),
                waiting: AtomicUsize::new(0),
                passed: AtomicU64::new(0),
            })),
            mode,
            later: Later::default(),
            queue: None,
            thread: None,
        }
    }

    /// Nothing is judged.
    pub(super) fn off(recorder: Option<Recorder>) -> Self {
        Self {
            count: 0,
            recorder,
            watch: None,
            mode: Mode::Shadow,
            later: Later::default(),
            queue: None,
            thread: None,
        }
    }

    /// Whether lines must be judged before they go on.
    pub(super) fn enforces(&self) -> bool {
        self.mode == Mode::Enforce && self.watch.is_some()
    }

    /// Whether lines matter at all.
    pub(super) fn is_idle(&self) -> bool {
        self.watch.is_none() && self.recorder.is_none()
    }

    /// A line came: records it, and gives its number.
    pub(super) fn came(&mut self, time: Duration, direction: Direction, line: Line<'_>) -> u64 {
        self.count += 1;
        if let Some(recorder) = &mut self.recorder {
            recorder.line(time, direction, line);
        }
        self.count
    }

    /// A line came, and went on already.
    pub(super) fn see(&mut self, time: Duration, direction: Direction, line: Line<'_>) {
        let number = self.came(time, direction, line);
        let seen = Seen {
            number,
            time,
            direction,
            line,
            joined: None,
        };
        let Some(shared) = &self.watch else { return };
        let size = seen.line.bytes.len() + 1;
        let waiting = shared.waiting.load(Ordering::Acquire);
        if waiting == 0 && size <= QUICK {
            self.later.push(&seen);
            if self.later.is_full() {
                self.catch_up();
            }
        } else if waiting + size <= QUEUE {
            shared.waiting.fetch_add(size, Ordering::AcqRel);
            self.catch_up();
            self.hand_over(seen, size);
        } else {
            shared.passed.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// There is a pause: judges the lines that went on already.
    pub(super) fn catch_up(&mut self) {
        let Some(shared) = &self.watch else { return };
        if !self.later.lines.is_empty() {
            self.later.give_to(&mut shared.lock());
        }
    }

    /// Judges a line that did not go on yet; what takes its place is put into `text`.
    pub(super) fn judge(&mut self, seen: Seen<'_>, text: &mut Vec<u8>) -> Decision {
        let Some(shared) = &self.watch else {
            return Decision::Forward;
        };
        let mut watch = shared.lock();
        let passing = watch.see(seen);
        text.clear();
        text.extend_from_slice(watch.text());
        drop(watch);
        if passing == Decision::Refuse {
            // The sender was answered: whoever reads the recording must know.
            let line = Line {
                bytes: text,
                unterminated: false,
            };
            self.came(seen.time, seen.direction.reverse(), line);
        }
        passing
    }

    /// The traffic is over.
    pub(super) fn finish(mut self) -> Told {
        self.catch_up();
        drop(self.queue.take());
        if let Some(thread) = self.thread.take() {
            // It catches what goes wrong in it.
            let _ = thread.join();
        }
        let mut trouble: Vec<String> = Vec::new();
        trouble.extend(self.recorder.as_ref().and_then(Recorder::trouble));
        let watch = self.watch.take().and_then(Arc::into_inner).map(|shared| {
            let passed = shared.passed.load(Ordering::Relaxed);
            let mut watch = shared
                .watch
                .into_inner()
                .unwrap_or_else(PoisonError::into_inner);
            for _ in 0..passed {
                watch.passed_unchecked();
            }
            watch.end();
            watch
        });
        Told { watch, trouble }
    }

    fn hand_over(&mut self, seen: Seen<'_>, size: usize) {
        let Some(shared) = &self.watch else { return };
        let queue = self.queue.get_or_insert_with(|| {
            let (sender, receiver) = channel();
            let shared = Arc::clone(shared);
            let thread = std::thread::Builder::new().name("check".to_owned());
            self.thread = thread.spawn(move || work(&shared, &receiver)).ok();
            sender
        });
        let sent = queue.send(Waiting {
            number: seen.number,
            time: seen.time,
            direction: seen.direction,
            bytes: seen.line.bytes.to_vec(),
            unterminated: seen.line.unterminated,
        });
        if sent.is_err() {
            // The thread could not be started.
            shared.waiting.fetch_sub(size, Ordering::AcqRel);
            shared.passed.fetch_add(1, Ordering::Relaxed);
        }
    }
}

impl Later {
    fn push(&mut self, seen: &Seen<'_>) {
        self.bytes.extend_from_slice(seen.line.bytes);
        self.lines.push(Short {
            number: seen.number,
            time: seen.time,
            direction: seen.direction,
            end: self.bytes.len(),
            unterminated: seen.line.unterminated,
        });
    }

    fn is_full(&self) -> bool {
        self.lines.len() >= FEW || self.bytes.len() > QUICK
    }

    fn give_to(&mut self, watch: &mut Watch) {
        let mut start = 0;
        for line in &self.lines {
            watch.see(Seen {
                number: line.number,
                time: line.time,
                direction: line.direction,
                line: Line {
                    bytes: self.bytes.get(start..line.end).unwrap_or_default(),
                    unterminated: line.unterminated,
                },
                joined: None,
            });
            start = line.end;
        }
        self.bytes.clear();
        self.lines.clear();
    }
}

impl Shared {
    /// What the watch holds is always whole: it catches what goes wrong in a check.
    fn lock(&self) -> MutexGuard<'_, Watch> {
        let mut watch = self.watch.lock().unwrap_or_else(PoisonError::into_inner);
        if self.passed.load(Ordering::Relaxed) > 0 {
            for _ in 0..self.passed.swap(0, Ordering::Relaxed) {
                watch.passed_unchecked();
            }
        }
        watch
    }
}

/// Judges lines in the order in which they came.
fn work(shared: &Shared, queue: &Receiver<Waiting>) {
    for waiting in queue {
        let size = waiting.bytes.len() + 1;
        let seen = Seen {
            number: waiting.number,
            time: waiting.time,
            direction: waiting.direction,
            line: Line {
                bytes: &waiting.bytes,
                unterminated: waiting.unterminated,
            },
            joined: None,
        };
        let _caught = catch_unwind(AssertUnwindSafe(|| shared.lock().see(seen)));
        shared.waiting.fetch_sub(size, Ordering::AcqRel);
    }
}
