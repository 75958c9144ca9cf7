//! A report that is written while the traffic passes.

use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use anyhow::Context;
use mcp_assay::{Checked, Ending};
use mcp_assay_report::{Context as Run, Format, Origin, Pieces, Style, Totals};

/// A report in a file.
pub(crate) struct ReportFile {
    pieces: Option<Pieces<'static, BufWriter<File>>>,
    path: PathBuf,
    trouble: Option<io::Error>,
}

impl ReportFile {
    /// Begins a report; the format is that of the file's ending, unless it is given. `again` is the
    /// command that shows the same.
    pub(crate) fn create(
        path: &Path,
        format: Option<Format>,
        again: String,
    ) -> anyhow::Result<Self> {
        let run = Run {
            command: Some(again),
            ..Run::default()
        };
        let format = format.unwrap_or_else(|| format_of(path));
        // One report a run: it lives as long as the program.
        let reporter = Box::leak(format.reporter_in(Style::PLAIN, run));
        let pieces = File::create(path)
            .and_then(|file| Pieces::begin(reporter, BufWriter::new(file)))
            .with_context(|| format!("failed to write {}", path.display()))?;
        Ok(Self {
            pieces: Some(pieces),
            path: path.to_owned(),
            trouble: None,
        })
    }

    pub(crate) fn message(&mut self, origin: &Origin<'_>, checked: &Checked<'_>) {
        let result = self
            .pieces
            .as_mut()
            .map(|pieces| pieces.message(origin, checked));
        self.note(result);
    }

    pub(crate) fn ending(&mut self, origin: &Origin<'_>, ending: &Ending) {
        let result = self
            .pieces
            .as_mut()
            .map(|pieces| pieces.ending(origin, ending));
        self.note(result);
    }

    /// Ends the report.
    pub(crate) fn finish(&mut self, totals: &Totals) {
        let result = self
            .pieces
            .take()
            .map(|pieces| pieces.finish(totals).map(drop));
        self.note(result);
    }

    /// The error, if the report could not be written.
    pub(crate) fn trouble(&self) -> Option<String> {
        let error = self.trouble.as_ref()?;
        Some(format!(
            "failed to write the report {}: {error}",
            self.path.display()
        ))
    }

    fn note(&mut self, result: Option<io::Result<()>>) {
        if let Some(Err(error)) = result {
            self.trouble.get_or_insert(error);
        }
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
