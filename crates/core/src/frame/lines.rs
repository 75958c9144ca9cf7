//! Classifies a line of a stdio stream that is no message: text for the log, a header of another
//! protocol, a piece of a message that is spread over several lines.

use crate::catalogue::{Rule, inline};
use crate::syntax::{Fault, FaultKind, Span};
use crate::{Direction, Party};

/// The previous line of the same stream, as far as it matters.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Before {
    /// A message, or nothing.
    #[default]
    Message,
    /// A line that broke off: the next one may continue it.
    Piece,
    /// A header block: the stream is framed as in another protocol, and every line is affected.
    Headers,
}

/// The class of a line that is not JSON.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Foreign {
    /// The rule that it violates; `None` for a consequence of an earlier report, or for a message
    /// that is not JSON.
    pub(crate) rule: Option<(&'static Rule, Span)>,
    /// Whether an earlier report explains it.
    pub(crate) explained: bool,
    /// The state for the next line.
    pub(crate) then: Before,
}

/// Classifies a line that is not JSON.
pub(crate) fn classify(
    line: &[u8],
    fault: &Fault,
    direction: Option<Direction>,
    before: Before,
) -> Foreign {
    let text = line.trim_ascii();
    let whole = span_of(line, text);
    if is_header(text) {
        let first = before != Before::Headers;
        return Foreign {
            rule: first.then_some((&inline::NO_HEADER_FRAMING, whole)),
            explained: !first,
            then: Before::Headers,
        };
    }
    match before {
        // The blank line after a header, or a message with the next header behind it.
        Before::Headers if text.is_empty() || contains(text, b"Content-Length:") => {
            return consequence(Before::Headers);
        }
        // The rest of a message is indented, or begins with a character that cannot begin a
        // message.
        Before::Piece if matches!(line.first(), Some(b' ' | b'\t' | b'"' | b'}' | b']' | b',')) => {
            return consequence(Before::Piece);
        }
        _ => {}
    }
    let breaks_off = matches!(
        fault.kind,
        FaultKind::UnexpectedEnd | FaultKind::UnterminatedString
    );
    if matches!(text, b"{" | b"[") || (breaks_off && matches!(text, b"[{")) {
        return Foreign {
            rule: Some((&inline::NO_EMBEDDED_NEWLINE, whole)),
            explained: false,
            then: Before::Piece,
        };
    }
    let rule = match direction.map(Direction::sender) {
        Some(party) if is_text(text, fault) => Some((foreign_text(party), whole)),
        _ => None,
    };
    Foreign {
        rule,
        explained: false,
        then: if breaks_off && rule.is_none() {
            Before::Piece
        } else {
            Before::Message
        },
    }
}

/// A line that only an earlier fault makes wrong.
fn consequence(then: Before) -> Foreign {
    Foreign {
        rule: None,
        explained: true,
        then,
    }
}

fn foreign_text(party: Party) -> &'static Rule {
    match party {
        Party::Client => &inline::STDIN_MESSAGES_ONLY,
        Party::Server => &inline::STDOUT_MESSAGES_ONLY,
    }
}

/// Whether a line is no attempt at a message: it does not begin like one, or contains no member of
/// JSON-RPC.
fn is_text(text: &[u8], fault: &Fault) -> bool {
    let grammar = !fault.kind.is_limit()
        && !matches!(
            fault.kind,
            FaultKind::ByteOrderMark | FaultKind::NotUtf8 | FaultKind::SecondValue
        );
    let named = speaks_jsonrpc(text);
    grammar
        && match text.first() {
            Some(b'{' | b'[') => !named && fault.kind != FaultKind::UnexpectedEnd,
            _ => !named,
        }
}

/// Whether a text contains a member of JSON-RPC.
#[must_use]
pub fn speaks_jsonrpc(text: &[u8]) -> bool {
    [&b"jsonrpc"[..], b"\"method\"", b"\"result\"", b"\"params\""]
        .iter()
        .any(|name| contains(text, name))
}

/// `Content-Length: 52`
fn is_header(text: &[u8]) -> bool {
    [&b"content-length:"[..], b"content-type:"]
        .iter()
        .any(|name| {
            text.get(..name.len())
                .is_some_and(|head| head.eq_ignore_ascii_case(name))
        })
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    memchr::memmem::find(text, part).is_some()
}

/// The span of a part of a line.
fn span_of(line: &[u8], part: &[u8]) -> Span {
    let start = line.len() - line.trim_ascii_start().len();
    Span {
        start: start as u32,
        end: (start + part.len()) as u32,
    }
}
