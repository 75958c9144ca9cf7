//! The rendered messages of one source, on their way to the writer.

use std::io::{self, Write};
use std::sync::mpsc::SyncSender;

use mcp_assay::{Checked, Ending, Verdict};
use mcp_assay_report::{Format, Origin, RecordFault, Reporter, SourceState, Totals};

use crate::baseline::{Standing, Tally};
use crate::config::{Detail, Settings};
use crate::input::Source;
use crate::log::Log;

/// Renders and counts the findings of one source.
pub(super) struct Report<'r> {
    pub(super) totals: Totals,
    pub(super) tally: Tally,
    /// The validation log, if one is written.
    pub(super) log: Option<&'r Log>,
    /// Counts a record.
    pub(super) begun: bool,
    reporter: &'r dyn Reporter,
    settings: &'r Settings,
    out: &'r mut dyn Write,
    state: SourceState,
    empty: bool,
}

impl<'r> Report<'r> {
    pub(super) fn new(
        reporter: &'r dyn Reporter,
        settings: &'r Settings,
        out: &'r mut dyn Write,
    ) -> Self {
        Self {
            totals: Totals::default(),
            tally: Tally::default(),
            log: None,
            begun: false,
            reporter,
            settings,
            out,
            state: SourceState::default(),
            empty: true,
        }
    }

    /// Begins a source.
    pub(super) fn begin(&mut self, source: &Source) {
        self.tally = Tally::new(&self.settings.known_failures, source);
        if let Some(log) = self.log {
            log.begin_source();
        }
    }

    /// Ends a source; `failure` is the reason why it could not be read to its end.
    pub(super) fn end(&mut self, source: &str, failure: Option<&str>) -> io::Result<()> {
        if self.settings.detail == Detail::Summary {
            return Ok(());
        }
        let (reporter, totals) = (self.reporter, std::mem::take(&mut self.totals));
        let written =
            self.piece(|state, out| reporter.source(source, &totals, failure, state, out));
        self.totals = totals;
        written
    }

    /// Adds a message.
    pub(super) fn message(&mut self, origin: &Origin<'_>, checked: &Checked<'_>) -> io::Result<()> {
        self.totals.add(checked);
        let standing = self.tally.add(checked);
        if self.settings.detail == Detail::Summary {
            return Ok(());
        }
        if standing == Standing::Known && shows_only_new(self.settings.format) {
            return Ok(());
        }
        let passes = checked.verdict() == Verdict::Pass && checked.is_judged();
        if passes && self.leaves_passes_out() {
            return Ok(());
        }
        let reporter = self.reporter;
        self.piece(|state, out| reporter.message(origin, checked, state, out))
    }

    /// Adds the findings at the end of a session.
    pub(super) fn ending(&mut self, origin: &Origin<'_>, ending: &Ending) -> io::Result<()> {
        self.totals.add_ending(ending);
        let standing = self.tally.add_ending(ending);
        let known = standing == Standing::Known && shows_only_new(self.settings.format);
        if self.settings.detail == Detail::Summary || known {
            return Ok(());
        }
        let reporter = self.reporter;
        self.piece(|state, out| reporter.ending(origin, ending, state, out))
    }

    /// Adds a record that cannot be read.
    pub(super) fn record_fault(&mut self, fault: &RecordFault<'_>) -> io::Result<()> {
        self.totals.add_record_fault();
        if self.settings.detail == Detail::Summary {
            return Ok(());
        }
        let reporter = self.reporter;
        self.piece(|state, out| reporter.record_fault(fault, state, out))
    }

    /// Whether messages that pass are left out. The timeline of a page is whole, and the other
    /// formats have findings only.
    fn leaves_passes_out(&self) -> bool {
        self.settings.detail == Detail::Findings
            && matches!(self.settings.format, Format::Ndjson | Format::Json)
    }

    /// Flushes the buffer.
    pub(super) fn flush(&mut self) -> io::Result<()> {
        if let Some(log) = self.log {
            log.flush();
        }
        self.out.flush()
    }

    fn piece(
        &mut self,
        render: impl FnOnce(&mut SourceState, &mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        let separator = if self.empty {
            ""
        } else {
            self.reporter.separator()
        };
        let mut piece = Piece {
            out: self.out,
            separator,
            empty: true,
        };
        render(&mut self.state, &mut piece)?;
        self.empty &= piece.empty;
        Ok(())
    }
}

/// Whether known failures are shown: programs are promised a line for each message, and a timeline
/// is whole. People and build servers want to see new ones.
fn shows_only_new(format: Format) -> bool {
    matches!(
        format,
        Format::Human | Format::Concise | Format::Junit | Format::Sarif | Format::Github
    )
}

/// Writes the separator before the first byte of a piece, if there is one.
pub(super) struct Piece<'w> {
    pub(super) out: &'w mut dyn Write,
    pub(super) separator: &'static str,
    pub(super) empty: bool,
}

impl Write for Piece<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.empty && !bytes.is_empty() {
            self.empty = false;
            self.out.write_all(self.separator.as_bytes())?;
        }
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Hands bytes to another thread in chunks; waits while that thread is behind.
pub(super) struct Chunks {
    chunk: Vec<u8>,
    sender: SyncSender<Vec<u8>>,
}

impl Chunks {
    const SIZE: usize = 64 << 10;

    pub(super) fn new(sender: SyncSender<Vec<u8>>) -> Self {
        Self {
            chunk: Vec::new(),
            sender,
        }
    }
}

impl Write for Chunks {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = bytes.len().min(Self::SIZE - self.chunk.len());
        self.chunk.extend_from_slice(&bytes[..count]);
        if self.chunk.len() >= Self::SIZE {
            self.flush()?;
        }
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.chunk.is_empty() {
            return Ok(());
        }
        // The writer is gone: it could not write any more.
        self.sender
            .send(std::mem::take(&mut self.chunk))
            .map_err(|_| io::ErrorKind::BrokenPipe.into())
    }
}
