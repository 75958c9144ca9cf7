//! The file of a log. Lines that cannot be written are counted, and reported once.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::SystemTime;

use anyhow::Context;
use mcp_assay_live::output_queue::{OnDropped, Opening, Output, OutputQueue};
use mcp_assay_system::create_new_private;

use super::clock;
use super::latest::{self, Latest};
use crate::output;
use crate::output_file::{FileSeries, MAX_QUEUED, Opened, Rotation};

/// Lines are written together up to this size.
const BUFFER: usize = 64 << 10;

/// The file of a log, and the behaviour while the disk is slower than the traffic.
pub(super) enum LogFile {
    /// Waits: recorded traffic can.
    Waiting(Arc<Shared>, Latest),
    /// Drops lines: live traffic cannot wait.
    Queued(OutputQueue, CurrentPath),
}

/// The path of the newest file of a log; before there is one, that of its folder.
pub(super) type CurrentPath = Arc<Mutex<PathBuf>>;

/// Adds lines from another thread than the traffic. It may wait for the disk; after the end of the
/// log it does nothing.
#[derive(Clone)]
pub(super) enum SideDoor {
    Waiting(Weak<Shared>),
    Queued(OutputQueue),
}

impl SideDoor {
    /// Adds a line, which ends in a newline.
    pub(super) fn line(&self, line: &[u8]) {
        match self {
            Self::Waiting(shared) => {
                if let Some(shared) = shared.upgrade() {
                    shared.write(line);
                }
            }
            Self::Queued(queue) => {
                queue.push(line);
            }
        }
    }
}

/// The state that the writers share.
pub(super) struct Shared {
    path: PathBuf,
    sink: Mutex<Sink>,
    /// Lines that are not in the file.
    lost: AtomicU64,
    complained: AtomicBool,
}

struct Sink {
    file: Box<dyn Write + Send>,
    buffer: Vec<u8>,
    lines: u64,
    /// The last line was written in part: the next one must not be taken for the rest of it.
    torn: bool,
}

impl LogFile {
    /// Creates `<start time>.jsonl` in a folder, which is created if necessary, and points
    /// `latest.jsonl` to it.
    pub(super) fn create(folder: &Path, start: SystemTime) -> anyhow::Result<Self> {
        let context = || format!("failed to write a log to {}", folder.display());
        fs::create_dir_all(folder).with_context(context)?;
        let (path, file) = create_new(folder, start).with_context(context)?;
        let latest = latest::point_at(&path).with_context(context)?;
        Ok(Self::over(path, Box::new(file), latest))
    }

    /// The same for live traffic, which never waits for it: lines that do not fit are dropped.
    pub(super) fn create_live(
        folder: &Path,
        rotation: Rotation,
        on_dropped: OnDropped,
    ) -> anyhow::Result<Self> {
        let current = Arc::new(Mutex::new(folder.to_owned()));
        let (shown, files) = (Arc::clone(&current), folder.to_owned());
        let open = move || LiveLog::open(&files, rotation, shown);
        let queue = OutputQueue::start("log", MAX_QUEUED, Opening::Awaited, open, on_dropped);
        let queue =
            queue.with_context(|| format!("failed to write a log to {}", folder.display()))?;
        Ok(Self::Queued(queue, current))
    }

    fn over(path: PathBuf, file: Box<dyn Write + Send>, latest: Latest) -> Self {
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
        });
        Self::Waiting(shared, latest)
    }

    /// Adds a line, which ends in a newline.
    pub(super) fn line(&self, line: &[u8]) {
        match self {
            Self::Waiting(shared, _) => shared.write(line),
            Self::Queued(queue, _) => {
                queue.push(line);
            }
        }
    }

    /// Flushes the buffer, if a reader may be waiting for it.
    pub(super) fn flush(&self) {
        if let Self::Waiting(shared, _) = self {
            shared.flush();
        }
    }

    /// Takes no more lines: the traffic is over.
    pub(super) fn close_queue(&self) {
        if let Self::Queued(queue, _) = self {
            queue.close();
        }
    }

    /// Ends the log. Returns the number of lines that are missing from it.
    pub(super) fn finish(mut self) -> u64 {
        self.close();
        match &self {
            Self::Waiting(shared, _) => shared.lost.load(Ordering::Relaxed),
            Self::Queued(queue, _) => queue.missing(),
        }
    }

    /// A handle for lines that come from another thread than the traffic.
    pub(super) fn side_door(&self) -> SideDoor {
        match self {
            Self::Waiting(shared, _) => SideDoor::Waiting(Arc::downgrade(shared)),
            Self::Queued(queue, _) => SideDoor::Queued(queue.clone()),
        }
    }

    /// Its path.
    pub(super) fn path(&self) -> PathBuf {
        match self {
            Self::Waiting(shared, _) => shared.path.clone(),
            Self::Queued(_, current) => locked(current).clone(),
        }
    }

    fn close(&mut self) {
        match self {
            Self::Waiting(shared, latest) => {
                shared.flush();
                if std::mem::replace(latest, Latest::Linked) == Latest::Copied
                    && let Err(error) = latest::copy(&shared.path)
                {
                    output::say(&format!("failed to write latest.jsonl: {error}"));
                }
            }
            Self::Queued(queue, _) => {
                // The missing lines are asked for by those who report them.
                let _ = queue.finish();
            }
        }
    }
}

/// Flushes the log, whatever ends a run.
impl Drop for LogFile {
    fn drop(&mut self) {
        self.close();
    }
}

/// The files of live traffic.
struct LiveLog {
    series: FileSeries,
    current: CurrentPath,
    /// Whether `latest.jsonl` is a copy, which has to be made at the end.
    is_copied: Arc<AtomicBool>,
}

impl LiveLog {
    fn open(folder: &Path, rotation: Rotation, current: CurrentPath) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        let is_copied = Arc::new(AtomicBool::new(false));
        let (folder, shown, copied) = (
            folder.to_owned(),
            Arc::clone(&current),
            Arc::clone(&is_copied),
        );
        let mut is_begun = false;
        let next = move || {
            let (path, file) = create_new(&folder, SystemTime::now())?;
            let latest = latest::point_at(&path)?;
            copied.store(latest == Latest::Copied, Ordering::Relaxed);
            let old = std::mem::replace(&mut *locked(&shown), path);
            let before = std::mem::replace(&mut is_begun, true).then_some(old);
            let file = Box::new(file);
            Ok(Opened { file, before })
        };
        Ok(Self {
            series: FileSeries::begin(Box::new(next), rotation, "")?,
            current,
            is_copied,
        })
    }
}

impl Output for LiveLog {
    fn write(&mut self, lines: &[u8]) -> io::Result<()> {
        self.series.write(lines)
    }

    fn finish(&mut self) -> io::Result<()> {
        self.series.finish()?;
        if self.is_copied.load(Ordering::Relaxed) {
            let path = locked(&self.current).clone();
            latest::copy(&path)?;
        }
        Ok(())
    }
}

fn locked(path: &Mutex<PathBuf>) -> MutexGuard<'_, PathBuf> {
    path.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared {
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
fn create_new(folder: &Path, start: SystemTime) -> io::Result<(PathBuf, File)> {
    let stamp = clock::file_stamp(start);
    for number in 1..1000 {
        let name = match number {
            1 => format!("{stamp}.jsonl"),
            number => format!("{stamp}-{number}.jsonl"),
        };
        let path = folder.join(name);
        match create_new_private(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            opened => return opened.map(|file| (path, file)),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let kept = Arc::new(Mutex::new(Vec::new()));
        let full = Full {
            kept: Arc::clone(&kept),
            failures: 1,
        };
        let log = LogFile::over("test.jsonl".into(), Box::new(full), Latest::Linked);
        log.line(b"{\"n\":1}\n");
        log.flush();
        log.line(b"{\"n\":2}\n");
        assert_eq!(log.finish(), 1);
        let kept = kept.lock().unwrap();
        assert_eq!(&kept[..], b"{\"n\n{\"n\":2}\n");
    }

    #[test]
    fn runs_that_begin_at_the_same_time_have_their_own_files() {
        let folder = tempfile::tempdir().unwrap();
        let now = SystemTime::now();
        let logs: Vec<_> = (0..3)
            .map(|_| LogFile::create(folder.path(), now).unwrap())
            .collect();
        for (index, log) in logs.iter().enumerate() {
            log.line(format!("{index}\n").as_bytes());
        }
        let paths: Vec<_> = logs.iter().map(LogFile::path).collect();
        for log in logs {
            assert_eq!(log.finish(), 0);
        }
        for (index, path) in paths.iter().enumerate() {
            assert_eq!(fs::read_to_string(path).unwrap(), format!("{index}\n"));
        }
        let latest = fs::read_to_string(folder.path().join("latest.jsonl")).unwrap();
        assert_eq!(latest, "2\n");
    }

    #[test]
    fn a_live_log_is_rotated_and_the_latest_file_is_known() {
        let folder = tempfile::tempdir().unwrap();
        let rotation = Rotation {
            size: Some(10),
            ..Rotation::default()
        };
        let log = LogFile::create_live(folder.path(), rotation, Box::new(|_| {})).unwrap();
        for index in 0..4 {
            log.line(format!("line {index}\n").as_bytes());
        }
        assert_eq!(log.finish(), 0);
        let latest = fs::read_to_string(folder.path().join("latest.jsonl")).unwrap();
        assert_eq!(latest, "line 3\n");
        let files = fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(files, 5, "four files, and the link");
    }
}
