//! Writes traffic to a capture. Records wait in a queue: a disk that is stuck delays nothing.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use anyhow::Context;
use mcp_assay::{Direction, Line, Party};
use mcp_assay_live::output_queue::{OnDropped, OutputQueue};
use mcp_assay_live::record::{GAP, RecordWriter};
use mcp_assay_system::create_private;

use crate::log::file_stamp;
use crate::output::counted;
use crate::output_file::{self, FileSeries, MAX_QUEUED, Next, Opened, Rotation};

/// A capture that is being written. A full disk stops nothing: lost records are counted, and the
/// capture says where they are missing.
pub(crate) struct Recorder {
    writer: RecordWriter,
    queue: OutputQueue,
    path: PathBuf,
    /// A record was dropped: the next one is written behind a gap.
    has_gap: bool,
    /// A gap and the record behind it.
    buffer: String,
}

impl Recorder {
    /// Begins a capture. In a folder it gets a name of its own, from the time and the process.
    pub(crate) fn create(
        path: &Path,
        rotation: Rotation,
        on_dropped: OnDropped,
    ) -> anyhow::Result<Self> {
        let (path, next) = files(path);
        let open = move || FileSeries::begin(next, rotation, GAP);
        let opening = output_file::opening(&path);
        let queue = OutputQueue::start("recording", MAX_QUEUED, opening, open, on_dropped)
            .with_context(|| format!("failed to write {}", path.display()))?;
        Ok(Self {
            writer: RecordWriter::default(),
            queue,
            path,
            has_gap: false,
            buffer: String::new(),
        })
    }

    /// Records a line of a stdio stream.
    pub(crate) fn line(&mut self, time: Duration, direction: Direction, line: Line<'_>) {
        let record = self.writer.line(time, direction, line);
        push(&self.queue, &mut self.has_gap, &mut self.buffer, record);
    }

    /// Records that a stdio stream is at its end, and who ended the connection.
    pub(crate) fn end(&mut self, time: Duration, direction: Direction, by: Party) {
        let record = self.writer.end_of(time, direction, by);
        push(&self.queue, &mut self.has_gap, &mut self.buffer, record);
    }

    /// Writes a record that was made elsewhere.
    pub(crate) fn write(&mut self, record: &str) {
        push(&self.queue, &mut self.has_gap, &mut self.buffer, record);
    }

    /// Takes no more records.
    pub(crate) fn close(&mut self) {
        if std::mem::take(&mut self.has_gap) {
            // It is written if the disk is back by now.
            self.queue.push_patiently(GAP.as_bytes());
        }
        self.queue.close();
    }

    /// Ends the capture. Returns the records that could not be written, in words.
    pub(crate) fn finish(&mut self) -> Option<String> {
        self.close();
        let missing = self.queue.finish();
        let reason = missing.reason?;
        Some(format!(
            "{} of the traffic could not be written to {}: {reason}",
            counted(missing.entries, "record"),
            self.path.display()
        ))
    }
}

/// Adds a record, behind a gap if one before it was dropped.
fn push(queue: &OutputQueue, has_gap: &mut bool, buffer: &mut String, record: &str) {
    if !*has_gap {
        *has_gap = !queue.push(record.as_bytes());
        return;
    }
    buffer.clear();
    buffer.push_str(GAP);
    buffer.push_str(record);
    *has_gap = !queue.push(buffer.as_bytes());
    buffer.shrink_to(1 << 20);
}

/// The path of a capture, and its files. In a folder each file has a name of its own; elsewhere the
/// newest file keeps the path, and older ones get the time in their names.
fn files(path: &Path) -> (PathBuf, Next) {
    if path.is_dir() {
        let folder = path.to_owned();
        let first = folder.join(file_name());
        let mut current: Option<PathBuf> = None;
        let mut next_path = Some(first.clone());
        let next = move || {
            let path = next_path.take().unwrap_or_else(|| folder.join(file_name()));
            let file = Box::new(create_private(&path)?);
            let before = current.replace(path);
            Ok(Opened { file, before })
        };
        return (first, Box::new(next));
    }
    let path = path.to_owned();
    let current = path.clone();
    let mut is_begun = false;
    let next = move || {
        let before = if std::mem::replace(&mut is_begun, true) {
            Some(set_aside(&current)?)
        } else {
            None
        };
        let file = Box::new(create_private(&current)?);
        Ok(Opened { file, before })
    };
    (path, Box::new(next))
}

fn file_name() -> String {
    let now = file_stamp(SystemTime::now());
    format!("{now}-{}.ndjson", std::process::id())
}

/// Renames a capture: `session.ndjson` becomes `session-<time>.ndjson`.
fn set_aside(path: &Path) -> io::Result<PathBuf> {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let mut name = format!("{stem}-{}", file_stamp(SystemTime::now()));
    if let Some(extension) = path.extension() {
        name.push('.');
        name.push_str(&extension.to_string_lossy());
    }
    let aside = path.with_file_name(name);
    fs::rename(path, &aside)?;
    Ok(aside)
}
