//! Cuts a stream of bytes into lines, in pieces of any size.

use memchr::memchr;

/// A line, without its newline.
#[derive(Clone, Copy, Debug)]
pub struct Line<'a> {
    /// Its bytes; of a line over the limit only the beginning, which is longer than the limit.
    pub bytes: &'a [u8],
    /// Whether the stream ended without its newline.
    pub unterminated: bool,
}

/// Cuts a stream into lines, and buffers the beginning of an incomplete one.
///
/// ```
/// let mut lines = mcp_assay::Lines::new(1 << 20);
/// let mut found = Vec::new();
/// for piece in [&b"{\"a\""[..], b":1}\n{", b"}\n"] {
///     lines.feed(piece, |line| found.push(line.bytes.to_vec()));
/// }
/// assert_eq!(found, [&b"{\"a\":1}"[..], b"{}"]);
/// ```
#[derive(Debug)]
pub struct Lines {
    begun: Vec<u8>,
    /// The number of bytes of a line to buffer.
    limit: usize,
}

impl Lines {
    /// Buffers at most one byte of a line above the limit, so that a line over it is detected.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        Self {
            begun: Vec::new(),
            limit: limit.saturating_add(1),
        }
    }

    /// Takes the next bytes, and calls `take` with each line that they complete.
    pub fn feed(&mut self, mut bytes: &[u8], mut take: impl FnMut(Line<'_>)) {
        while let Some(end) = memchr(b'\n', bytes) {
            let (line, rest) = bytes.split_at(end);
            bytes = rest.get(1..).unwrap_or_default();
            if self.begun.is_empty() {
                let kept = line.get(..self.limit).unwrap_or(line);
                take(whole(kept));
            } else {
                self.keep(line);
                take(whole(&self.begun));
                self.begun.clear();
                // One long line must not hold its memory for ever.
                self.begun.shrink_to(MAX_REUSED);
            }
        }
        self.keep(bytes);
    }

    /// Ends the stream: calls `take` with the last line, if it has no newline.
    pub fn end(&mut self, take: impl FnOnce(Line<'_>)) {
        if !self.begun.is_empty() {
            take(Line {
                bytes: &self.begun,
                unterminated: true,
            });
            self.begun.clear();
        }
    }

    fn keep(&mut self, bytes: &[u8]) {
        let room = self.limit.saturating_sub(self.begun.len());
        let kept = bytes.get(..room).unwrap_or(bytes);
        self.begun.extend_from_slice(kept);
    }
}

/// The capacity of the buffer that is reused from line to line.
const MAX_REUSED: usize = 1 << 20;

fn whole(bytes: &[u8]) -> Line<'_> {
    Line {
        bytes,
        unterminated: false,
    }
}

#[cfg(test)]
mod tests {
    use super::Lines;

    #[test]
    fn any_splitting_gives_the_same_lines() {
        let text = b"one\n\ntwo two\r\nthree\nlast";
        let whole = lines_of(text, text.len());
        assert_eq!(whole.len(), 5);
        assert_eq!(whole[2], ("two two\r".to_owned(), false));
        assert_eq!(whole[4], ("last".to_owned(), true));
        for size in 1..text.len() {
            assert_eq!(lines_of(text, size), whole, "pieces of {size}");
        }
    }

    #[test]
    fn a_long_line_is_cut_above_the_limit_and_the_next_is_whole() {
        for size in 1..30 {
            let mut lines = Lines::new(4);
            let mut found = Vec::new();
            for piece in b"123456789\nabcd\n".chunks(size) {
                lines.feed(piece, |line| found.push(line.bytes.to_vec()));
            }
            assert_eq!(found, [b"12345".to_vec(), b"abcd".to_vec()], "{size}");
        }
    }

    fn lines_of(text: &[u8], size: usize) -> Vec<(String, bool)> {
        let mut found = Vec::new();
        let mut lines = Lines::new(1000);
        let mut take = |line: super::Line<'_>| {
            let text = String::from_utf8(line.bytes.to_vec()).expect("the text is UTF-8");
            found.push((text, line.unterminated));
        };
        for piece in text.chunks(size) {
            lines.feed(piece, &mut take);
        }
        lines.end(&mut take);
        found
    }
}
