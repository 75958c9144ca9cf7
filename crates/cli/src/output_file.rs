//! Files that the program writes for itself while traffic passes: their owner alone reads them, a
//! new one is begun where they are to be rotated, and a full disk leaves them readable.

use std::collections::VecDeque;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use mcp_assay_live::output_queue::{Opening, Output};

/// Bytes that may wait for a slow disk before further entries are dropped.
pub(crate) const MAX_QUEUED: usize = 64 << 20;

/// The way to open a path: a named pipe opens when somebody reads it.
pub(crate) fn opening(path: &Path) -> Opening {
    #[cfg(unix)]
    if let Ok(metadata) = fs::metadata(path)
        && std::os::unix::fs::FileTypeExt::is_fifo(&metadata.file_type())
    {
        return Opening::Deferred;
    }
    let _ = path;
    Opening::Awaited
}

/// The limits of a file before a new one is begun, and the number of old ones that stay.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Rotation {
    /// In bytes.
    pub(crate) size: Option<u64>,
    pub(crate) age: Option<Duration>,
    pub(crate) keep: Option<usize>,
}

impl Rotation {
    /// Whether files are rotated at all.
    pub(crate) fn is_on(&self) -> bool {
        self.size.is_some() || self.age.is_some()
    }
}

/// A file of a series.
pub(crate) struct Opened {
    pub(crate) file: Box<dyn Write + Send>,
    /// The path at which the file before it is now.
    pub(crate) before: Option<PathBuf>,
}

/// Begins the first file of a series, or the next.
pub(crate) type Next = Box<dyn FnMut() -> io::Result<Opened> + Send>;

/// Files that are written one after the other, in whole lines.
pub(crate) struct FileSeries {
    next: Next,
    file: Box<dyn Write + Send>,
    rotation: Rotation,
    /// The line that marks a gap, if the format has one.
    gap: &'static str,
    size: u64,
    begun: Instant,
    /// The last lines were written in part, or not at all.
    is_torn: bool,
    old: VecDeque<PathBuf>,
}

impl FileSeries {
    /// Begins the first file.
    pub(crate) fn begin(mut next: Next, rotation: Rotation, gap: &'static str) -> io::Result<Self> {
        let Opened { file, .. } = next()?;
        Ok(Self {
            next,
            file,
            rotation,
            gap,
            size: 0,
            begun: Instant::now(),
            is_torn: false,
            old: VecDeque::new(),
        })
    }

    /// The lines that still fit into this file; at least one if it is empty.
    fn fitting(&self, lines: &[u8]) -> usize {
        let Some(limit) = self.rotation.size else {
            return lines.len();
        };
        let gap = self.gap.len() as u64;
        let room = limit.saturating_sub(self.size + gap);
        let room = usize::try_from(room).unwrap_or(usize::MAX);
        if lines.len() <= room {
            return lines.len();
        }
        let fitting = lines.get(..room).unwrap_or_default();
        let end = memchr::memrchr(b'\n', fitting).map(|end| end + 1);
        let has_lines = self.size > gap;
        end.unwrap_or_else(|| match memchr::memchr(b'\n', lines) {
            _ if has_lines => 0,
            Some(end) => end + 1,
            None => lines.len(),
        })
    }

    fn is_old(&self) -> bool {
        let age = self.rotation.age;
        self.size > 0 && age.is_some_and(|age| self.begun.elapsed() >= age)
    }

    /// Ends this file, and begins the next. Each of them says that it is not all.
    fn rotate(&mut self) -> io::Result<()> {
        let ended = self.file.write_all(self.gap.as_bytes());
        ended.and_then(|()| self.file.flush())?;
        let Opened { file, before } = (self.next)()?;
        self.file = file;
        self.begun = Instant::now();
        self.old.extend(before);
        while let Some(keep) = self.rotation.keep
            && self.old.len() > keep
            && let Some(oldest) = self.old.pop_front()
        {
            // If somebody else has removed it, it is gone all the same.
            let _ = fs::remove_file(oldest);
        }
        self.size = self.gap.len() as u64;
        self.file.write_all(self.gap.as_bytes())
    }

    fn write_piece(&mut self, lines: &[u8]) -> io::Result<()> {
        if self.is_torn {
            // A line that is there in part becomes a line of its own.
            self.file.write_all(b"\n")?;
            self.file.write_all(self.gap.as_bytes())?;
            self.is_torn = false;
        }
        self.file.write_all(lines)?;
        self.size += lines.len() as u64;
        Ok(())
    }

    fn write_all(&mut self, mut lines: &[u8]) -> io::Result<()> {
        while !lines.is_empty() {
            if self.is_old() {
                self.rotate()?;
            }
            let (piece, rest) = lines.split_at(self.fitting(lines));
            self.write_piece(piece)?;
            if !rest.is_empty() {
                self.rotate()?;
            }
            lines = rest;
        }
        Ok(())
    }
}

impl Output for FileSeries {
    fn write(&mut self, lines: &[u8]) -> io::Result<()> {
        self.write_all(lines).inspect_err(|_| self.is_torn = true)
    }

    fn finish(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

#[cfg(test)]
mod tests {
    use mcp_assay_system::create_private;

    use super::*;

    const GAP: &str = "gap\n";

    fn series(folder: &Path, rotation: Rotation) -> FileSeries {
        let folder = folder.to_owned();
        let mut number = 0;
        let next = move || {
            let before = (number > 0).then(|| folder.join(number.to_string()));
            number += 1;
            let file = Box::new(create_private(&folder.join(number.to_string()))?);
            Ok(Opened { file, before })
        };
        FileSeries::begin(Box::new(next), rotation, GAP).unwrap()
    }

    fn texts(folder: &Path) -> Vec<(String, String)> {
        let mut texts: Vec<_> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| {
                let entry = entry.unwrap();
                let name = entry.file_name().to_string_lossy().into_owned();
                (name, fs::read_to_string(entry.path()).unwrap())
            })
            .collect();
        texts.sort();
        texts
    }

    #[test]
    fn files_are_rotated_by_size_in_whole_lines() {
        let folder = tempfile::tempdir().unwrap();
        let rotation = Rotation {
            size: Some(20),
            age: None,
            keep: Some(2),
        };
        let mut series = series(folder.path(), rotation);
        series.write(b"one\ntwo\nthree\nfour\n").unwrap();
        series
            .write(b"a line that is longer than all\nfive\n")
            .unwrap();
        let expected = [
            ("2", "gap\nfour\ngap\n"),
            ("3", "gap\na line that is longer than all\ngap\n"),
            ("4", "gap\nfive\n"),
        ];
        let found = texts(folder.path());
        let found: Vec<_> = found
            .iter()
            .map(|(name, text)| (&**name, &**text))
            .collect();
        assert_eq!(found, expected, "the first was removed");
        #[cfg(unix)]
        for (name, _) in found {
            use std::os::unix::fs::PermissionsExt as _;
            let path = folder.path().join(name);
            let mode = fs::metadata(path).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
    }

    #[test]
    fn files_are_rotated_by_age() {
        let folder = tempfile::tempdir().unwrap();
        let rotation = Rotation {
            age: Some(Duration::ZERO),
            ..Rotation::default()
        };
        let mut series = series(folder.path(), rotation);
        for line in [&b"one\n"[..], b"two\n"] {
            series.write(line).unwrap();
        }
        let found = texts(folder.path());
        let expected = [("1", "one\ngap\n"), ("2", "gap\ntwo\n")];
        let expected = expected.map(|(name, text)| (name.to_owned(), text.to_owned()));
        assert_eq!(found, expected);
    }

    /// Takes so many bytes and then no more, and later all, like a disk.
    struct Full(std::sync::Arc<std::sync::Mutex<Vec<u8>>>, usize, usize);

    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let mut written = self.0.lock().unwrap();
            let room = self.1.saturating_sub(written.len());
            if room == 0 && self.2 > 0 {
                self.2 -= 1;
                return Err(io::ErrorKind::StorageFull.into());
            }
            let count = if room == 0 {
                bytes.len()
            } else {
                bytes.len().min(room)
            };
            written.extend_from_slice(&bytes[..count]);
            Ok(count)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn after_a_full_disk_the_rest_is_readable_and_the_gap_is_marked() {
        let written = std::sync::Arc::default();
        let file = std::sync::Arc::clone(&written);
        let next = move || {
            let file = Box::new(Full(std::sync::Arc::clone(&file), 6, 2));
            Ok(Opened { file, before: None })
        };
        let mut series = FileSeries::begin(Box::new(next), Rotation::default(), GAP).unwrap();
        assert!(series.write(b"first line\n").is_err());
        assert!(series.write(b"second\n").is_err());
        series.write(b"third\n").unwrap();
        let written = written.lock().unwrap();
        assert_eq!(String::from_utf8_lossy(&written), "first \ngap\nthird\n");
    }
}
