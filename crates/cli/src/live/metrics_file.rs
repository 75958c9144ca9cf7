//! Writes numbers for Prometheus to a file, which is replaced as a whole: a reader finds the old or
//! the new one. A thread of its own writes them: traffic never waits for it.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use mcp_assay_gateway::Metrics;
use mcp_assay_live::output_queue::{Opening, Output, OutputQueue};
use mcp_assay_system::create_private;

/// A request to write the numbers.
const REQUEST: &[u8] = b"\n";

/// A file with numbers.
pub(crate) struct MetricsFile {
    path: PathBuf,
    queue: OutputQueue,
}

impl MetricsFile {
    /// Writes the file for the first time: if that fails, nothing starts.
    pub(crate) fn create(path: &Path, metrics: Arc<Metrics>) -> anyhow::Result<Self> {
        // A link stays one.
        let whole = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let numbers = Numbers {
            path: whole.clone(),
            metrics,
            failure: None,
        };
        let open = move || {
            numbers.write_file()?;
            Ok(numbers)
        };
        let queue = OutputQueue::start(
            "metrics",
            64 * REQUEST.len(),
            Opening::Awaited,
            open,
            // A request that is lost is no number that is lost.
            Box::new(|_| {}),
        );
        Ok(Self {
            path: whole,
            queue: queue.with_context(|| format!("failed to write {}", path.display()))?,
        })
    }

    /// Has the file written soon. Several requests before that are one.
    pub(crate) fn write_soon(&self) {
        if !self.queue.has_waiting() {
            self.queue.push(REQUEST);
        }
    }

    /// Writes the file for the last time. Returns the failure in words.
    pub(crate) fn finish(&self) -> Option<String> {
        self.queue.push_patiently(REQUEST);
        let reason = self.queue.finish().reason?;
        Some(format!(
            "failed to write the numbers to {}: {reason}",
            self.path.display()
        ))
    }
}

/// The numbers, and the place for them.
struct Numbers {
    path: PathBuf,
    metrics: Arc<Metrics>,
    /// The failure of the last time.
    failure: Option<io::Error>,
}

impl Output for Numbers {
    fn write(&mut self, _: &[u8]) -> io::Result<()> {
        // Only a failure that lasts is worth a word.
        self.failure = self.write_file().err();
        Ok(())
    }

    fn finish(&mut self) -> io::Result<()> {
        self.failure.take().map_or(Ok(()), Err)
    }
}

impl Numbers {
    fn write_file(&self) -> io::Result<()> {
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
    let mut file = create_private(draft)?;
    file.write_all(bytes)?;
    match fs::metadata(path) {
        Ok(old) if old.is_file() => file.set_permissions(old.permissions())?,
        Ok(_) => return Err(io::Error::other("it is no regular file")),
        Err(_) => {}
    }
    drop(file);
    fs::rename(draft, path)
}
