//! Records and checks lines beside the copying.

use std::time::Duration;

use mcp_assay::{Direction, Line, Party};
use mcp_assay_live::deferred::{DeferredQueue, QueueLimits, Work};
use mcp_assay_live::guard::{Decision, Mode};
use mcp_assay_live::lines::{BatchAnswers, Joined, SeenLine};

use crate::live::{Recorder, Summary, Watch};

/// Deferred checks before they run inline.
const MAX_DEFERRED: usize = 64;

/// Bytes of deferred lines before they are checked inline, and of the longest of them.
const MAX_INLINE: usize = 64 << 10;

/// Bytes that may wait for the other thread. Lines on top of that go on unchecked.
const MAX_QUEUED: usize = 128 << 20;

/// Records and checks lines.
pub(super) struct Checking {
    /// Lines that came, and answers of ours: as many as a recording has.
    count: u64,
    recorder: Option<Recorder>,
    queue: Option<DeferredQueue<Watch>>,
    mode: Mode,
    /// Lines that went on unchecked since the last deferred one.
    skipped: u64,
    /// The text that goes back to the sender of the last line while another goes on.
    pub(super) split_off: Vec<u8>,
    /// Errors that wait for the rest of their batch.
    pub(super) batches: BatchAnswers,
    /// The party that ended the connection first.
    closed_by: Option<Party>,
}

/// A line that waits for its check.
pub(crate) struct DeferredLine {
    number: u64,
    time: Duration,
    direction: Direction,
    unterminated: bool,
    /// Lines before it that went on unchecked.
    skipped: u64,
}

impl Work for Watch {
    type Task = DeferredLine;

    fn run(&mut self, task: &DeferredLine, bytes: &[u8]) {
        self.skip(task.skipped);
        let seen = SeenLine {
            number: task.number,
            time: task.time,
            direction: task.direction,
            line: Line {
                bytes,
                unterminated: task.unterminated,
            },
        };
        self.check(seen, None);
    }
}

impl Checking {
    pub(super) fn new(watch: Watch, recorder: Option<Recorder>, mode: Mode) -> Self {
        let limits = QueueLimits {
            deferred: MAX_DEFERRED,
            deferred_bytes: MAX_INLINE,
            inline_bytes: MAX_INLINE,
            queued_bytes: MAX_QUEUED,
        };
        Self {
            queue: Some(DeferredQueue::new(watch, limits)),
            mode,
            ..Self::off(recorder)
        }
    }

    /// Checks nothing.
    pub(super) fn off(recorder: Option<Recorder>) -> Self {
        Self {
            count: 0,
            recorder,
            queue: None,
            mode: Mode::Shadow,
            skipped: 0,
            split_off: Vec::new(),
            batches: BatchAnswers::default(),
            closed_by: None,
        }
    }

    /// Whether lines must be checked before they go on.
    pub(super) fn enforces(&self) -> bool {
        self.mode == Mode::Enforce && self.queue.is_some()
    }

    /// Whether lines are neither checked nor recorded.
    pub(super) fn is_idle(&self) -> bool {
        self.queue.is_none() && self.recorder.is_none()
    }

    /// Records a line that came, and gives its number.
    pub(super) fn record(&mut self, time: Duration, direction: Direction, line: Line<'_>) -> u64 {
        self.count += 1;
        if let Some(recorder) = &mut self.recorder {
            recorder.line(time, direction, line);
        }
        self.count
    }

    /// Records a line that went on already, and defers its check.
    pub(super) fn defer(&mut self, time: Duration, direction: Direction, line: Line<'_>) {
        let number = self.record(time, direction, line);
        let Some(queue) = &mut self.queue else { return };
        let task = DeferredLine {
            number,
            time,
            direction,
            unterminated: line.unterminated,
            skipped: self.skipped,
        };
        if queue.defer(task, line.bytes, line.bytes.len() + 1) {
            self.skipped = 0;
        } else {
            self.skipped += 1;
        }
    }

    /// Checks the lines that went on already: the traffic pauses.
    pub(super) fn catch_up(&mut self) {
        if let Some(queue) = &mut self.queue {
            queue.run();
        }
    }

    /// Checks a line that did not go on yet; the text that takes its place is put into `text`.
    pub(super) fn check(
        &mut self,
        seen: SeenLine<'_>,
        joined: Option<Joined>,
        text: &mut Vec<u8>,
    ) -> Decision {
        let Some(queue) = &self.queue else {
            return Decision::Forward;
        };
        let mut watch = queue.lock();
        let decision = watch.check(seen, joined);
        text.clear();
        text.extend_from_slice(watch.text());
        self.split_off.clear();
        self.split_off.extend_from_slice(watch.split_off());
        drop(watch);
        if decision == Decision::Refuse {
            self.record_answer(seen.time, seen.direction.reverse(), text);
        }
        decision
    }

    /// Records an answer of ours.
    pub(super) fn record_answer(&mut self, time: Duration, direction: Direction, bytes: &[u8]) {
        let unterminated = false;
        let line = Line {
            bytes,
            unterminated,
        };
        self.record(time, direction, line);
    }

    /// Records that the stream of a direction is at its end, and who ended the connection.
    pub(super) fn close(&mut self, time: Duration, direction: Direction, by: Party) {
        if self.closed_by.is_some() {
            return;
        }
        self.closed_by = Some(by);
        if let Some(recorder) = &mut self.recorder {
            recorder.end(time, direction, by);
        }
    }

    /// Checks what is left: the traffic is over.
    pub(super) fn finish(mut self) -> Summary {
        if let Some(recorder) = &mut self.recorder {
            recorder.close();
        }
        let mut summary = Summary {
            totals: None,
            notices: Vec::new(),
            trouble: Vec::new(),
        };
        if let Some(queue) = &mut self.queue {
            queue.finish();
            let mut watch = queue.lock();
            watch.skip(self.skipped);
            watch.end(self.closed_by);
            summary.totals = Some(watch.totals().clone());
            summary.notices = watch.notices();
        }
        let recorder = self.recorder.as_mut();
        summary.trouble.extend(recorder.and_then(Recorder::finish));
        summary
    }
}
