//! The readers of lines, behind one face.

use std::io;

use mcp_assay::Limits;

use super::claude::Claude;
use super::format::Format;
use super::native::{Lines, Native};
use super::record::Sink;
use super::trace::Trace;
use super::vscode::VsCode;
use crate::lines::Line;

/// A logger may write so much around a message.
const LOG_OVERHEAD: usize = 64 << 10;

/// Reads a source line by line.
pub struct LineReader(Reader);

enum Reader {
    Native(Native),
    Claude(Claude),
    VsCode(VsCode),
    Trace(Box<Trace>),
}

impl LineReader {
    /// The reader of a format; nothing for those that are no lines.
    pub fn new(format: Format) -> Option<Self> {
        Some(Self(match format {
            Format::Capture => Reader::Native(Native::new(Lines::Mixed)),
            Format::Ndjson => Reader::Native(Native::new(Lines::Messages)),
            Format::Claude => Reader::Claude(Claude::default()),
            Format::VsCode => Reader::VsCode(VsCode::default()),
            Format::Trace => Reader::Trace(Box::default()),
            Format::Inspector | Format::Har => return None,
        }))
    }

    /// How long a line of this beginning may be.
    pub fn line_limit(&self, beginning: &[u8], limits: &Limits) -> usize {
        match &self.0 {
            Reader::Native(reader) => reader.line_limit(beginning, limits),
            Reader::Claude(_) | Reader::VsCode(_) => limits.bytes.saturating_add(LOG_OVERHEAD),
            Reader::Trace(_) => Trace::line_limit(limits),
        }
    }

    /// Reads a line.
    pub fn line<S: Sink>(
        &mut self,
        line: Line<'_>,
        limits: &Limits,
        sink: &mut S,
    ) -> io::Result<()> {
        match &mut self.0 {
            Reader::Native(reader) => reader.line(line, limits, sink),
            Reader::Claude(reader) => reader.line(line, limits, sink),
            Reader::VsCode(reader) => reader.line(line, limits, sink),
            Reader::Trace(reader) => reader.line(line, limits, sink),
        }
    }

    /// The source is over.
    pub fn end<S: Sink>(&mut self, sink: &mut S) -> io::Result<()> {
        match &mut self.0 {
            Reader::Trace(reader) => reader.flush(sink),
            Reader::Native(_) | Reader::Claude(_) | Reader::VsCode(_) => Ok(()),
        }
    }
}
