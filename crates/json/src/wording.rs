//! Wording of the faults of a JSON text. Built only when a fault is shown.

use crate::fault::{Fault, FaultKind};
use crate::span::Span;

/// A fault in words.
#[must_use]
pub fn fault_message(bytes: &[u8], fault: &Fault) -> String {
    let (start, end) = (fault.start, fault.end);
    message(fault.kind, bytes, Span { start, end })
}

/// The fault, in one sentence.
#[must_use]
pub fn message(kind: FaultKind, bytes: &[u8], span: Span) -> String {
    let text = bytes
        .get(span.start as usize..span.end as usize)
        .unwrap_or_default();
    let shown = tame(&String::from_utf8_lossy(&text[..text.len().min(32)]));
    match kind {
        FaultKind::UnknownWord | FaultKind::ExpectedValue if begins(bytes, span) => {
            format!("the text is not JSON, it begins with `{shown}`")
        }
        FaultKind::Empty => "the message is empty".to_owned(),
        FaultKind::ByteOrderMark => "a byte-order mark stands before the text".to_owned(),
        FaultKind::NotUtf8 => {
            let byte = text.first().copied().unwrap_or_default();
            format!("byte 0x{byte:02X} is not UTF-8")
        }
        FaultKind::TooLarge => "the message is too large".to_owned(),
        FaultKind::TooDeep => "the message is nested too deep".to_owned(),
        FaultKind::TooManyTokens => "the message has too many values".to_owned(),
        FaultKind::SecondValue => "another value begins after the message ended".to_owned(),
        FaultKind::TrailingBytes => "bytes follow after the message ended".to_owned(),
        FaultKind::UnterminatedString => "the string is not closed".to_owned(),
        FaultKind::UnexpectedEnd => "the text ends in the middle of the message".to_owned(),
        FaultKind::ExpectedValue => format!("found `{shown}`, expected a value"),
        FaultKind::ExpectedKey => {
            format!("found `{shown}`, expected a member name in double quotes")
        }
        FaultKind::ExpectedColon => format!("found `{shown}`, expected `:` after the member name"),
        FaultKind::ExpectedCommaOrBrace => {
            format!("found `{shown}`, expected `,` or `}}` after a member")
        }
        FaultKind::ExpectedCommaOrBracket => {
            format!("found `{shown}`, expected `,` or `]` after an item")
        }
        FaultKind::TrailingComma => "a comma stands before the closing bracket".to_owned(),
        FaultKind::NotFinite => format!("`{shown}` is not a JSON number"),
        FaultKind::UnknownWord => format!("`{shown}` is not JSON"),
        FaultKind::SingleQuote => "single quotes do not make a string".to_owned(),
        FaultKind::Comment => "JSON has no comments".to_owned(),
        FaultKind::ControlCharacter => {
            let byte = text.first().copied().unwrap_or_default();
            format!("control character 0x{byte:02X} stands in a string without escape")
        }
        FaultKind::UnknownEscape => format!("`{shown}` is not an escape"),
        FaultKind::BadUnicodeEscape => {
            "`\\u` is not followed by four hexadecimal digits".to_owned()
        }
        FaultKind::LeadingZero => "the number begins with a superfluous zero".to_owned(),
        FaultKind::PlusSign => "the number begins with a plus sign".to_owned(),
        FaultKind::MissingDigits => "the number lacks digits".to_owned(),
    }
}

/// The label under the span.
#[must_use]
pub fn label(kind: FaultKind) -> &'static str {
    match kind {
        FaultKind::Empty => "nothing here",
        FaultKind::ByteOrderMark => "byte-order mark",
        FaultKind::NotUtf8 => "not UTF-8",
        FaultKind::TooLarge | FaultKind::TooDeep | FaultKind::TooManyTokens => {
            "the limit is reached here"
        }
        FaultKind::SecondValue => "another value begins here",
        FaultKind::TrailingBytes => "the message ended before this",
        FaultKind::UnterminatedString => "begins here and never ends",
        FaultKind::UnexpectedEnd => "ends too early",
        FaultKind::ExpectedValue => "expected a value",
        FaultKind::ExpectedKey => "expected a member name",
        FaultKind::ExpectedColon => "expected `:`",
        FaultKind::ExpectedCommaOrBrace => "expected `,` or `}`",
        FaultKind::ExpectedCommaOrBracket => "expected `,` or `]`",
        FaultKind::TrailingComma => "nothing follows this comma",
        FaultKind::NotFinite => "not a JSON number",
        FaultKind::UnknownWord => "not JSON",
        FaultKind::SingleQuote => "expected `\"`",
        FaultKind::Comment => "a comment",
        FaultKind::ControlCharacter => "must be escaped",
        FaultKind::UnknownEscape => "not an escape",
        FaultKind::BadUnicodeEscape => "expected four hexadecimal digits",
        FaultKind::LeadingZero => "begins with a zero",
        FaultKind::PlusSign => "begins with a plus sign",
        FaultKind::MissingDigits => "expected a digit",
    }
}

/// The remedy, if the rule's own help is too general.
#[must_use]
pub fn help(kind: FaultKind, bytes: &[u8], span: Span) -> Option<&'static str> {
    let word = bytes
        .get(span.start as usize..span.end as usize)
        .unwrap_or_default();
    Some(match kind {
        FaultKind::UnknownWord | FaultKind::ExpectedValue if begins(bytes, span) => {
            "if this is a log line, write it to standard error: the stream is for messages alone"
        }
        FaultKind::Empty => "write nothing rather than an empty line",
        FaultKind::UnterminatedString | FaultKind::UnexpectedEnd => {
            "the message was cut off: write it whole, and read until the newline"
        }
        FaultKind::TrailingBytes => {
            "write a newline after the message, and keep other text off the stream"
        }
        FaultKind::TrailingComma => "remove the comma",
        FaultKind::SingleQuote => "use double quotes",
        FaultKind::Comment => "remove the comment",
        FaultKind::UnknownWord => match word.to_ascii_lowercase().as_slice() {
            b"true" => "write `true`",
            b"false" => "write `false`",
            b"none" | b"nil" | b"null" | b"undefined" => "write `null`, or leave the member out",
            _ => "put text in double quotes; the only words of JSON are `true`, `false` and `null`",
        },
        FaultKind::ExpectedColon => "write `:` between a member name and its value",
        FaultKind::ExpectedCommaOrBrace | FaultKind::ExpectedCommaOrBracket => {
            "separate with `,`, and close every bracket that is opened"
        }
        FaultKind::ControlCharacter => "escape it: \\n, \\t or \\u00XX",
        FaultKind::UnknownEscape => "JSON's escapes are \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uHHHH",
        FaultKind::BadUnicodeEscape => "write four hexadecimal digits after \\u",
        FaultKind::LeadingZero => "remove the leading zero",
        FaultKind::PlusSign => "remove the plus sign",
        FaultKind::MissingDigits => {
            "write a digit on each side of the point and after the exponent"
        }
        FaultKind::ExpectedKey => "put member names in double quotes",
        _ => return None,
    })
}

/// Whether nothing but white space precedes the span: the message never began.
fn begins(bytes: &[u8], span: Span) -> bool {
    bytes
        .get(..span.start as usize)
        .is_some_and(|before| before.trim_ascii().is_empty())
}

/// A name from the message, short enough for a sentence and without characters that a terminal
/// would act on.
#[must_use]
pub fn tame(name: &str) -> String {
    const MAX_COLUMNS: usize = 64;
    let mut tame: String = name
        .chars()
        .take(MAX_COLUMNS)
        .flat_map(|character| {
            let printable = !character.is_control() && !is_invisible(character);
            if printable {
                vec![character]
            } else {
                character.escape_default().collect()
            }
        })
        .collect();
    if name.chars().nth(MAX_COLUMNS).is_some() {
        tame.push('…');
    }
    tame
}

/// Whether a character changes how the text around it is shown.
fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
    )
}
