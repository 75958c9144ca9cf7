//! The one writer of JSON strings, and of whole numbers.

use core::fmt::Write as _;

/// Appends a string with its quotes. Escapes every character that could act on a terminal, whether
/// JSON requires it or not.
///
/// ```
/// let mut out = String::new();
/// mcp_assay_json::write_text("a\"\u{1b}", &mut out);
/// assert_eq!(out, r#""a\"\u001b""#);
/// ```
pub fn write_text(text: &str, out: &mut String) {
    out.reserve(text.len() + 2);
    out.push('"');
    let bytes = text.as_bytes();
    // The characters before `start` are written; those from there to `at` need no escape.
    let (mut start, mut at) = (0, 0);
    while let Some(byte) = bytes.get(at) {
        let escape = match ESCAPES[usize::from(*byte)] {
            0 => {
                at += 1;
                continue;
            }
            // The characters from U+0080 to U+00BF begin with this byte.
            SECOND => match bytes.get(at + 1) {
                Some(second @ 0x80..=0x9f) => *second,
                _ => {
                    at += 2;
                    continue;
                }
            },
            escape => escape,
        };
        out.push_str(text.get(start..at).unwrap_or_default());
        at += if *byte < 0x80 { 1 } else { 2 };
        start = at;
        match escape {
            HEXADECIMAL => push_hexadecimal(*byte, out),
            0x80.. => push_hexadecimal(escape, out),
            letter => {
                out.push('\\');
                out.push(char::from(letter));
            }
        }
    }
    out.push_str(text.get(start..).unwrap_or_default());
    out.push('"');
}

/// Appends a whole number.
///
/// ```
/// let mut out = String::new();
/// mcp_assay_json::write_number(1050, &mut out);
/// assert_eq!(out, "1050");
/// ```
pub fn write_number(number: u64, out: &mut String) {
    let mut digits = [b'0'; 20];
    let (mut rest, mut start) = (number, digits.len());
    for digit in digits.iter_mut().rev() {
        *digit = b'0' + (rest % 10) as u8;
        (rest, start) = (rest / 10, start - 1);
        if rest == 0 {
            break;
        }
    }
    let digits = digits.get(start..).unwrap_or_default();
    // Digits are UTF-8.
    out.push_str(core::str::from_utf8(digits).unwrap_or_default());
}

/// Stands for `\u` and four digits.
const HEXADECIMAL: u8 = 1;

/// Stands for a character that the next byte decides about.
const SECOND: u8 = 2;

/// The letter behind the backslash for each byte; zero where none is needed.
const ESCAPES: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            letter @ (b'"' | b'\\') => letter,
            b'\n' => b'n',
            b'\t' => b't',
            b'\r' => b'r',
            0..0x20 | 0x7f => HEXADECIMAL,
            0xc2 => SECOND,
            _ => 0,
        };
        byte += 1;
    }
    table
};

/// Control characters end at U+009F, so that two of the four digits are zero.
fn push_hexadecimal(code: u8, out: &mut String) {
    // Writing to a string cannot fail.
    let _ = write!(out, "\\u{code:04x}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_character_is_written_as_by_its_class() {
        for character in ('\0'..='\u{2ff}').chain(['漢', '\u{2028}', '😀', '\u{10ffff}']) {
            let mut out = String::new();
            write_text(&format!("a{character}é{character}"), &mut out);
            let written = match character {
                '"' | '\\' => format!("\\{character}"),
                '\n' => "\\n".to_owned(),
                '\t' => "\\t".to_owned(),
                '\r' => "\\r".to_owned(),
                control if control.is_control() => format!("\\u{:04x}", u32::from(control)),
                plain => plain.to_string(),
            };
            assert_eq!(out, format!("\"a{written}é{written}\""));
        }
    }

    #[test]
    fn numbers_are_written_in_decimal_digits() {
        for number in [0, 9, 10, 99, 100, 12_345, u64::MAX] {
            let mut out = String::new();
            write_number(number, &mut out);
            assert_eq!(out, number.to_string());
        }
    }
}
