//! A bounded queue before an output: traffic never waits for a disk, a pipe or a terminal.
//!
//! Entries are whole lines. The queue appends them to a buffer, and a thread of its own hands the
//! buffer to the [`Output`] in large pieces. An entry that does not fit is dropped and counted; so
//! is one that the output fails to write. The output itself, a file or a stream, is somebody
//! else's.

use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Bytes that one call of [`Output::write`] gets, unless a single line is longer.
const MAX_PIECE: usize = 64 << 10;

/// How long the thread waits for more entries after the first: many are written at once.
const GATHER: Duration = Duration::from_millis(1);

/// The buffer that an idle queue keeps.
const MAX_IDLE_BUFFER: usize = 1 << 20;

/// How long a queue waits at its end for an output that writes nothing.
const STALL_TIMEOUT: Duration = Duration::from_secs(2);

/// How long a queue waits at its end in all.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(10);

/// How long opening an output may delay the start.
const OPEN_TIMEOUT: Duration = Duration::from_secs(2);

/// The destination of lines. All calls come from one thread, and may take any time.
pub trait Output {
    /// Writes whole lines.
    fn write(&mut self, lines: &[u8]) -> io::Result<()>;

    /// Ends the output.
    fn finish(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Gets the number of entries that were dropped, whenever some are.
pub type OnDropped = Box<dyn Fn(u64) + Send + Sync>;

/// The start of an output.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Opening {
    /// Wait until it is open, or has failed to open, or takes too long.
    Awaited,
    /// Do not wait: somebody else decides when it opens, as with a named pipe.
    Deferred,
}

/// The entries that are missing from an output at its end.
#[derive(Debug, Default)]
pub struct Missing {
    /// Their number.
    pub entries: u64,
    /// The reason, in words.
    pub reason: Option<String>,
}

/// A bounded queue before an output. Clones share it.
///
/// ```
/// use std::io;
/// use std::sync::{Arc, Mutex};
///
/// use mcp_assay_live::output_queue::{Opening, Output, OutputQueue};
///
/// struct Memory(Arc<Mutex<Vec<u8>>>);
/// impl Output for Memory {
///     fn write(&mut self, lines: &[u8]) -> io::Result<()> {
///         self.0.lock().unwrap().extend_from_slice(lines);
///         Ok(())
///     }
/// }
///
/// let memory = Arc::new(Mutex::new(Vec::new()));
/// let output = Memory(Arc::clone(&memory));
/// let open = move || Ok(output);
/// let queue = OutputQueue::start("log", 1 << 20, Opening::Awaited, open, Box::new(|_| {}))?;
/// assert!(queue.push(b"one\n"));
/// assert_eq!(queue.finish().entries, 0);
/// assert_eq!(*memory.lock().unwrap(), b"one\n");
/// # Ok::<(), io::Error>(())
/// ```
#[derive(Clone)]
pub struct OutputQueue(Arc<Shared>);

struct Shared {
    /// Bytes that may wait, unless a single entry is longer.
    limit: usize,
    state: Mutex<State>,
    /// Wakes the thread.
    work: Condvar,
    /// Wakes those who wait for the thread.
    progress: Condvar,
    on_dropped: OnDropped,
}

#[derive(Default)]
struct State {
    waiting: Vec<u8>,
    waiting_entries: u64,
    /// Bytes and lines that the thread has taken and not written yet.
    writing: usize,
    writing_entries: u64,
    /// Whether the thread sleeps until an entry comes.
    is_asleep: bool,
    is_open: bool,
    /// The time at which it was closed: several queues may be closed, and then waited for together.
    closed_at: Option<Instant>,
    is_done: bool,
    /// Counts the steps of the thread.
    steps: u64,
    missing: u64,
    failure: Option<io::Error>,
}

impl OutputQueue {
    /// Starts the thread, which opens the output and then writes to it. Fails if the output cannot
    /// be opened; if that takes too long, entries wait.
    pub fn start<O: Output>(
        name: &str,
        limit: usize,
        opening: Opening,
        open: impl FnOnce() -> io::Result<O> + Send + 'static,
        on_dropped: OnDropped,
    ) -> io::Result<Self> {
        let shared = Arc::new(Shared {
            limit,
            state: Mutex::default(),
            work: Condvar::new(),
            progress: Condvar::new(),
            on_dropped,
        });
        let worker = Arc::clone(&shared);
        thread::Builder::new()
            .name(name.to_owned())
            .spawn(move || worker.run(open))?;
        if opening == Opening::Awaited {
            shared.wait_until_open()?;
        }
        Ok(Self(shared))
    }

    /// Adds an entry, which is one or several whole lines. Returns whether there was room.
    pub fn push(&self, entry: &[u8]) -> bool {
        let mut state = self.0.lock();
        let is_kept = state.add(entry, self.0.limit);
        let wakes = is_kept && std::mem::take(&mut state.is_asleep);
        drop(state);
        if wakes {
            self.0.work.notify_one();
        }
        if !is_kept {
            (self.0.on_dropped)(1);
        }
        is_kept
    }

    /// Adds an entry when there is room: the traffic is over. Gives up if the output stalls.
    pub fn push_patiently(&self, entry: &[u8]) -> bool {
        let is_full = |state: &State| {
            let held = state.waiting.len() + state.writing;
            held > 0 && held + entry.len() > self.0.limit && !state.is_done
        };
        drop(self.0.wait_while(is_full, Instant::now(), FLUSH_TIMEOUT));
        self.push(entry)
    }

    /// Whether entries wait that the thread has not taken yet.
    #[must_use]
    pub fn has_waiting(&self) -> bool {
        !self.0.lock().waiting.is_empty()
    }

    /// Entries that are missing so far.
    #[must_use]
    pub fn missing(&self) -> u64 {
        self.0.lock().missing
    }

    /// Takes no more entries, and lets the thread write those that wait.
    pub fn close(&self) {
        let mut state = self.0.lock();
        state.closed_at.get_or_insert_with(Instant::now);
        drop(state);
        self.0.work.notify_one();
    }

    /// Waits until everything is written, for a bounded time: an output that stalls is left alone.
    /// Entries that are not written by then are missing.
    #[must_use]
    pub fn finish(&self) -> Missing {
        self.close();
        let since = self.0.lock().closed_at.unwrap_or_else(Instant::now);
        let is_busy = |state: &State| !state.is_done;
        let mut state = self.0.wait_while(is_busy, since, FLUSH_TIMEOUT);
        let left = if state.is_done {
            0
        } else {
            // From now on the thread writes for nobody.
            state.is_done = true;
            state.waiting = Vec::new();
            std::mem::take(&mut state.waiting_entries) + std::mem::take(&mut state.writing_entries)
        };
        state.missing += left;
        let reason = match &state.failure {
            Some(error) => Some(error.to_string()),
            None if left > 0 => Some("it takes no more bytes".to_owned()),
            None if state.missing > 0 => Some("it is slower than the traffic".to_owned()),
            None => None,
        };
        let missing = Missing {
            entries: state.missing,
            reason,
        };
        drop(state);
        if left > 0 {
            (self.0.on_dropped)(left);
        }
        missing
    }
}

impl State {
    fn add(&mut self, entry: &[u8], limit: usize) -> bool {
        let held = self.waiting.len() + self.writing;
        let is_over = self.closed_at.is_some() || self.is_done;
        // A single entry may be as long as it is: messages have their own limit.
        if is_over || (held > 0 && held + entry.len() > limit) {
            self.missing += 1;
            return false;
        }
        self.waiting.extend_from_slice(entry);
        self.waiting_entries += 1;
        true
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait_until_open(&self) -> io::Result<()> {
        let is_pending = |state: &State| !state.is_open && !state.is_done;
        let mut state = self.wait_while(is_pending, Instant::now(), OPEN_TIMEOUT);
        match state.failure.take() {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    /// Waits while the condition holds and the thread makes progress, for some time since a moment.
    fn wait_while(
        &self,
        condition: impl Fn(&State) -> bool,
        since: Instant,
        timeout: Duration,
    ) -> MutexGuard<'_, State> {
        let mut state = self.lock();
        let deadline = since + timeout;
        let (mut steps, mut stalled_at) = (state.steps, since + STALL_TIMEOUT);
        while condition(&state) {
            let now = Instant::now();
            if state.steps != steps {
                (steps, stalled_at) = (state.steps, now + STALL_TIMEOUT);
            }
            let until = deadline.min(stalled_at);
            if now >= until {
                break;
            }
            let waited = self.progress.wait_timeout(state, until - now);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        state
    }

    /// Opens the output, and writes entries to it as they come.
    fn run<O: Output>(&self, open: impl FnOnce() -> io::Result<O>) {
        let mut output = match open() {
            Ok(output) => output,
            Err(error) => return self.fail(error),
        };
        self.lock().is_open = true;
        self.progress.notify_all();
        let mut batch = Vec::new();
        while self.take(&mut batch) {
            let mut rest = &batch[..];
            while !rest.is_empty() {
                let (piece, after) = rest.split_at(piece_end(rest));
                let result = output.write(piece);
                self.note(piece, result);
                rest = after;
            }
            batch.clear();
            batch.shrink_to(MAX_IDLE_BUFFER);
            self.lock().writing_entries = 0;
        }
        let result = output.finish();
        // An output that was ended in its own time may be released in its own time, too.
        drop(output);
        let mut state = self.lock();
        if let Err(error) = result {
            state.failure.get_or_insert(error);
        }
        state.is_done = true;
        drop(state);
        self.progress.notify_all();
    }

    /// Takes the entries that wait; waits for some if there are none. Returns whether there were.
    fn take(&self, batch: &mut Vec<u8>) -> bool {
        let mut state = self.lock();
        while state.waiting.is_empty() && state.closed_at.is_none() {
            state.is_asleep = true;
            state = self.wait(state);
        }
        state.is_asleep = false;
        if state.waiting.is_empty() || state.is_done {
            return false;
        }
        if state.waiting.len() < MAX_PIECE && state.closed_at.is_none() {
            let waited = self.work.wait_timeout(state, GATHER);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        std::mem::swap(&mut state.waiting, batch);
        state.writing = batch.len();
        state.writing_entries = std::mem::take(&mut state.waiting_entries);
        true
    }

    fn wait<'s>(&self, state: MutexGuard<'s, State>) -> MutexGuard<'s, State> {
        let waited = self.work.wait(state);
        waited.unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a piece that was written, or was not.
    fn note(&self, piece: &[u8], result: io::Result<()>) {
        let lines = memchr::memchr_iter(b'\n', piece).count() as u64;
        let mut state = self.lock();
        state.steps += 1;
        state.writing = state.writing.saturating_sub(piece.len());
        state.writing_entries = state.writing_entries.saturating_sub(lines);
        let is_lost = result.is_err();
        if let Err(error) = result {
            state.missing += lines;
            state.failure.get_or_insert(error);
        }
        drop(state);
        self.progress.notify_all();
        if is_lost {
            (self.on_dropped)(lines);
        }
    }

    /// The output cannot be opened: nothing that waits for it is ever written.
    fn fail(&self, error: io::Error) {
        let mut state = self.lock();
        state.failure = Some(error);
        state.is_done = true;
        let left = std::mem::take(&mut state.waiting_entries);
        state.waiting = Vec::new();
        state.missing += left;
        drop(state);
        self.progress.notify_all();
        if left > 0 {
            (self.on_dropped)(left);
        }
    }
}

/// The end of the first piece: whole lines up to [`MAX_PIECE`], or one longer line.
fn piece_end(lines: &[u8]) -> usize {
    if lines.len() <= MAX_PIECE {
        return lines.len();
    }
    let fitting = lines.get(..MAX_PIECE).unwrap_or(lines);
    let end = memchr::memrchr(b'\n', fitting).or_else(|| memchr::memchr(b'\n', lines));
    end.map_or(lines.len(), |end| end + 1)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::sync::mpsc::{Receiver, channel};

    use super::*;

    /// Keeps lines, once it may.
    struct Slow {
        released: Option<Receiver<()>>,
        kept: Arc<Mutex<Vec<u8>>>,
        failures: usize,
    }

    impl Output for Slow {
        fn write(&mut self, lines: &[u8]) -> io::Result<()> {
            if let Some(released) = &self.released {
                // When nobody can release it any more, it goes on.
                let _ = released.recv();
            }
            if self.failures > 0 {
                self.failures -= 1;
                return Err(io::ErrorKind::StorageFull.into());
            }
            self.kept.lock().unwrap().extend_from_slice(lines);
            Ok(())
        }
    }

    fn start(limit: usize, output: Slow) -> (OutputQueue, Arc<AtomicU64>) {
        let counted = Arc::new(AtomicU64::new(0));
        let total = Arc::clone(&counted);
        let on_dropped = Box::new(move |count| {
            total.fetch_add(count, Ordering::Relaxed);
        });
        let open = move || Ok(output);
        let queue = OutputQueue::start("test", limit, Opening::Awaited, open, on_dropped);
        (queue.unwrap(), counted)
    }

    #[test]
    fn a_fast_output_gets_everything_in_order() {
        let kept = Arc::new(Mutex::new(Vec::new()));
        let output = Slow {
            released: None,
            kept: Arc::clone(&kept),
            failures: 0,
        };
        let (queue, counted) = start(64 << 20, output);
        let mut expected = Vec::new();
        for number in 0..100_000_u32 {
            let line = format!("{number}\n");
            expected.extend_from_slice(line.as_bytes());
            assert!(queue.push(line.as_bytes()));
        }
        let long = [&vec![b'x'; 3 * MAX_PIECE][..], b"\n"].concat();
        expected.extend_from_slice(&long);
        assert!(queue.push(&long));
        assert_eq!(queue.finish().entries, 0);
        assert_eq!(counted.load(Ordering::Relaxed), 0);
        assert!(*kept.lock().unwrap() == expected);
        assert!(!queue.push(b"late\n"));
    }

    #[test]
    fn a_stuck_output_delays_nobody_and_the_rest_is_counted() {
        let (release, released) = channel();
        let kept = Arc::new(Mutex::new(Vec::new()));
        let output = Slow {
            released: Some(released),
            kept: Arc::clone(&kept),
            failures: 0,
        };
        let (queue, counted) = start(1000, output);
        let accepted = (0..1000).filter(|_| queue.push(b"ten bytes\n")).count();
        assert_eq!(accepted, 100, "as many as fit");
        let missing = queue.finish();
        assert_eq!(missing.entries, 1000, "it never wrote one");
        assert_eq!(counted.load(Ordering::Relaxed), 1000);
        assert_eq!(missing.reason.as_deref(), Some("it takes no more bytes"));
        drop(release);
    }

    #[test]
    fn lines_that_cannot_be_written_are_counted_and_the_next_are_written() {
        let kept = Arc::new(Mutex::new(Vec::new()));
        let output = Slow {
            released: None,
            kept: Arc::clone(&kept),
            failures: 1,
        };
        let (queue, counted) = start(1000, output);
        assert!(queue.push(b"one\n"));
        while queue.missing() == 0 {
            thread::yield_now();
        }
        assert!(queue.push(b"two\n"));
        let missing = queue.finish();
        assert_eq!((missing.entries, counted.load(Ordering::Relaxed)), (1, 1));
        assert!(missing.reason.is_some());
        assert_eq!(*kept.lock().unwrap(), b"two\n");
    }

    #[test]
    fn an_output_that_cannot_be_opened_is_an_error_at_once() {
        let open = || -> io::Result<Slow> { Err(io::ErrorKind::PermissionDenied.into()) };
        let queue = OutputQueue::start("test", 10, Opening::Awaited, open, Box::new(|_| {}));
        let error = queue.err().map(|error| error.kind());
        assert_eq!(error, Some(io::ErrorKind::PermissionDenied));
    }

    #[test]
    fn pieces_are_whole_lines() {
        let mut lines = b"short\n".repeat(MAX_PIECE / 4);
        lines.extend(vec![b'y'; 2 * MAX_PIECE]);
        lines.push(b'\n');
        let mut rest = &lines[..];
        let mut longest = 0;
        while !rest.is_empty() {
            let (piece, after) = rest.split_at(piece_end(rest));
            assert_eq!(piece.last(), Some(&b'\n'));
            longest = longest.max(piece.len());
            rest = after;
        }
        assert_eq!(longest, 2 * MAX_PIECE + 1);
    }
}
