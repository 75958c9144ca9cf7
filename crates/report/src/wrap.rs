//! Paragraphs in lines of a given width.

use std::borrow::Cow;
use std::iter::repeat_n;

use unicode_width::UnicodeWidthStr;

use crate::Style;

/// The words of a text in lines of at most `width` columns; a longer word gets a line of its own.
pub(crate) fn lines(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        // `lines` begins with one line and only grows.
        let Some(line) = lines.last_mut() else { break };
        if line.is_empty() {
            line.push_str(word);
        } else if line.width() + 1 + word.width() <= width {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}

/// A line folded to the width of a terminal; further lines are indented. Elsewhere it stays whole,
/// for `grep`.
pub(crate) fn folded(line: &str, style: Style, indent: usize) -> Cow<'_, str> {
    folded_after(line, style, 0, indent)
}

/// The same, for a line that begins after some columns.
pub(crate) fn folded_after(line: &str, style: Style, column: usize, indent: usize) -> Cow<'_, str> {
    if !style.fold || column + line.width() <= style.width {
        return Cow::Borrowed(line);
    }
    let mut out = String::with_capacity(line.len() + line.len() / 4);
    let mut column = column;
    // The first piece has the blanks at the beginning of the line.
    for (index, piece) in line.split(' ').enumerate() {
        let columns = columns(piece);
        if index > 0 && column + 1 + columns > style.width && column > indent {
            out.push('\n');
            out.extend(repeat_n(' ', indent));
            column = indent;
        } else if index > 0 {
            out.push(' ');
            column += 1;
        }
        out.push_str(piece);
        column += columns;
    }
    Cow::Owned(out)
}

/// Folds every line of a text; further lines are indented as the line itself, and by two columns
/// more.
#[must_use]
pub fn folded_text(text: &str, style: Style) -> Cow<'_, str> {
    if !style.fold {
        return Cow::Borrowed(text);
    }
    let lines = text.split('\n').map(|line| {
        let indent = line.len() - line.trim_start_matches(' ').len() + 2;
        folded(line, style, indent)
    });
    Cow::Owned(lines.collect::<Vec<_>>().join("\n"))
}

/// The columns of a text, without colours.
fn columns(text: &str) -> usize {
    let mut columns = 0;
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("\x1b[") {
        columns += before.width();
        rest = after.split_once('m').map_or("", |(_, after)| after);
    }
    columns + rest.width()
}

#[cfg(test)]
mod tests {
    use super::{folded_after, folded_text, lines};
    use crate::Style;

    #[test]
    fn a_terminal_gets_folded_lines_and_a_pipe_whole_ones() {
        let narrow = Style {
            width: 12,
            fold: true,
            ..Style::PLAIN
        };
        let text = "one two three four five";
        assert_eq!(
            folded_after(text, narrow, 6, 2),
            "one\n  two three\n  four five"
        );
        assert_eq!(folded_after(text, Style::PLAIN, 90, 2), text);
        assert_eq!(
            folded_text("  a \x1b[1mbold\x1b[0m word here\nshort", narrow),
            "  a \x1b[1mbold\x1b[0m\n    word\n    here\nshort"
        );
        // A word that is too long stays whole.
        assert_eq!(
            folded_text("incomprehensibilities", narrow),
            "incomprehensibilities"
        );
    }

    #[test]
    fn lines_keep_to_the_width() {
        assert_eq!(lines("one two  three", 7), ["one two", "three"]);
        assert_eq!(
            lines("a incomprehensible b", 5),
            ["a", "incomprehensible", "b"]
        );
        assert_eq!(lines("", 5), [""]);
    }
}
