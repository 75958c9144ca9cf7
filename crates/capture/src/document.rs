//! Sources that are one JSON text: HTTP archives and exports of MCP Inspector.

use std::io;

use mcp_assay::Limits;
use mcp_assay::syntax::{Tape, scan};

use super::broken::Lost;
use super::fidelity::Reading;
use super::format::Format;
use super::places::Places;
use super::record::Sink;
use super::text::BYTE_ORDER_MARK;
use super::{har, inspector};

/// The largest text that is read. It is held in memory as a whole, because answers have to be sorted in among requests.
pub const DOCUMENT_LIMIT: usize = 256 << 20;

/// Levels that a text may have around its messages.
const AROUND: usize = 16;

/// A text holds many messages.
const MESSAGES: usize = 4;

/// Reads a text.
pub fn read_document<S: Sink>(
    text: &[u8],
    limits: &Limits,
    reading: &mut Reading,
    sink: &mut S,
) -> io::Result<()> {
    let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
    let mut wide = *limits;
    wide.bytes = DOCUMENT_LIMIT;
    wide.depth = limits.depth.saturating_add(AROUND);
    wide.tokens = limits.tokens.saturating_mul(MESSAGES);
    let mut tape = Tape::new();
    let mut places = Places::new(text);
    if let Err(fault) = scan(text, &wide.for_scan(), &mut tape) {
        let line = places.line(fault.start);
        let why = format!("the file cannot be read from byte {} on", fault.start);
        return sink.lost(&Lost::at(line, why));
    }
    let Some(root) = tape.root(text) else {
        return Ok(());
    };
    match reading.format {
        Format::Har => har::read(root, places, reading, sink),
        _ => inspector::read(root, places, reading, sink),
    }
}
