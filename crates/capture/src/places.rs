//! The lines of places in a text that is one document.

use mcp_assay::syntax::Node;
use memchr::memchr_iter;

/// Finds the lines of places that are asked for from the beginning to the end.
#[derive(Clone, Copy)]
pub(super) struct Places<'a> {
    text: &'a [u8],
    at: usize,
    line: u64,
}

impl<'a> Places<'a> {
    pub(super) fn new(text: &'a [u8]) -> Self {
        Self {
            text,
            at: 0,
            line: 1,
        }
    }

    /// Whether the whole text is one line, so that lines say nothing.
    pub(super) fn is_one_line(&self) -> bool {
        memchr::memchr(b'\n', self.text.trim_ascii()).is_none()
    }

    /// The line of a value. One before the last that was asked for has the same line as that.
    pub(super) fn line_of(&mut self, node: Node<'_>) -> u64 {
        self.line(node.span().start)
    }

    pub(super) fn line(&mut self, offset: u32) -> u64 {
        let offset = (offset as usize).min(self.text.len());
        if offset > self.at {
            self.line += memchr_iter(b'\n', &self.text[self.at..offset]).count() as u64;
            self.at = offset;
        }
        self.line
    }
}
