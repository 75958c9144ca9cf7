//! Recovers the id and method of a message with a JSON error, if they are before the error.
//!
//! A line that is cut off mostly contains its id and method. The session then tracks it as an
//! unsound message, and need not allow for it in every later check.

use crate::syntax::{Fault, FaultKind, Node};

/// The method of a notification whose name is cut off.
const NOTIFICATION: &[u8] = b"notifications/";

/// The heads of the messages in a text: of one with an error, or of several on one line. Empty if
/// any of them cannot be recovered.
pub(super) fn recover_all(text: &[u8], fault: &Fault) -> Vec<Vec<u8>> {
    if fault.kind != FaultKind::SecondValue {
        let readable = text.get(..fault.start as usize);
        return readable.and_then(recover).into_iter().collect();
    }
    let mut heads = Vec::new();
    let mut rest = text.trim_ascii();
    while !rest.is_empty() {
        let value = container(rest);
        let Some(head) = recover(rest) else {
            return Vec::new();
        };
        heads.push(head);
        rest = value.map_or(&[][..], |(_, after)| after.trim_ascii_start());
    }
    heads
}

/// Whether a recovered method is that of a notification: it has no id.
pub(super) fn is_notification(method: Node<'_>) -> bool {
    let is_named = |name: &[u8]| name.starts_with(NOTIFICATION);
    method.plain().is_some_and(is_named)
}

/// The head of the message at the beginning of a text, up to its JSON error; `None` if nothing can
/// be recovered.
///
/// It has only the members that identify the request, notification or answer.
fn recover(text: &[u8]) -> Option<Vec<u8>> {
    let mut rest = text.trim_ascii_start().strip_prefix(b"{")?;
    let mut head = br#"{"jsonrpc":"2.0""#.to_vec();
    let mut kind = None;
    while let Some((key, after)) = string(rest.trim_ascii_start()) {
        let Some(after) = after.trim_ascii_start().strip_prefix(b":") else {
            break;
        };
        let whole = value(after.trim_ascii_start());
        match (key, &whole) {
            (b"\"id\"", Some((id, _))) => {
                head.extend_from_slice(b",\"id\":");
                head.extend_from_slice(id);
            }
            (b"\"method\"", Some((name, _))) if kind.is_none() => {
                kind = Some(Kind::Call);
                head.extend_from_slice(b",\"method\":");
                head.extend_from_slice(name);
            }
            // A name that is cut off matches no method, but it was a call.
            (b"\"method\"", None) if kind.is_none() => {
                kind = Some(Kind::Call);
                let cut = after.trim_ascii_start();
                let name: &[u8] = if cut.starts_with(b"\"notifications/") {
                    NOTIFICATION
                } else {
                    b""
                };
                head.extend_from_slice(br#","method":""#);
                head.extend_from_slice(name);
                head.push(b'"');
            }
            (b"\"result\"", _) if kind.is_none() => {
                kind = Some(Kind::Answer);
                head.extend_from_slice(b",\"result\":{}");
            }
            (b"\"error\"", _) if kind.is_none() => {
                kind = Some(Kind::Answer);
                head.extend_from_slice(br#","error":{"code":-32603,"message":""}"#);
            }
            _ => {}
        }
        let Some((_, after)) = whole else {
            break;
        };
        match after.trim_ascii_start().strip_prefix(b",") {
            Some(after) => rest = after,
            None => break,
        }
    }
    head.push(b'}');
    kind.map(|_| head)
}

/// The kind of a message.
enum Kind {
    Call,
    Answer,
}

/// A string in its quotes, and the rest of the text.
fn string(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let mut end = 0;
    text.strip_prefix(b"\"")?;
    loop {
        end += 1 + memchr::memchr2(b'"', b'\\', text.get(end + 1..)?)?;
        match text.get(end)? {
            b'"' => return text.split_at_checked(end + 1),
            _ => end += 1,
        }
    }
}

/// A complete value, and the rest of the text; a number or a word is complete only if something
/// follows.
fn value(text: &[u8]) -> Option<(&[u8], &[u8])> {
    match text.first()? {
        b'"' => string(text),
        b'{' | b'[' => container(text),
        _ => {
            let end = text
                .iter()
                .position(|byte| matches!(byte, b',' | b'}' | b' '))?;
            text.split_at_checked(end)
        }
    }
}

/// An object or an array, and the rest of the text.
fn container(text: &[u8]) -> Option<(&[u8], &[u8])> {
    if !matches!(text.first(), Some(b'{' | b'[')) {
        return None;
    }
    let (mut at, mut depth) = (0, 0_u64);
    while let Some(byte) = text.get(at) {
        match byte {
            b'"' => at = text.len() - string(text.get(at..)?)?.1.len(),
            b'{' | b'[' => {
                depth += 1;
                at += 1;
            }
            b'}' | b']' => {
                depth -= 1;
                at += 1;
                if depth == 0 {
                    return text.split_at_checked(at);
                }
            }
            _ => at += 1,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_before_the_fault_is_made_out() {
        for (text, head) in [
            (
                r#"{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"a"#,
                Some(r#","id":5,"method":"tools/call""#),
            ),
            (
                r#" { "id" : "a\"b" , "method" : "ping" "#,
                Some(r#","id":"a\"b","method":"ping""#),
            ),
            (
                r#"{"result":{"tools":[{"name":"}"}],"x":"#,
                Some(r#","result":{}"#),
            ),
            (
                r#"{"result":{"tools":["]"]},"jsonrpc":"2.0","id":12,"x"#,
                Some(r#","result":{},"id":12"#),
            ),
            (
                r#"{"result":{},"jsonrpc":"2.0","id":1"#,
                Some(r#","result":{}"#),
            ),
            (r#"{"jsonrpc":"2.0","id":5,"meth"#, None),
            (r#"{"jsonrpc":"2.0","id":5"#, None),
            (
                r#"{"jsonrpc":"2.0","id":5,"method":"tools/ca"#,
                Some(r#","id":5,"method":"""#),
            ),
            ("{oops", None),
            ("{", None),
            ("[1", None),
            ("", None),
            (r#"{"a\"#, None),
        ] {
            let head = head.map(|head| format!(r#"{{"jsonrpc":"2.0"{head}}}"#));
            let found = recover(text.as_bytes()).map(|found| String::from_utf8(found).unwrap());
            assert_eq!(found, head, "{text}");
        }
    }
}
