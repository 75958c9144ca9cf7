//! The interface of a reader: its name, how it recognises a source, and how it reads it.
//!
//! One file implements [`Reader`] and one of the two ways to read; the list in `format` has a line
//! for it.

use std::io;

use mcp_assay::Limits;
use mcp_assay::syntax::Node;

use super::fidelity::{Fidelity, Missing, Reading};
use super::lines::Line;
use super::places::Places;
use super::record::Sink;

/// Bytes that a logger may write around a message.
const LOG_OVERHEAD: usize = 64 << 10;

/// A reader of one kind of source.
pub(crate) trait Reader {
    /// The name on the command line and in reports.
    const NAME: &'static str;
    /// A source of this kind, with its article; nothing for our own.
    const DESCRIBED: Option<&'static str> = None;
    /// The fidelity of its messages, before anything is read.
    const FIDELITY: Fidelity = Fidelity::Exact;
    /// Everything that a source of this kind never tells.
    const MISSING: &'static [Missing] = &[];
    /// The reason why the headers of HTTP are missing, where that needs a word.
    const HEADERS_REMARK: Option<&'static str> = None;

    /// The certainty that the beginning of a source is of this kind.
    fn detect(part: &Beginning<'_>) -> Likeness;
}

/// Reads a source line by line.
pub(crate) trait ReadLines: Send {
    /// The longest line of this beginning.
    fn line_limit(&self, _beginning: &[u8], limits: &Limits) -> usize {
        limits.bytes.saturating_add(LOG_OVERHEAD)
    }

    /// Reads a line.
    fn line(&mut self, line: Line<'_>, limits: &Limits, sink: &mut dyn Sink) -> io::Result<()>;

    /// Reads the end of the source.
    fn end(&mut self, _sink: &mut dyn Sink) -> io::Result<()> {
        Ok(())
    }
}

/// Reads a source that is one JSON text.
pub(crate) trait ReadDocument {
    /// Reads the text.
    fn read(
        root: Node<'_>,
        places: Places<'_>,
        reading: &mut Reading,
        sink: &mut dyn Sink,
    ) -> io::Result<()>;
}

/// A part of the beginning of a source.
pub(crate) enum Beginning<'a> {
    /// An object that the source begins with.
    Object {
        /// Its first key, between the quotes.
        key: &'a [u8],
        /// The text behind that key.
        after: &'a [u8],
        /// The first line, once all of it is there.
        line: Option<&'a [u8]>,
        limits: &'a Limits,
    },
    /// A key of the first object in the list that the source begins with.
    EntryKey(&'a [u8]),
    /// A line of text.
    Line(&'a [u8]),
}

/// The certainty that a part of a source is of a kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Likeness {
    None,
    /// More of the source has to be there.
    Unknown,
    /// It could be; another program might write the like.
    Some,
    Sure,
}

impl Likeness {
    pub(crate) fn sure_if(condition: bool) -> Self {
        if condition { Self::Sure } else { Self::None }
    }
}
