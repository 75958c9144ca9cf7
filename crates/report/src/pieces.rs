//! One document from many pieces, for a single writer.

use std::io::{self, Write};

use mcp_assay::{Checked, Ending};

use crate::{Document, Origin, RecordFault, Reporter, SourceState, Totals};

/// Writes pieces in the order in which they are given, with the separator of the format between
/// them.
pub struct Pieces<'r, W> {
    reporter: &'r dyn Reporter,
    document: Document<'r, W>,
    piece: Vec<u8>,
    state: SourceState,
    empty: bool,
}

impl<'r, W: Write> Pieces<'r, W> {
    /// Begins the document.
    pub fn begin(reporter: &'r dyn Reporter, out: W) -> io::Result<Self> {
        Ok(Self {
            reporter,
            document: Document::begin(reporter, out)?,
            piece: Vec::new(),
            state: SourceState::default(),
            empty: true,
        })
    }

    /// Adds pieces that a reporter of the same format rendered elsewhere: one, or several with
    /// separators between them.
    pub fn rendered(&mut self, piece: &[u8]) -> io::Result<()> {
        if piece.is_empty() {
            return Ok(());
        }
        if !self.empty {
            self.document
                .write_all(self.reporter.separator().as_bytes())?;
        }
        self.empty = false;
        self.document.write_all(piece)
    }

    /// Renders a message and adds it.
    pub fn message(&mut self, origin: &Origin<'_>, checked: &Checked<'_>) -> io::Result<()> {
        let mut piece = std::mem::take(&mut self.piece);
        piece.clear();
        let state = &mut self.state;
        self.reporter.message(origin, checked, state, &mut piece)?;
        let written = self.rendered(&piece);
        self.piece = piece;
        written
    }

    /// Renders the findings at the end of a session and adds them.
    pub fn ending(&mut self, origin: &Origin<'_>, ending: &Ending) -> io::Result<()> {
        let mut piece = Vec::new();
        let state = &mut self.state;
        self.reporter.ending(origin, ending, state, &mut piece)?;
        self.rendered(&piece)
    }

    /// Renders a broken record and adds it.
    pub fn record_fault(&mut self, fault: &RecordFault<'_>) -> io::Result<()> {
        let mut piece = Vec::new();
        let state = &mut self.state;
        self.reporter.record_fault(fault, state, &mut piece)?;
        self.rendered(&piece)
    }

    /// Renders the end of a source and adds it; `failure` is the reason why it could not be read to
    /// its end.
    pub fn source(
        &mut self,
        source: &str,
        totals: &Totals,
        failure: Option<&str>,
    ) -> io::Result<()> {
        let mut piece = Vec::new();
        let state = &mut self.state;
        self.reporter
            .source(source, totals, failure, state, &mut piece)?;
        self.rendered(&piece)
    }

    /// The writer.
    pub fn writer(&mut self) -> &mut W {
        self.document.writer()
    }

    /// Flushes the buffer.
    pub fn flush(&mut self) -> io::Result<()> {
        self.document.flush()
    }

    /// Ends the document with the summary, and gives the writer back.
    pub fn finish(mut self, totals: &Totals) -> io::Result<W> {
        let mut piece = Vec::new();
        self.reporter.flush(&mut self.state, &mut piece)?;
        self.rendered(&piece)?;
        self.document.finish(totals)
    }
}
