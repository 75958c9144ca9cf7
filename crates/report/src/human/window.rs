//! The part of a message around a span that fits on one line.
//!
//! A message may be one line of many megabytes: only the bytes that are shown are read.

use std::ops::Range;

use mcp_assay::Span;

use crate::visible::{self, Newline};

/// Longer spans are not underlined whole.
const MAX_SPAN: usize = 40;

/// One line of text, and the position of the carets in it.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Window {
    pub(super) text: String,
    /// Bytes of `text`.
    pub(super) carets: Range<usize>,
}

impl Window {
    /// Cuts a window of some columns, a few of which the label needs after the carets.
    pub(super) fn cut(bytes: &[u8], span: Span, columns: usize, label_columns: usize) -> Self {
        let start = (span.start as usize).min(bytes.len());
        let end = (span.end as usize).clamp(start, bytes.len());
        let longest = columns
            .saturating_sub(label_columns + 20)
            .clamp(8, MAX_SPAN);
        let underlined = underlined(&bytes[start..end], longest);
        let (marked, unmarked) = visible::cells(underlined, longest, Newline::Shown);
        // Two for the ellipses, one before the label.
        let columns = columns.saturating_sub(visible::columns(&marked) + 3);
        // The text before a value says more about it than the text after: it gets two thirds, and
        // the rest of the room.
        let follows = bytes[start + underlined.len()..]
            .iter()
            .take(columns)
            .take_while(|byte| **byte != b'\n')
            .count();
        let before = (columns * 2 / 3)
            .max(columns.saturating_sub(follows))
            .min(columns.saturating_sub(label_columns));
        let before = before.max(columns / 4);

        // A newline further away than the columns can reach changes nothing.
        let near = start.saturating_sub(4 * before + 4);
        let line = bytes[near..start]
            .iter()
            .rposition(|&byte| byte == b'\n')
            .map_or(near, |newline| near + newline + 1);
        let (left, complete) = visible::last_cells(&bytes[line..start], before);
        let after = columns.saturating_sub(visible::columns(&left));
        let mut text = if complete { left } else { format!("…{left}") };
        let carets = text.len()..text.len() + marked.len();
        text.push_str(&marked);
        if unmarked.is_empty() {
            let (right, rest) =
                visible::cells(&bytes[start + underlined.len()..], after, Newline::Ends);
            text.push_str(&right);
            if !rest.is_empty() && !matches!(rest, [b'\n', ..] | [b'\r', b'\n', ..]) {
                text.push('…');
            }
        } else {
            text.push('…');
        }
        Self { text, carets }
    }
}

/// The bytes above the carets: an object or array only if it is short, else its bracket.
fn underlined(span: &[u8], longest: usize) -> &[u8] {
    match span {
        [b'{' | b'[', ..] if span.len() > longest || span.contains(&b'\n') => &span[..1],
        _ => span,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Draws the window with carets; `(` and `)` in the text mark the span.
    #[track_caller]
    fn check(text: &str, columns: usize, expected: &str) {
        let start = text.find('(').unwrap();
        let end = text.find(')').unwrap() - 1;
        let bytes = text.replace(['(', ')'], "").into_bytes();
        let window = Window::cut(
            &bytes,
            Span {
                start: start as u32,
                end: end as u32,
            },
            columns,
            5,
        );
        let indent = visible::columns(&window.text[..window.carets.start]);
        let carets = visible::columns(&window.text[window.carets.clone()]);
        assert_eq!(
            format!(
                "{}\n{}{}",
                window.text,
                " ".repeat(indent),
                "^".repeat(carets)
            ),
            expected
        );
        assert!(
            visible::columns(&window.text) <= columns,
            "{} columns",
            visible::columns(&window.text)
        );
    }

    #[test]
    fn short_text_is_shown_whole() {
        check(r#"{"id":(null)}"#, 40, "{\"id\":null}\n      ^^^^");
        check("{()", 40, "{\n ");
    }

    #[test]
    fn long_text_is_cut_on_both_sides() {
        let long = format!("{}(XYZ){}", "a".repeat(100), "b".repeat(100));
        check(
            &long,
            30,
            "…aaaaaaaaaaaaaaaaXYZbbbbbbbb…\n                 ^^^",
        );
    }

    #[test]
    fn wide_and_escaped_characters_keep_their_columns() {
        check("漢字\x1b(é漢\x07)x", 40, "漢字␛é漢␇x\n     ^^^^");
    }

    #[test]
    fn only_the_line_of_a_pretty_printed_message_is_shown() {
        check(
            "{\r\n  \"id\": (null),\r\n  \"a\": 1\r\n}",
            40,
            "  \"id\": null,\n        ^^^^",
        );
        check("[\n  ({\n  \"id\": 1\n}), 5]", 40, "  {\n  ^");
    }

    #[test]
    fn a_newline_at_fault_is_shown() {
        check("{\"a\":\"x(\n)y\"\n}", 40, "{\"a\":\"x␊y\"\n       ^");
    }

    #[test]
    fn long_spans_are_cut() {
        check(
            &format!("[(\"{}\")]", "z".repeat(90)),
            70,
            &format!("[\"{}…\n {}", "z".repeat(39), "^".repeat(40)),
        );
        check(
            &format!("[({{\"a\":\"{}\"}})]", "z".repeat(90)),
            30,
            "[{\"a\":\"zzzzzzzzzzzzzzzzzzzz…\n ^",
        );
    }
}
