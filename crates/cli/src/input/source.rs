//! A source of traffic.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use flate2::read::MultiGzDecoder;

use super::utf16::Transcoded;
use crate::capture::{Reading, ZstdFrames};
use crate::tool_diff::Tools;

/// A source of traffic.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Source {
    /// Standard input.
    Stdin,
    /// A file; `.gz` and `.zst` are unpacked while reading.
    File(PathBuf),
    /// A text that is part of the program.
    BuiltIn {
        /// Its name in reports.
        name: &'static str,
        /// The text.
        text: &'static str,
    },
}

impl Source {
    /// Opens it; `meter` counts the bytes read from it, as stored.
    pub(crate) fn open<'m>(&self, meter: &'m Meter) -> io::Result<Box<dyn Read + 'm>> {
        match self {
            Self::Stdin => Ok(Box::new(Transcoded::new(Metered {
                source: io::stdin().lock(),
                meter,
            }))),
            Self::BuiltIn { text, .. } => Ok(Box::new(text.as_bytes())),
            Self::File(path) => {
                let file = Metered {
                    source: File::open(path)?,
                    meter,
                };
                match packing(path) {
                    Some(Packing::Gzip) => Ok(Box::new(Transcoded::new(MultiGzDecoder::new(file)))),
                    Some(Packing::Zstandard) => {
                        Ok(Box::new(Transcoded::new(ZstdFrames::new(file))))
                    }
                    None => Ok(Box::new(Transcoded::new(file))),
                }
            }
        }
    }

    /// Whether it can be opened again, and has the same content then.
    pub(crate) fn is_repeatable(&self) -> bool {
        match self {
            Self::Stdin => false,
            Self::File(path) => path.is_file(),
            Self::BuiltIn { .. } => true,
        }
    }

    /// Its name in reports.
    pub(crate) fn name(&self) -> Cow<'_, str> {
        match self {
            Self::Stdin => Cow::Borrowed("<stdin>"),
            Self::File(path) => path.to_string_lossy(),
            Self::BuiltIn { name, .. } => Cow::Borrowed(name),
        }
    }

    /// Its size as stored, if known in advance.
    pub(crate) fn size(&self) -> Option<u64> {
        match self {
            Self::Stdin => None,
            Self::File(path) => fs::metadata(path)
                .ok()
                .filter(fs::Metadata::is_file)
                .map(|file| file.len()),
            Self::BuiltIn { text, .. } => Some(text.len() as u64),
        }
    }
}

/// The compression of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Packing {
    Gzip,
    Zstandard,
}

/// Whether a file of this name is unpacked while it is read.
pub(crate) fn is_packed(path: &Path) -> bool {
    packing(path).is_some()
}

/// The compression of a file of this name.
pub(super) fn packing(path: &Path) -> Option<Packing> {
    let extension = path.extension()?;
    if extension.eq_ignore_ascii_case("gz") {
        Some(Packing::Gzip)
    } else if extension.eq_ignore_ascii_case("zst") {
        Some(Packing::Zstandard)
    } else {
        None
    }
}

/// The progress of reading, over all threads: the number of bytes, and the interpretation of each
/// source. Can stop all of them.
#[derive(Default, Debug)]
pub(crate) struct Meter {
    bytes: AtomicU64,
    stopped: AtomicBool,
    readings: Mutex<HashMap<String, Reading>>,
    tools: Mutex<HashMap<String, Tools>>,
}

impl Meter {
    /// The bytes read so far.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Records how a source was understood.
    pub(crate) fn note(&self, source: &Source, reading: Reading) {
        let name = source.name().into_owned();
        self.readings().insert(name, reading);
    }

    /// The interpretation of a source.
    pub(crate) fn reading(&self, source: &Source) -> Option<Reading> {
        self.readings().get(&*source.name()).cloned()
    }

    /// Records the tools of a source.
    pub(crate) fn note_tools(&self, source: &Source, tools: Tools) {
        let name = source.name().into_owned();
        let mut noted = self.tools.lock().unwrap_or_else(PoisonError::into_inner);
        noted.insert(name, tools);
    }

    /// Takes the tools of a source.
    pub(crate) fn take_tools(&self, source: &Source) -> Option<Tools> {
        let mut noted = self.tools.lock().unwrap_or_else(PoisonError::into_inner);
        noted.remove(&*source.name())
    }

    fn readings(&self) -> MutexGuard<'_, HashMap<String, Reading>> {
        self.readings.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes every further read fail: the results are not needed any more.
    pub(crate) fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }
}

struct Metered<'m, R> {
    source: R,
    meter: &'m Meter,
}

impl<R: Read> Read for Metered<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.meter.stopped.load(Ordering::Relaxed) {
            return Err(io::Error::other("stopped"));
        }
        let count = self.source.read(buffer)?;
        self.meter.bytes.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}
