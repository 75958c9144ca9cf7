//! Checks that wait until the traffic pauses.
//!
//! Short tasks run inline in the next pause, in their order; a long task, and all that follows it,
//! goes to a thread of its own. Memory is bounded: a task that does not fit is refused, and its
//! owner counts the message as unchecked.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

/// A worker that runs deferred tasks.
pub trait Work: Send + 'static {
    /// A task; its bytes are held for it.
    type Task: Send + 'static;

    /// Runs a task.
    fn run(&mut self, task: &Self::Task, bytes: &[u8]);
}

/// The limits of a queue.
#[derive(Clone, Copy, Debug)]
pub struct QueueLimits {
    /// Deferred tasks before they run inline.
    pub deferred: usize,
    /// The size of deferred tasks before they run inline.
    pub deferred_bytes: usize,
    /// The size of the largest task that runs inline: a smaller one takes less time than to hand
    /// it over.
    pub inline_bytes: usize,
    /// The size of the tasks that may wait for the thread.
    pub queued_bytes: usize,
}

/// Tasks in their order, and the worker that runs them.
pub struct DeferredQueue<W: Work> {
    shared: Arc<Shared<W>>,
    limits: QueueLimits,
    tasks: Vec<(W::Task, usize)>,
    /// The bytes of the deferred tasks, one after the other.
    bytes: Vec<u8>,
    size: usize,
    sender: Option<Sender<Queued<W>>>,
    thread: Option<JoinHandle<()>>,
}

struct Shared<W> {
    worker: Mutex<W>,
    /// The size of the tasks that the thread has not run yet.
    waiting: AtomicUsize,
}

/// A task for the thread.
struct Queued<W: Work> {
    task: W::Task,
    bytes: Vec<u8>,
    size: usize,
}

impl<W: Work> DeferredQueue<W> {
    /// A queue with nothing in it; the thread is started when it is needed.
    #[must_use]
    pub fn new(worker: W, limits: QueueLimits) -> Self {
        Self {
            shared: Arc::new(Shared {
                worker: Mutex::new(worker),
                waiting: AtomicUsize::new(0),
            }),
            limits,
            tasks: Vec::new(),
            bytes: Vec::new(),
            size: 0,
            sender: None,
            thread: None,
        }
    }

    /// Defers a task with a copy of its bytes. Returns whether it fits.
    pub fn defer(&mut self, task: W::Task, bytes: &[u8], size: usize) -> bool {
        let waiting = self.shared.waiting.load(Ordering::Acquire);
        waiting + size <= self.limits.queued_bytes && self.push(task, bytes, size)
    }

    /// Defers a task that has no bytes and always fits.
    pub fn defer_small(&mut self, task: W::Task) {
        self.push(task, &[], 1);
    }

    /// Runs the deferred tasks now: the traffic pauses.
    pub fn run(&mut self) {
        if self.tasks.is_empty() {
            return;
        }
        let mut worker = self.shared.lock();
        let mut start = 0;
        for (task, end) in self.tasks.drain(..) {
            worker.run(&task, self.bytes.get(start..end).unwrap_or_default());
            start = end;
        }
        self.bytes.clear();
        self.size = 0;
    }

    /// The worker, before or after any deferred task.
    pub fn lock(&self) -> MutexGuard<'_, W> {
        self.shared.lock()
    }

    /// Runs everything that waits, and ends the thread.
    pub fn finish(&mut self) {
        self.run();
        drop(self.sender.take());
        if let Some(thread) = self.thread.take() {
            // It catches a task that panics.
            let _ = thread.join();
        }
    }

    fn push(&mut self, task: W::Task, bytes: &[u8], size: usize) -> bool {
        let is_behind = self.shared.waiting.load(Ordering::Acquire) > 0;
        if is_behind || size > self.limits.inline_bytes {
            self.run();
            return self.hand_over(task, bytes, size);
        }
        self.bytes.extend_from_slice(bytes);
        self.tasks.push((task, self.bytes.len()));
        self.size += size;
        if self.tasks.len() >= self.limits.deferred || self.size > self.limits.deferred_bytes {
            self.run();
        }
        true
    }

    fn hand_over(&mut self, task: W::Task, bytes: &[u8], size: usize) -> bool {
        let shared = &self.shared;
        shared.waiting.fetch_add(size, Ordering::AcqRel);
        let sender = self.sender.get_or_insert_with(|| {
            let (sender, receiver) = channel();
            let shared = Arc::clone(shared);
            let thread = std::thread::Builder::new().name("check".to_owned());
            self.thread = thread.spawn(move || shared.work(&receiver)).ok();
            sender
        });
        let bytes = bytes.to_vec();
        let is_sent = sender.send(Queued { task, bytes, size }).is_ok();
        if !is_sent {
            // The thread could not be started.
            shared.waiting.fetch_sub(size, Ordering::AcqRel);
        }
        is_sent
    }
}

impl<W: Work> Shared<W> {
    /// A worker is consistent after each task: it catches a check that fails.
    fn lock(&self) -> MutexGuard<'_, W> {
        self.worker.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs tasks in the order in which they came.
    fn work(&self, queue: &Receiver<Queued<W>>) {
        for queued in queue {
            let run = || self.lock().run(&queued.task, &queued.bytes);
            let _caught = catch_unwind(AssertUnwindSafe(run));
            self.waiting.fetch_sub(queued.size, Ordering::AcqRel);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Notes the tasks that ran; a task of 13 panics.
    #[derive(Default)]
    struct Notes(Vec<(u32, usize)>);

    impl Work for Notes {
        type Task = u32;

        fn run(&mut self, task: &u32, bytes: &[u8]) {
            assert_ne!(*task, 13, "a task that panics");
            self.0.push((*task, bytes.len()));
        }
    }

    fn queue() -> DeferredQueue<Notes> {
        let limits = QueueLimits {
            deferred: 3,
            deferred_bytes: 10,
            inline_bytes: 8,
            queued_bytes: 100,
        };
        DeferredQueue::new(Notes::default(), limits)
    }

    #[test]
    fn tasks_run_in_their_order_whoever_runs_them() {
        let mut queue = queue();
        let sizes = [1, 2, 60, 1, 13, 3, 1, 1, 1, 9, 1];
        for (number, size) in (1_u32..).zip(sizes) {
            let number = if size == 13 { 13 } else { number };
            assert!(queue.defer(number, &vec![b' '; size], size), "{number}");
        }
        queue.defer_small(99);
        queue.finish();
        let mut expected: Vec<_> = (1..).zip(sizes).filter(|(_, size)| *size != 13).collect();
        expected.push((99, 0));
        assert_eq!(queue.lock().0, expected);
    }

    #[test]
    fn short_tasks_wait_for_a_pause_or_for_too_many_of_them() {
        let mut queue = queue();
        assert!(queue.defer(1, b"a", 1) && queue.defer(2, b"b", 1));
        assert!(queue.lock().0.is_empty());
        queue.run();
        assert_eq!(queue.lock().0.len(), 2);
        assert!(queue.defer(3, b"", 5) && queue.defer(4, b"", 6));
        assert_eq!(queue.lock().0.len(), 4);
    }

    #[test]
    fn a_task_that_does_not_fit_is_refused() {
        let mut queue = queue();
        assert!(!queue.defer(1, b"", 101));
        let held = Arc::clone(&queue.shared);
        let worker = held.lock();
        assert!(queue.defer(2, b"", 60));
        assert!(!queue.defer(3, b"", 41));
        drop(worker);
        queue.finish();
        assert!(queue.defer(4, b"", 5));
        queue.finish();
        assert_eq!(queue.lock().0, [(2, 0), (4, 0)]);
    }
}
