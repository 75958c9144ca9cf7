//! The comments and string literals of a Rust file, line by line.
//!
//! Understands as much of Rust as the checks need: line and block comments, strings, raw strings,
//! and characters in contrast to lifetimes.

/// A file, taken apart.
pub(super) struct Source<'t> {
    pub(super) lines: Vec<Line<'t>>,
    /// String literals without quotes and prefixes, with the index of their first line.
    pub(super) literals: Vec<(usize, &'t str)>,
}

/// A line of a file.
pub(super) struct Line<'t> {
    pub(super) text: &'t str,
    /// The comment from its slashes on, if nothing but white space precedes it.
    pub(super) comment: Option<&'t str>,
    /// Whether a part of a string literal is on the line.
    pub(super) has_literal: bool,
}

impl<'t> Source<'t> {
    pub(super) fn read(text: &'t str) -> Self {
        let mut source = Self {
            lines: Vec::new(),
            literals: Vec::new(),
        };
        for line in text.lines() {
            source.lines.push(Line {
                text: line,
                comment: None,
                has_literal: false,
            });
        }
        source.tokens(text);
        source
    }

    fn tokens(&mut self, text: &'t str) {
        let (mut at, mut line) = (0, 0);
        while let Some(byte) = text.as_bytes().get(at) {
            let rest = &text[at..];
            let length = match byte {
                b'/' if rest.starts_with("//") => {
                    self.comment(line, rest);
                    rest.find('\n').unwrap_or(rest.len())
                }
                b'/' if rest.starts_with("/*") => block_comment(rest),
                b'"' => self.literal(line, rest, 1, string_end(rest)),
                b'r' if !ends_in_word(&text[..at]) => match raw_string(rest) {
                    Some((open, end)) => self.literal(line, rest, open, end),
                    None => 1,
                },
                b'\'' => character(rest),
                _ => 1,
            };
            // Lengths end between characters, except for the single steps over others.
            let mut end = (at + length).min(text.len());
            while !text.is_char_boundary(end) {
                end += 1;
            }
            line += text[at..end].matches('\n').count();
            at = end;
        }
    }

    fn comment(&mut self, line: usize, rest: &'t str) {
        if let Some(line) = self.lines.get_mut(line)
            && line.text.trim_start().starts_with("//")
        {
            line.comment = rest.lines().next();
        }
    }

    /// Records a literal whose content begins at `open` and whose last quote ends at `end`.
    fn literal(&mut self, line: usize, rest: &'t str, open: usize, end: usize) -> usize {
        // A raw string ends with a quote and its hashes, which it began with after an `r`.
        let closing = (open - 1).max(1);
        let content = rest.get(open..end - closing).unwrap_or_default();
        let count = rest[..end].matches('\n').count();
        for line in self.lines.iter_mut().skip(line).take(count + 1) {
            line.has_literal = true;
        }
        self.literals.push((line, content));
        end
    }
}

/// The length of a string with its quotes.
fn string_end(rest: &str) -> usize {
    let mut is_escaped = false;
    for (position, byte) in rest.bytes().enumerate().skip(1) {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'"' => return position + 1,
            _ => {}
        }
    }
    rest.len()
}

/// The offset of the content of a raw string, and its whole length.
fn raw_string(rest: &str) -> Option<(usize, usize)> {
    let hashes = rest[1..].bytes().take_while(|byte| *byte == b'#').count();
    let open = hashes + 2;
    if rest.as_bytes().get(open - 1) != Some(&b'"') {
        return None;
    }
    let closing = format!("\"{}", "#".repeat(hashes));
    let length = rest[open..].find(&closing);
    let end = length.map_or(rest.len(), |length| open + length + closing.len());
    Some((open, end))
}

/// The length of a block comment.
fn block_comment(rest: &str) -> usize {
    rest.find("*/").map_or(rest.len(), |end| end + 2)
}

/// The length of a character, or of the quote of a lifetime.
fn character(rest: &str) -> usize {
    let mut characters = rest.char_indices().skip(1);
    match characters.next() {
        Some((_, '\\')) => rest[2..].find('\'').map_or(1, |end| {
            // The escaped character may be a quote itself.
            if end == 0 { 4 } else { end + 3 }
        }),
        Some(_) => match characters.next() {
            Some((position, '\'')) => position + 1,
            _ => 1,
        },
        None => 1,
    }
}

fn ends_in_word(before: &str) -> bool {
    let last = before.bytes().last();
    last.is_some_and(|byte| byte.is_ascii_alphanumeric() && byte != b'b' || byte == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_are_found_in_every_form() {
        let text = "let a = \"x \\\" y\"; // \"no\"\nlet b = r#\"p\"q\"#;\nlet c = '\"';\n\
                    let d = '\\''; fn e<'a>(f: &'a str) { g(b\"z\", \"two\nlines\") }";
        let literals = Source::read(text).literals;
        assert_eq!(
            literals,
            [(0, "x \\\" y"), (1, "p\"q"), (3, "z"), (3, "two\nlines")]
        );
    }

    #[test]
    fn lines_know_their_comments_and_literals() {
        let source = Source::read("/// doc\n  // why\nlet a = \"b\"; // not alone\n/* é\n*/ c\n");
        let comments: Vec<_> = source.lines.iter().map(|line| line.comment).collect();
        assert_eq!(
            comments,
            [Some("/// doc"), Some("// why"), None, None, None]
        );
        let literals: Vec<_> = source.lines.iter().map(|line| line.has_literal).collect();
        assert_eq!(literals, [false, false, true, false, false]);
    }
}
