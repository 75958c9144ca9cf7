//! Writes numbers for Prometheus to a file, which is replaced as a whole: a reader finds the old or
//! the new one. Traffic never waits for it.

use std::ffi::OsString;
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use anyhow::Context;
use mcp_assay_gateway::Metrics;

/// A file with numbers.
pub(crate) struct MetricsFile {
    path: PathBuf,
    metrics: Arc<Metrics>,
    /// Whether a writer is under way.
    is_writing: AtomicBool,
    /// Whether the numbers are to be written once more.
    is_stale: AtomicBool,
    /// One writer at a time has the draft.
    draft: Mutex<()>,
}

impl MetricsFile {
    /// Writes the file for the first time: if that fails, nothing starts.
    pub(crate) fn create(path: &Path) -> anyhow::Result<Arc<Self>> {
        let file = Self {
            // A link stays one.
            path: fs::canonicalize(path).unwrap_or_else(|_| path.to_owned()),
            metrics: Arc::default(),
            is_writing: AtomicBool::new(false),
            is_stale: AtomicBool::new(false),
            draft: Mutex::new(()),
        };
        file.write()
            .with_context(|| format!("failed to write {}", path.display()))?;
        Ok(Arc::new(file))
    }

    /// The numbers.
    pub(crate) fn metrics(&self) -> Arc<Metrics> {
        Arc::clone(&self.metrics)
    }

    /// Has another thread write the file. A call while that is under way makes it write once more.
    pub(crate) fn write_soon(self: &Arc<Self>) {
        self.is_stale.store(true, Ordering::SeqCst);
        if self.is_writing.swap(true, Ordering::SeqCst) {
            return;
        }
        let file = Arc::clone(self);
        let writer = thread::Builder::new().spawn(move || file.write_while_stale());
        if writer.is_err() {
            // The numbers are written at the end.
            self.is_writing.store(false, Ordering::SeqCst);
        }
    }

    /// Writes the file for the last time. Returns the failure in words.
    pub(crate) fn finish(&self) -> Option<String> {
        let error = self.write().err()?;
        Some(format!(
            "failed to write the numbers to {}: {error}",
            self.path.display()
        ))
    }

    fn write_while_stale(&self) {
        loop {
            while self.is_stale.swap(false, Ordering::SeqCst) {
                // A failure that lasts is reported at the end.
                let _ = self.write();
            }
            self.is_writing.store(false, Ordering::SeqCst);
            // A call may have come between the two.
            let is_done = !self.is_stale.load(Ordering::SeqCst)
                || self.is_writing.swap(true, Ordering::SeqCst);
            if is_done {
                return;
            }
        }
    }

    fn write(&self) -> io::Result<()> {
        let _turn = self.draft.lock().unwrap_or_else(PoisonError::into_inner);
        let mut name = OsString::from(".");
        name.push(self.path.file_name().unwrap_or_default());
        name.push(format!(".{}.new", std::process::id()));
        let draft = self.path.with_file_name(name);
        let text = self.metrics.to_prometheus();
        let written = replace(&self.path, &draft, text.as_bytes());
        if written.is_err() {
            // The failure is reported; a draft that cannot be removed is no news.
            let _ = fs::remove_file(&draft);
        }
        written
    }
}

/// Replaces a file, whose permissions stay. A new one can be read by its owner alone.
fn replace(path: &Path, draft: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(draft)?;
    file.write_all(bytes)?;
    match fs::metadata(path) {
        Ok(old) if old.is_file() => file.set_permissions(old.permissions())?,
        Ok(_) => return Err(io::Error::other("it is no regular file")),
        Err(_) => {}
    }
    drop(file);
    fs::rename(draft, path)
}
