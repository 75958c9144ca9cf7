//! Faults of the JSON text in words.

use super::tame;
use crate::syntax::FaultKind;
use crate::violation::Span;

/// What was found.
pub(super) fn message(kind: FaultKind, bytes: &[u8], span: Span) -> String {
    let text = bytes.get(span.start as usize..span.end as usize).unwrap_or_default();
    let shown = tame(&String::from_utf8_lossy(&text[..text.len().min(32)]));
    match kind {
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
        FaultKind::ExpectedKey => format!("found `{shown}`, expected a member name in double quotes"),
        FaultKind::ExpectedColon => format!("found `{shown}`, expected `:` after the member name"),
        FaultKind::ExpectedCommaOrBrace => format!("found `{shown}`, expected `,` or `}}` after a member"),
        FaultKind::ExpectedCommaOrBracket => format!("found `{shown}`, expected `,` or `]` after an item"),
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
        FaultKind::BadUnicodeEscape => "`\\u` is not followed by four hexadecimal digits".to_owned(),
        FaultKind::LeadingZero => "the number begins with a superfluous zero".to_owned(),
        FaultKind::PlusSign => "the number begins with a plus sign".to_owned(),
        FaultKind::MissingDigits => "the number lacks digits".to_owned(),
    }
}

/// What to see there.
pub(super) fn label(kind: FaultKind) -> &'static str {
    match kind {
        FaultKind::Empty => "nothing here",
        FaultKind::ByteOrderMark => "byte-order mark",
        FaultKind::NotUtf8 => "not UTF-8",
        FaultKind::TooLarge | FaultKind::TooDeep | FaultKind::TooManyTokens => "the limit is reached here",
        FaultKind::SecondValue => "another value begins here",
        FaultKind::TrailingBytes => "the message has ended before",
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
        FaultKind::LeadingZero => "superfluous",
        FaultKind::PlusSign => "superfluous",
        FaultKind::MissingDigits => "expected a digit",
    }
}

/// What to do, where the rule's own help is too general.
pub(super) fn help(kind: FaultKind) -> Option<&'static str> {
    Some(match kind {
        FaultKind::Empty => "write nothing rather than an empty line",
        FaultKind::UnterminatedString | FaultKind::UnexpectedEnd => {
            "the message was cut off: write it whole, and read until the newline"
        }
        FaultKind::TrailingBytes => "write a newline after the message, and keep other text off the stream",
        FaultKind::TrailingComma => "remove the comma",
        FaultKind::SingleQuote => "use double quotes",
        FaultKind::Comment => "remove the comment",
        FaultKind::UnknownWord => "if this is a log line, write it to standard error; JSON's words are true, false and null",
        FaultKind::ControlCharacter => "escape it: \\n, \\t or \\u00XX",
        FaultKind::UnknownEscape => "JSON's escapes are \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX",
        FaultKind::BadUnicodeEscape => "write four hexadecimal digits after \\u",
        FaultKind::LeadingZero => "remove the leading zero",
        FaultKind::PlusSign => "remove the plus sign",
        FaultKind::MissingDigits => "write a digit on each side of the point and after the exponent",
        FaultKind::ExpectedKey => "put member names in double quotes",
        _ => return None,
    })
}
