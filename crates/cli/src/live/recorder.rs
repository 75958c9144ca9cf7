//! Writes what passes in the capture format. Each record is handed to the system at once, so that only the last can be lost when
//! the program is killed.

mod http;

pub(crate) use self::http::HttpRecord;

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use anyhow::Context;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use mcp_assay::Direction;

use super::Line;
use crate::log::file_stamp;

/// A capture that is being written. A full disk stops nothing: what is lost is counted.
pub(crate) struct Recorder {
    out: Box<dyn Write + Send>,
    path: PathBuf,
    record: Vec<u8>,
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
            out,
            path,
            record: Vec::new(),
            broken: false,
            lost: 0,
            trouble: None,
        }
    }

    /// Records a line of a stdio stream.
    pub(crate) fn line(&mut self, time: Duration, direction: Direction, line: Line<'_>) {
        let mut record = std::mem::take(&mut self.record);
        record.clear();
        // Writing to memory cannot fail.
        let _ = write!(
            record,
            "{{\"t\":{:.6},\"dir\":\"{}\",",
            time.as_secs_f64(),
            direction.name()
        );
        write_bytes("raw", line.bytes, &mut record);
        if line.unterminated {
            record.extend_from_slice(b",\"unterminated\":true");
        }
        record.extend_from_slice(b"}\n");
        self.write(&record);
        self.record = record;
    }

    /// What went wrong, if anything did.
    pub(crate) fn trouble(&self) -> Option<String> {
        let error = self.trouble.as_ref()?;
        Some(format!(
            "{} of the traffic could not be written to {}: {error}",
            counted(self.lost, "record"),
            self.path.display()
        ))
    }

    fn write(&mut self, record: &[u8]) {
        let result = if self.broken {
            // What stands there in part becomes a line of its own.
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

/// A count with its noun.
pub(crate) fn counted(count: u64, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}

/// A member with the exact bytes: as a string, or in Base64 where they are not UTF-8.
fn write_bytes(name: &str, bytes: &[u8], out: &mut Vec<u8>) {
    // Writing to memory cannot fail.
    let _ = match std::str::from_utf8(bytes) {
        Ok(text) => write!(out, "\"{name}\":")
            .and_then(|()| serde_json::to_writer(&mut *out, text).map_err(Into::into)),
        Err(_) => write!(out, "\"{name}_b64\":\"{}\"", STANDARD.encode(bytes)),
    };
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;

    #[test]
    fn records_are_of_the_capture_format() {
        let written = Arc::new(Mutex::new(Vec::new()));
        let mut recorder = Recorder::new(
            Box::new(Shared(Arc::clone(&written), usize::MAX)),
            PathBuf::new(),
        );
        for bytes in [&b"{\"a\":\"\xc3\xa4\"}"[..], b"\xff"] {
            let line = Line {
                bytes,
                unterminated: bytes.len() == 1,
            };
            recorder.line(Duration::from_millis(1500), Direction::ServerToClient, line);
        }
        let text = String::from_utf8(written.lock().unwrap().clone()).unwrap();
        assert_eq!(
            text,
            "{\"t\":1.500000,\"dir\":\"s2c\",\"raw\":\"{\\\"a\\\":\\\"ä\\\"}\"}\n\
             {\"t\":1.500000,\"dir\":\"s2c\",\"raw_b64\":\"/w==\",\"unterminated\":true}\n"
        );
        assert!(recorder.trouble().is_none());
    }

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
