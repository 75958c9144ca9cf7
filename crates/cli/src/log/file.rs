//! The file of a log. Lines that cannot be written are counted, and reported once.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread::{self, JoinHandle};
use std::time::SystemTime;

use anyhow::Context;

use super::clock;
use super::latest::{self, Latest};
use crate::output;

/// Lines, and bytes, that may wait for a slow disk before further ones are dropped.
const QUEUED_LINES: usize = 4096;
const QUEUED_BYTES: usize = 64 << 20;

/// Lines are written together up to this size.
const BUFFER: usize = 64 << 10;

/// The behaviour while the disk is slower than the traffic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Pace {
    /// Wait: recorded traffic can.
    Wait,
    /// Drop lines: live traffic cannot wait.
    Keep,
}

/// The readers of a log.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Readers {
    /// The readers that the system allows for new files.
    Usual,
    /// The owner alone.
    Owner,
}

/// The file of a log.
pub(super) struct LogFile {
    shared: Arc<Shared>,
    latest: Latest,
    queue: Option<Queue>,
}

/// Adds lines from another thread than the traffic. It may wait for the disk; after the end of the
/// log it does nothing.
#[derive(Clone)]
pub(super) struct SideDoor(Weak<Shared>);

impl SideDoor {
    /// Adds a line, which ends in a newline.
    pub(super) fn line(&self, line: &[u8]) {
        if let Some(shared) = self.0.upgrade() {
            shared.write(line);
        }
    }
}

/// The state that the writers share.
struct Shared {
    path: PathBuf,
    sink: Mutex<Sink>,
    /// Lines that are not in the file.
    lost: AtomicU64,
    complained: AtomicBool,
    /// Bytes that wait.
    queued: AtomicUsize,
}

struct Sink {
    file: Box<dyn Write + Send>,
    buffer: Vec<u8>,
    lines: u64,
    /// The last line was written in part: the next one must not be taken for the rest of it.
    torn: bool,
}

struct Queue {
    sender: SyncSender<Vec<u8>>,
    thread: JoinHandle<()>,
}

impl LogFile {
    /// Creates `<start time>.jsonl` in a folder, which is created if necessary, and points
    /// `latest.jsonl` to it.
    pub(super) fn create(
        folder: &Path,
        start: SystemTime,
        readers: Readers,
        pace: Pace,
    ) -> anyhow::Result<Self> {
        let context = || format!("failed to write a log to {}", folder.display());
        fs::create_dir_all(folder).with_context(context)?;
        let (path, file) = create_new(folder, start, readers).with_context(context)?;
        let latest = latest::point_at(&path).with_context(context)?;
        Self::over(path, Box::new(file), latest, pace).with_context(context)
    }

    fn over(
        path: PathBuf,
        file: Box<dyn Write + Send>,
        latest: Latest,
        pace: Pace,
    ) -> io::Result<Self> {
        let sink = Sink {
            file,
            buffer: Vec::new(),
            lines: 0,
            torn: false,
        };
        let shared = Arc::new(Shared {
            path,
            sink: Mutex::new(sink),
            lost: AtomicU64::new(0),
            complained: AtomicBool::new(false),
            queued: AtomicUsize::new(0),
        });
        let queue = match pace {
            Pace::Wait => None,
            Pace::Keep => {
                let (sender, lines) = sync_channel(QUEUED_LINES);
                let shared = Arc::clone(&shared);
                let thread = thread::Builder::new()
                    .name("log".to_owned())
                    .spawn(move || shared.work(&lines))?;
                Some(Queue { sender, thread })
            }
        };
        Ok(Self {
            shared,
            latest,
            queue,
        })
    }

    /// Adds a line, which ends in a newline.
    pub(super) fn line(&self, line: Vec<u8>) {
        let Some(queue) = &self.queue else {
            return self.shared.write(&line);
        };
        let length = line.len();
        let waiting = self.shared.queued.fetch_add(length, Ordering::Relaxed);
        if waiting + length > QUEUED_BYTES || queue.sender.try_send(line).is_err() {
            self.shared.queued.fetch_sub(length, Ordering::Relaxed);
            self.shared.lose(1, &"the disk is slower than the traffic");
        }
    }

    /// Flushes the buffer, if a reader may be waiting for it.
    pub(super) fn flush(&self) {
        if self.queue.is_none() {
            self.shared.flush();
        }
    }

    /// Ends the log. Returns the number of lines that are missing from it.
    pub(super) fn finish(mut self) -> u64 {
        self.close();
        self.shared.lost.load(Ordering::Relaxed)
    }

    /// A handle for lines that come from another thread than the traffic.
    pub(super) fn side_door(&self) -> SideDoor {
        SideDoor(Arc::downgrade(&self.shared))
    }

    /// Its path.
    pub(super) fn path(&self) -> &Path {
        &self.shared.path
    }

    fn close(&mut self) {
        if let Some(Queue { sender, thread }) = self.queue.take() {
            drop(sender);
            if thread.join().is_err() {
                self.shared.lose(1, &"its thread died");
            }
        }
        self.shared.flush();
        if std::mem::replace(&mut self.latest, Latest::Linked) == Latest::Copied
            && let Err(error) = latest::copy(&self.shared.path)
        {
            output::say(&format!("failed to write latest.jsonl: {error}"));
        }
    }
}

/// Flushes the log, whatever ends a run.
impl Drop for LogFile {
    fn drop(&mut self) {
        self.close();
    }
}

impl Shared {
    /// Writes lines as they arrive; while none arrives, nothing is buffered.
    fn work(&self, lines: &Receiver<Vec<u8>>) {
        loop {
            let line = match lines.try_recv() {
                Ok(line) => line,
                Err(TryRecvError::Disconnected) => return,
                Err(TryRecvError::Empty) => {
                    self.flush();
                    match lines.recv() {
                        Ok(line) => line,
                        Err(_) => return,
                    }
                }
            };
            self.queued.fetch_sub(line.len(), Ordering::Relaxed);
            self.write(&line);
        }
    }

    fn write(&self, line: &[u8]) {
        let mut sink = self.sink();
        sink.buffer.extend_from_slice(line);
        sink.lines += 1;
        if sink.buffer.len() >= BUFFER {
            self.flush_sink(&mut sink);
        }
    }

    fn flush(&self) {
        self.flush_sink(&mut self.sink());
    }

    fn flush_sink(&self, sink: &mut Sink) {
        let Sink {
            file,
            buffer,
            lines,
            torn,
        } = sink;
        if buffer.is_empty() {
            return;
        }
        let separated = if *torn { file.write_all(b"\n") } else { Ok(()) };
        if let Err(error) = separated.and_then(|()| file.write_all(buffer)) {
            // The number of its bytes in the file is not known.
            *torn = true;
            self.lose(*lines, &error);
        } else {
            *torn = false;
        }
        buffer.clear();
        *lines = 0;
    }

    /// Counts lines that are not in the file, and reports it once.
    fn lose(&self, lines: u64, why: &dyn std::fmt::Display) {
        self.lost.fetch_add(lines, Ordering::Relaxed);
        if !self.complained.swap(true, Ordering::Relaxed) {
            let path = self.path.display();
            output::say(&format!("failed to write all of {path}: {why}"));
        }
    }

    fn sink(&self) -> MutexGuard<'_, Sink> {
        self.sink.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Creates a new file. Runs that begin at the same time get a number.
fn create_new(folder: &Path, start: SystemTime, readers: Readers) -> io::Result<(PathBuf, File)> {
    let stamp = clock::file_stamp(start);
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    restrict(&mut options, readers);
    for number in 1..1000 {
        let name = match number {
            1 => format!("{stamp}.jsonl"),
            number => format!("{stamp}-{number}.jsonl"),
        };
        let path = folder.join(name);
        match options.open(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            opened => return opened.map(|file| (path, file)),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

#[cfg(unix)]
fn restrict(options: &mut OpenOptions, readers: Readers) {
    use std::os::unix::fs::OpenOptionsExt;

    if readers == Readers::Owner {
        options.mode(0o600);
    }
}

/// On other systems the folder decides.
#[cfg(not(unix))]
fn restrict(_: &mut OpenOptions, _: Readers) {}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Sender, channel};
    use std::time::{Duration, Instant};

    use super::*;

    fn file(sink: impl Write + Send + 'static, pace: Pace) -> LogFile {
        let path = PathBuf::from("test.jsonl");
        LogFile::over(path, Box::new(sink), Latest::Linked, pace).unwrap()
    }

    /// A disk that is full for a while, after it accepted a part of the bytes.
    struct Full {
        kept: Arc<Mutex<Vec<u8>>>,
        failures: usize,
    }

    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let mut kept = self.kept.lock().unwrap();
            if self.failures > 0 {
                self.failures -= 1;
                kept.extend_from_slice(&bytes[..bytes.len().min(3)]);
                return Err(io::ErrorKind::StorageFull.into());
            }
            kept.extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn what_a_full_disk_refuses_is_counted_and_the_rest_stays_readable() {
        for pace in [Pace::Wait, Pace::Keep] {
            let kept = Arc::new(Mutex::new(Vec::new()));
            let log = file(
                Full {
                    kept: Arc::clone(&kept),
                    failures: 1,
                },
                pace,
            );
            log.line(b"{\"n\":1}\n".to_vec());
            log.shared.wait_for_queue();
            log.shared.flush();
            log.line(b"{\"n\":2}\n".to_vec());
            assert_eq!(log.finish(), 1, "{pace:?}");
            let kept = kept.lock().unwrap();
            assert_eq!(&kept[..], b"{\"n\n{\"n\":2}\n", "{pace:?}");
        }
    }

    impl Shared {
        fn wait_for_queue(&self) {
            while self.queued.load(Ordering::Relaxed) > 0 {
                thread::yield_now();
            }
        }
    }

    /// A disk that does not answer until it is released.
    struct Stuck(Receiver<()>);

    impl Write for Stuck {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            // Once it can no longer be released, it goes on.
            let _ = self.0.recv();
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn living_traffic_never_waits_for_a_disk() {
        let (go, wait): (Sender<()>, _) = channel();
        let log = file(Stuck(wait), Pace::Keep);
        let begun = Instant::now();
        let lines = 3 * QUEUED_LINES as u64;
        for _ in 0..lines {
            log.line(b"{}\n".to_vec());
        }
        assert!(begun.elapsed() < Duration::from_secs(5));
        drop(go);
        let lost = log.finish();
        assert!(lost > 0 && lost <= lines, "{lost}");
    }

    #[test]
    fn runs_that_begin_at_the_same_time_have_their_own_files() {
        let folder = tempfile::tempdir().unwrap();
        let now = SystemTime::now();
        let logs: Vec<_> = (0..3)
            .map(|_| LogFile::create(folder.path(), now, Readers::Owner, Pace::Wait).unwrap())
            .collect();
        for (index, log) in logs.iter().enumerate() {
            log.line(format!("{index}\n").into_bytes());
        }
        let paths: Vec<_> = logs.iter().map(|log| log.path().to_owned()).collect();
        for log in logs {
            assert_eq!(log.finish(), 0);
        }
        for (index, path) in paths.iter().enumerate() {
            assert_eq!(fs::read_to_string(path).unwrap(), format!("{index}\n"));
        }
        let latest = fs::read_to_string(folder.path().join("latest.jsonl")).unwrap();
        assert_eq!(latest, "2\n");
    }
}
