//! Text from outside, as HTML that shows it and does nothing else.

use std::fmt::{Arguments, Write as _};

use crate::visible;

/// Adds to HTML.
pub(super) fn add(out: &mut String, text: Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = out.write_fmt(text);
}

/// Text as content or as a quoted attribute.
pub(super) fn text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    push(text, Breaks::Shown, &mut out);
    out
}

/// A sentence of ours: names between backticks are code.
pub(super) fn sentence(sentence: &str) -> String {
    let escaped = text(sentence);
    let mut out = String::with_capacity(escaped.len() + 32);
    let mut parts = escaped.split('`').peekable();
    let mut code = false;
    while let Some(part) = parts.next() {
        // The last backtick of an odd number stands for itself.
        match (code, parts.peek()) {
            (true, Some(_)) => out.extend(["<code>", part, "</code>"]),
            (true, None) => out.extend(["`", part]),
            (false, _) => out.push_str(part),
        }
        code = !code;
    }
    out
}

/// Bytes as the content of a `pre`.
pub(super) fn bytes(bytes: &[u8], out: &mut String) {
    for chunk in bytes.utf8_chunks() {
        push(chunk.valid(), Breaks::Kept, out);
        for byte in chunk.invalid() {
            add(out, format_args!("\\x{byte:02x}"));
        }
    }
}

/// The treatment of line ends and tabs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Breaks {
    Shown,
    Kept,
}

fn push(text: &str, breaks: Breaks, out: &mut String) {
    let mut rest = text;
    loop {
        let plain = rest
            .bytes()
            .position(|byte| !is_plain(byte))
            .unwrap_or(rest.len());
        out.push_str(&rest[..plain]);
        rest = &rest[plain..];
        let Some(character) = rest.chars().next() else {
            return;
        };
        let (one, others) = rest.split_at(character.len_utf8());
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            // Bytes are content only, and JSON has many.
            '"' | '\'' | '\n' | '\t' if breaks == Breaks::Kept => out.push(character),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // Characters that no document may have.
            '\u{fffe}' | '\u{ffff}' => out.extend(character.escape_unicode()),
            _ => out.push_str(&visible::text(one)),
        }
        rest = others;
    }
}

/// Bytes without a meaning in HTML that need no escape.
fn is_plain(byte: u8) -> bool {
    matches!(byte, b' '..=b'~') && !matches!(byte, b'&' | b'<' | b'>' | b'"' | b'\'')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_acts() {
        assert_eq!(
            text("<a href=\"x\" b='c'>&\n\x1b\u{202e}é"),
            "&lt;a href=&quot;x&quot; b=&#39;c&#39;&gt;&amp;␊␛\\u{202e}é"
        );
        let mut out = String::new();
        bytes(b"</script>\n\t\r\"\xff", &mut out);
        assert_eq!(out, "&lt;/script&gt;\n\t␍\"\\xff");
    }

    #[test]
    fn names_are_code() {
        assert_eq!(
            sentence("`a<b` is `c`"),
            "<code>a&lt;b</code> is <code>c</code>"
        );
        assert_eq!(sentence("one ` only"), "one ` only");
        assert_eq!(sentence("`a` and `b"), "<code>a</code> and `b");
    }
}
