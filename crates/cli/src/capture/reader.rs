//! The readers of lines, behind one face.

use std::io;

use mcp_assay::Limits;

use super::claude::Claude;
use super::format::Format;
use super::native::{Lines, Native};
use super::record::Sink;
use super::trace::Trace;
use super::vscode::VsCode;
use crate::input::Line;

/// A logger may write so much around a message.
const LOG_OVERHEAD: usize = 64 << 10;

/// Reads a source line by line.
pub(crate) enum LineReader {
    Native(Native),
    Claude(Claude),
    VsCode(VsCode),
    Trace(Box<Trace>),
}

impl LineReader {
    /// The reader of a format; nothing for those that are no lines.
    pub(crate) fn new(format: Format) -> Option<Self> {
        Some(match format {
            Format::Capture => Self::Native(Native::new(Lines::Mixed)),
            Format::Ndjson => Self::Native(Native::new(Lines::Messages)),
            Format::Claude => Self::Claude(Claude::default()),
            Format::VsCode => Self::VsCode(VsCode::default()),
            Format::Trace => Self::Trace(Box::default()),
            Format::Inspector | Format::Har => return None,
        })
    }

    /// How long a line of this beginning may be.
    pub(crate) fn line_limit(&self, beginning: &[u8], limits: &Limits) -> usize {
        match self {
            Self::Native(reader) => reader.line_limit(beginning, limits),
            Self::Claude(_) | Self::VsCode(_) => limits.bytes.saturating_add(LOG_OVERHEAD),
            Self::Trace(_) => Trace::line_limit(limits),
        }
    }

    /// Reads a line.
    pub(crate) fn line<S: Sink>(
        &mut self,
        line: Line<'_>,
        limits: &Limits,
        sink: &mut S,
    ) -> io::Result<()> {
        match self {
            Self::Native(reader) => reader.line(line, limits, sink),
            Self::Claude(reader) => reader.line(line, limits, sink),
            Self::VsCode(reader) => reader.line(line, limits, sink),
            Self::Trace(reader) => reader.line(line, limits, sink),
        }
    }

    /// The source is over.
    pub(crate) fn end<S: Sink>(&mut self, sink: &mut S) -> io::Result<()> {
        match self {
            Self::Trace(reader) => reader.flush(sink),
            Self::Native(_) | Self::Claude(_) | Self::VsCode(_) => Ok(()),
        }
    }
}
