//! Text that a terminal may show: characters that would act on it, hide in it or garble it become
//! visible escapes.
//!
//! Everything from outside passes through here before it is shown.

use std::borrow::Cow;
use std::fmt::Write as _;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The text with every harmful character replaced.
pub(crate) fn text(text: &str) -> Cow<'_, str> {
    if text.bytes().all(is_plain) || text.chars().all(is_harmless) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    text.chars()
        .for_each(|character| push(&mut shown, character));
    Cow::Owned(shown)
}

/// The beginning of a text, with every harmful character replaced.
pub(crate) fn beginning(whole: &str, columns: usize) -> String {
    let (shown, rest) = cells(whole.as_bytes(), columns, Newline::Shown);
    if rest.is_empty() {
        shown
    } else {
        shown + "…"
    }
}

/// The end of a text, with every harmful character replaced.
pub(crate) fn ending(whole: &str, columns: usize) -> String {
    let (shown, complete) = last_cells(whole.as_bytes(), columns);
    if complete {
        shown
    } else {
        format!("…{shown}")
    }
}

/// The number of columns of a text that was made visible.
pub(crate) fn columns(shown: &str) -> usize {
    if shown.is_ascii() {
        shown.len()
    } else {
        shown.width()
    }
}

/// The effect of a newline while bytes are read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Newline {
    /// It is shown like other control characters.
    Shown,
    /// It ends the text.
    Ends,
}

/// Reads as many of the first bytes as fit into some columns, makes them visible, and returns the
/// rest.
pub(crate) fn cells(bytes: &[u8], columns: usize, newline: Newline) -> (String, &[u8]) {
    let plain = bytes
        .iter()
        .take(columns)
        .take_while(|byte| is_plain(**byte));
    let mut taken = plain.count();
    let (plain, mut rest) = bytes.split_at(taken);
    let mut shown = String::with_capacity(plain.len() + 8);
    shown.extend(plain.iter().map(|byte| char::from(*byte)));
    let mut cell = String::new();
    while let Some(length) = next_cell(rest, &mut cell) {
        taken += cell.width();
        if taken > columns
            || newline == Newline::Ends && matches!(rest, [b'\n', ..] | [b'\r', b'\n', ..])
        {
            break;
        }
        shown.push_str(&cell);
        rest = &rest[length..];
    }
    (shown, rest)
}

/// Reads as many of the last bytes as fit into some columns, makes them visible, and returns
/// whether these are all.
pub(crate) fn last_cells(bytes: &[u8], columns: usize) -> (String, bool) {
    let plain = bytes.iter().rev().take(columns.saturating_add(1));
    let plain = plain.take_while(|byte| is_plain(**byte)).count();
    if plain > columns || plain == bytes.len() {
        let shown = &bytes[bytes.len() - plain.min(columns)..];
        let shown = shown.iter().map(|byte| char::from(*byte)).collect();
        return (shown, plain <= columns);
    }
    // No character has more than four bytes, and few have no column: more is not needed to fill the
    // columns.
    let mut rest = &bytes[bytes.len().saturating_sub(columns.saturating_mul(4))..];
    let mut complete = rest.len() == bytes.len();
    if !complete {
        let cut = rest
            .iter()
            .take(3)
            .take_while(|byte| *byte & 0b1100_0000 == 0b1000_0000)
            .count();
        rest = &rest[cut..];
    }
    let (mut shown, mut ends, mut cell) = (String::new(), Vec::new(), String::new());
    while let Some(length) = next_cell(rest, &mut cell) {
        shown.push_str(&cell);
        ends.push((shown.len(), cell.width()));
        rest = &rest[length..];
    }
    let mut excess = ends
        .iter()
        .map(|(_, width)| width)
        .sum::<usize>()
        .saturating_sub(columns);
    let mut cut = 0;
    for (end, width) in ends {
        if excess == 0 {
            break;
        }
        (cut, excess, complete) = (end, excess.saturating_sub(width), false);
    }
    (shown.split_off(cut), complete)
}

/// Makes the first character visible, or the first byte if it is none, and returns the number of
/// bytes it took.
fn next_cell(bytes: &[u8], cell: &mut String) -> Option<usize> {
    cell.clear();
    let chunk = bytes[..bytes.len().min(4)].utf8_chunks().next()?;
    if let Some(character) = chunk.valid().chars().next() {
        push(cell, character);
        return Some(character.len_utf8());
    }
    let byte = *bytes.first()?;
    // Writing to a string cannot fail.
    let _ = write!(cell, "\\x{byte:02x}");
    Some(1)
}

/// Control characters get their picture or an escape, characters that hide or reorder text an
/// escape.
fn push(shown: &mut String, character: char) {
    match character {
        '\0'..='\x1f' => shown.extend(char::from_u32(0x2400 + u32::from(character))),
        '\x7f' => shown.push('␡'),
        _ if is_harmless(character) => shown.push(character),
        _ => shown.extend(character.escape_unicode()),
    }
}

/// Whether a byte is a character of one column by itself: most text is made of these.
fn is_plain(byte: u8) -> bool {
    matches!(byte, b' '..=b'~')
}

/// Whether a terminal shows the character, and nothing else.
pub(crate) fn is_harmless(character: char) -> bool {
    character.width().is_some() && !is_invisible(character)
}

/// Characters without a picture of their own that change how the text around them is shown or
/// compared.
fn is_invisible(character: char) -> bool {
    matches!(character,
        '\u{ad}' | '\u{34f}' | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{6dd}' | '\u{70f}'
        | '\u{890}'..='\u{891}' | '\u{8e2}'
        | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{2800}' | '\u{3164}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
        | '\u{110bd}' | '\u{110cd}' | '\u{13430}'..='\u{1343f}'
        | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_harmful_is_left() {
        for (raw, shown) in [
            ("plain é 漢", "plain é 漢"),
            ("\x1b[31m", "␛[31m"),
            ("a\tb\r\n\0\x7f", "a␉b␍␊␀␡"),
            ("\u{85}\u{9b}", "\\u{85}\\u{9b}"),
            ("admin\u{202e}nimda", "admin\\u{202e}nimda"),
            ("\u{feff}\u{200b}\u{e0041}", "\\u{feff}\\u{200b}\\u{e0041}"),
        ] {
            assert_eq!(text(raw), shown);
        }
    }

    #[test]
    fn every_character_is_shown_or_escaped() {
        for character in (0..=0x10_ffff).filter_map(char::from_u32) {
            let mut shown = String::new();
            push(&mut shown, character);
            assert!(
                !shown.is_empty() && shown.chars().all(is_harmless),
                "{character:?} became {shown:?}"
            );
        }
    }

    #[test]
    fn both_ends_are_cut_at_cells() {
        let bytes = "漢字ab\x1b".as_bytes();
        assert_eq!(
            cells(bytes, 3, Newline::Shown),
            ("漢".to_owned(), "字ab\x1b".as_bytes())
        );
        assert_eq!(last_cells(bytes, 4), ("ab␛".to_owned(), false));
        assert_eq!(last_cells(bytes, 7), ("漢字ab␛".to_owned(), true));
        assert_eq!(last_cells(b"\xff\xfe", 9), ("\\xff\\xfe".to_owned(), true));
        assert_eq!(
            cells(b"a\r\nb", 9, Newline::Ends),
            ("a".to_owned(), &b"\r\nb"[..])
        );
    }

    #[test]
    fn long_text_is_shortened() {
        assert_eq!(beginning("abcdef", 3), "abc…");
        assert_eq!(ending("abcdef", 3), "…def");
        assert_eq!(beginning("abc", 3), "abc");
        assert_eq!(ending("abc", 3), "abc");
    }
}
