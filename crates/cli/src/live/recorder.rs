//! Writes traffic to a file in the capture format. Each record is handed to the system at once, so
//! that only the last can be lost when the program is killed.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use anyhow::Context;
use mcp_assay::{Direction, Line, Party};
use mcp_assay_live::record::RecordWriter;

use crate::log::file_stamp;
use crate::output::counted;

/// A capture that is being written. A full disk stops nothing: lost records are counted.
pub(crate) struct Recorder {
    writer: RecordWriter,
    path: PathBuf,
    file: RecordFile,
}

struct RecordFile {
    out: Box<dyn Write + Send>,
    /// Whether the last record may stand there in part.
    broken: bool,
    lost: u64,
    trouble: Option<io::Error>,
}

impl Recorder {
    /// Begins a capture. In a folder it gets a name of its own, from the time and the process.
    pub(crate) fn create(path: &Path) -> anyhow::Result<Self> {
        let path = if path.is_dir() {
            let now = file_stamp(SystemTime::now());
            path.join(format!("{now}-{}.ndjson", std::process::id()))
        } else {
            path.to_owned()
        };
        let file = open(&path).with_context(|| format!("failed to write {}", path.display()))?;
        Ok(Self::new(Box::new(file), path))
    }

    fn new(out: Box<dyn Write + Send>, path: PathBuf) -> Self {
        Self {
            writer: RecordWriter::default(),
            path,
            file: RecordFile {
                out,
                broken: false,
                lost: 0,
                trouble: None,
            },
        }
    }

    /// Records a line of a stdio stream.
    pub(crate) fn line(&mut self, time: Duration, direction: Direction, line: Line<'_>) {
        self.file.write(self.writer.line(time, direction, line));
    }

    /// Records that a stdio stream is at its end, and who ended the connection.
    pub(crate) fn end(&mut self, time: Duration, direction: Direction, by: Party) {
        self.file.write(self.writer.end_of(time, direction, by));
    }

    /// Writes a record that was made elsewhere.
    pub(crate) fn write(&mut self, record: &str) {
        self.file.write(record);
    }

    /// The records that could not be written, in words.
    pub(crate) fn trouble(&self) -> Option<String> {
        let error = self.file.trouble.as_ref()?;
        Some(format!(
            "{} of the traffic could not be written to {}: {error}",
            counted(self.file.lost, "record"),
            self.path.display()
        ))
    }
}

impl RecordFile {
    fn write(&mut self, record: &str) {
        let record = record.as_bytes();
        let result = if self.broken {
            // A record that is there in part becomes a line of its own.
            self.out
                .write_all(b"\n")
                .and_then(|()| self.out.write_all(record))
        } else {
            self.out.write_all(record)
        };
        match result.and_then(|()| self.out.flush()) {
            Ok(()) => self.broken = false,
            Err(error) => {
                self.broken = true;
                self.lost += 1;
                self.trouble.get_or_insert(error);
            }
        }
    }
}

fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new()
        .create(true)
        .write(true)
        .truncate(true)
        .open(path)
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;

    #[test]
    fn a_full_disk_is_counted_and_the_rest_stays_readable() {
        let written = Arc::new(Mutex::new(Vec::new()));
        let mut recorder = Recorder::new(Box::new(Shared(Arc::clone(&written), 60)), "x".into());
        let line = Line {
            bytes: b"{}",
            unterminated: false,
        };
        for _ in 0..3 {
            recorder.line(Duration::ZERO, Direction::ClientToServer, line);
        }
        let text = String::from_utf8(written.lock().unwrap().clone()).unwrap();
        assert_eq!(text.lines().filter(|line| line.ends_with('}')).count(), 1);
        let trouble = recorder.trouble().unwrap();
        assert!(trouble.starts_with("2 records of the traffic could not be written to x: "));
    }

    /// Takes so many bytes and then no more, like a disk.
    struct Shared(Arc<Mutex<Vec<u8>>>, usize);

    impl Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let mut written = self.0.lock().unwrap();
            let room = self.1 - written.len();
            if room == 0 {
                return Err(io::ErrorKind::StorageFull.into());
            }
            let count = bytes.len().min(room);
            written.extend_from_slice(&bytes[..count]);
            Ok(count)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
}
