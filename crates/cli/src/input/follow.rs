//! A file that grows while it is read, until the user ends it.
//!
//! Only whole lines are given out: a line without its newline is still being written. A file that
//! is cut short is read anew, and one that is replaced is read to its end before the new one.

use std::fs::{self, File, Metadata};
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

#[cfg(windows)]
use crate::exit::Exit;
use crate::output;

/// The time between two looks at a file that did not grow.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// The longest beginning of a line that is held back.
const MAX_HELD: usize = 1 << 20;

const CHUNK: usize = 64 << 10;

/// Signs that reader and user exchange while a file is followed.
#[derive(Clone, Default, Debug)]
pub(crate) struct Signs {
    /// The user ends it.
    stopped: Arc<AtomicBool>,
    /// The file was cut short: lines may be missing.
    missed: Arc<AtomicBool>,
}

impl Signs {
    /// Signs of which Ctrl-C gives one. A second Ctrl-C ends the program at once.
    pub(crate) fn of_user() -> io::Result<Self> {
        let signs = Self::default();
        stop_on_signal(&signs.stopped)?;
        Ok(signs)
    }

    /// Whether lines may be missing since this was last asked.
    pub(crate) fn take_missed(&self) -> bool {
        self.missed.swap(false, Ordering::Relaxed)
    }

    fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }
}

#[cfg(unix)]
fn stop_on_signal(stopped: &Arc<AtomicBool>) -> io::Result<()> {
    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::flag;
    for signal in [SIGINT, SIGTERM] {
        flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(stopped))?;
        flag::register(signal, Arc::clone(stopped))?;
    }
    Ok(())
}

#[cfg(windows)]
fn stop_on_signal(stopped: &Arc<AtomicBool>) -> io::Result<()> {
    crate::interrupts::set_flag(Arc::clone(stopped), Exit::Interrupted.code())
}

/// A file that grows.
pub(crate) struct Growing {
    path: PathBuf,
    file: File,
    position: u64,
    signs: Signs,
    /// Bytes that were read; the first `ready` of them end in a newline.
    held: Vec<u8>,
    ready: usize,
}

impl Growing {
    pub(crate) fn open(path: &Path, signs: &Signs) -> io::Result<Self> {
        Ok(Self {
            path: path.to_owned(),
            file: File::open(path)?,
            position: 0,
            signs: signs.clone(),
            held: Vec::new(),
            ready: 0,
        })
    }

    /// Reads more of the file; whether there was any.
    fn fill(&mut self) -> io::Result<bool> {
        let before = self.held.len();
        self.held.resize(before + CHUNK, 0);
        let read = self.file.read(&mut self.held[before..]);
        self.held.truncate(before + *read.as_ref().unwrap_or(&0));
        let count = read?;
        self.position += count as u64;
        let newline = memchr::memrchr(b'\n', &self.held[before..]);
        self.ready = match newline {
            Some(at) => before + at + 1,
            None if self.held.len() > MAX_HELD => self.held.len(),
            None => self.ready,
        };
        Ok(count > 0)
    }

    /// Begins anew if the file was cut short or replaced; whether it did.
    fn begin_anew(&mut self) -> io::Result<bool> {
        let name = self.path.display();
        if self.file.metadata()?.len() < self.position {
            output::say(&format!(
                "{name} was cut short: it is read from its beginning"
            ));
            self.signs.missed.store(true, Ordering::Relaxed);
            self.file.rewind()?;
        } else {
            // Between a renaming and the new file there is none.
            let Ok(now) = fs::metadata(&self.path) else {
                return Ok(false);
            };
            if is_same(&self.file.metadata()?, &now) {
                return Ok(false);
            }
            let Ok(file) = File::open(&self.path) else {
                return Ok(false);
            };
            output::say(&format!("{name} was replaced: the new file is read"));
            self.file = file;
        }
        self.position = 0;
        self.held.clear();
        self.ready = 0;
        Ok(true)
    }
}

impl Read for Growing {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if self.ready > 0 {
                let count = self.ready.min(buffer.len());
                buffer[..count].copy_from_slice(&self.held[..count]);
                self.held.drain(..count);
                self.ready -= count;
                return Ok(count);
            }
            if self.fill()? || self.begin_anew()? {
                continue;
            }
            if self.signs.is_stopped() {
                return Ok(0);
            }
            thread::sleep(POLL_INTERVAL);
        }
    }
}

#[cfg(unix)]
fn is_same(one: &Metadata, other: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

/// Without a number for each file the time of its creation has to do.
#[cfg(windows)]
fn is_same(one: &Metadata, other: &Metadata) -> bool {
    match (one.created(), other.created()) {
        (Ok(one), Ok(other)) => one == other,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    /// Reads all that is there now.
    fn all(growing: &mut Growing) -> String {
        growing.signs.stopped.store(true, Ordering::Relaxed);
        let mut text = String::new();
        growing.read_to_string(&mut text).unwrap();
        text
    }

    #[test]
    fn only_whole_lines_are_given_out() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.log");
        let mut file = File::create(&path).unwrap();
        file.write_all(b"one\ntw").unwrap();
        let mut growing = Growing::open(&path, &Signs::default()).unwrap();
        assert_eq!(all(&mut growing), "one\n");
        file.write_all(b"o\n").unwrap();
        assert_eq!(all(&mut growing), "two\n");
        assert_eq!(all(&mut growing), "");
        let long = vec![b'x'; 2 * MAX_HELD];
        file.write_all(&long).unwrap();
        assert!(all(&mut growing).len() > MAX_HELD);
        assert!(growing.held.len() <= MAX_HELD + CHUNK);
    }

    #[test]
    fn a_file_that_is_cut_short_or_replaced_is_read_anew() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.log");
        fs::write(&path, "one\nhalf a li").unwrap();
        let signs = Signs::default();
        let mut growing = Growing::open(&path, &signs).unwrap();
        assert_eq!(all(&mut growing), "one\n");
        fs::write(&path, "two\n").unwrap();
        assert_eq!(all(&mut growing), "two\n");
        assert!(signs.take_missed() && !signs.take_missed());
        let mut old = fs::OpenOptions::new().append(true).open(&path).unwrap();
        fs::rename(&path, folder.path().join("a.log.1")).unwrap();
        assert_eq!(all(&mut growing), "");
        old.write_all(b"three\n").unwrap();
        fs::write(&path, "four\n").unwrap();
        assert_eq!(all(&mut growing), "three\nfour\n");
        assert!(!signs.take_missed());
    }
}
