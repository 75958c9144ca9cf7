//! A report that is written while the traffic passes, behind a queue.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use mcp_assay::{Checked, Ending};
use mcp_assay_live::output_queue::{OnDropped, OutputQueue};
use mcp_assay_report::{Context as Run, Format, Origin, Pieces, Style, Totals};
use mcp_assay_system::create_private;

use crate::output::counted;
use crate::output_file::{self, FileSeries, MAX_QUEUED, Opened, Rotation};

/// Bytes of the end of a report that are written at a time.
const CHUNK: usize = 1 << 20;

/// A report in a file.
pub(crate) struct ReportFile {
    pieces: Option<Pieces<'static, Entry>>,
    queue: OutputQueue,
    path: PathBuf,
    trouble: Option<String>,
}

impl ReportFile {
    /// Begins a report; the format is that of the file's ending, unless it is given. `again` is the
    /// command that shows the same.
    pub(crate) fn create(
        path: &Path,
        format: Option<Format>,
        again: String,
        on_dropped: OnDropped,
    ) -> anyhow::Result<Self> {
        let run = Run {
            command: Some(again),
            ..Run::default()
        };
        let format = format.unwrap_or_else(|| format_of(path));
        // One report a run: it lives as long as the program.
        let reporter = Box::leak(format.reporter_in(Style::PLAIN, run));
        let context = || format!("failed to write {}", path.display());
        let file = path.to_owned();
        let open = move || {
            let next = move || {
                let file = Box::new(create_private(&file)?);
                Ok(Opened { file, before: None })
            };
            FileSeries::begin(Box::new(next), Rotation::default(), "")
        };
        let opening = output_file::opening(path);
        let queue = OutputQueue::start("report", MAX_QUEUED, opening, open, on_dropped);
        let queue = queue.with_context(context)?;
        let entry = Entry {
            queue: queue.clone(),
            buffer: Vec::new(),
            is_last: false,
        };
        let mut report = Self {
            pieces: Some(Pieces::begin(reporter, entry).with_context(context)?),
            queue,
            path: path.to_owned(),
            trouble: None,
        };
        report.flush();
        Ok(report)
    }

    pub(crate) fn message(&mut self, origin: &Origin<'_>, checked: &Checked<'_>) {
        if let Some(pieces) = &mut self.pieces {
            // Writing to memory cannot fail.
            let _ = pieces.message(origin, checked);
        }
        self.flush();
    }

    pub(crate) fn ending(&mut self, origin: &Origin<'_>, ending: &Ending) {
        if let Some(pieces) = &mut self.pieces {
            let _ = pieces.ending(origin, ending);
        }
        self.flush();
    }

    /// Ends the report: the traffic is over.
    pub(crate) fn finish(&mut self, totals: &Totals) {
        let Some(mut pieces) = self.pieces.take() else {
            return;
        };
        pieces.writer().is_last = true;
        let written = pieces.finish(totals);
        let missing = self.queue.finish();
        let reason = match written {
            Err(error) => Some(error.to_string()),
            Ok(_) => missing.reason,
        };
        self.trouble = reason.map(|reason| {
            let path = self.path.display();
            let what = counted(missing.entries, "entry").replace("entrys", "entries");
            format!("failed to write the report {path}: {reason} ({what} missing)")
        });
    }

    /// The error, if the report could not be written.
    pub(crate) fn trouble(&self) -> Option<String> {
        self.trouble.clone()
    }

    /// Hands over the piece that was rendered.
    fn flush(&mut self) {
        if let Some(pieces) = &mut self.pieces {
            let _ = pieces.flush();
        }
    }
}

/// The part of a report that is being rendered: it is written as a whole, or dropped as a whole.
struct Entry {
    queue: OutputQueue,
    buffer: Vec<u8>,
    /// Whether the traffic is over, so that the queue may be waited for.
    is_last: bool,
}

impl Write for Entry {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.buffer.extend_from_slice(bytes);
        if self.is_last && self.buffer.len() >= CHUNK {
            self.flush()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.buffer.is_empty() {
            return Ok(());
        }
        if !self.is_last {
            self.queue.push(&self.buffer);
        } else if !self.queue.push_patiently(&self.buffer) {
            return Err(io::Error::other("it takes no more bytes"));
        }
        self.buffer.clear();
        self.buffer.shrink_to(CHUNK);
        Ok(())
    }
}

/// The format that a file's name asks for.
fn format_of(path: &Path) -> Format {
    let ending = path.extension().and_then(|ending| ending.to_str());
    let ending = ending.map(str::to_ascii_lowercase);
    let name = match ending.as_deref() {
        Some("jsonl") => "ndjson",
        Some("xml") => "junit",
        Some(ending) => ending,
        None => "human",
    };
    let known = Format::ALL.into_iter().find(|format| format.name() == name);
    known.unwrap_or_default()
}
