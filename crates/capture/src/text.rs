//! JSON that stands among other text, in the lines of a logger.

use mcp_assay::Limits;
use mcp_assay::syntax::{FaultKind, Tape, scan};
use memchr::{memchr2, memmem};

use super::broken::Broken;

pub(crate) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The message at the beginning of a text that a logger wrote, and what follows it. The tape holds
/// the message.
///
/// A logger writes messages that it has parsed. If one is not JSON here, the logger or its file is
/// at fault, not the party.
pub(crate) fn logged_message<'t>(
    text: &'t [u8],
    limits: &Limits,
    tape: &mut Tape,
) -> Result<(&'t [u8], &'t [u8]), Broken> {
    let text = text.trim_ascii_start();
    if !matches!(text.first(), Some(b'{' | b'[')) {
        return Err(Broken::from("no JSON stands where the message should be"));
    }
    let Some(end) = value_end(text) else {
        return Err(CUT.into());
    };
    let (message, rest) = text.split_at(end);
    match scan(message, &limits.for_scan(), tape) {
        // The message is above a limit of ours, which is reported with the message.
        Err(fault)
            if !matches!(
                fault.kind,
                FaultKind::TooLarge | FaultKind::TooDeep | FaultKind::TooManyTokens
            ) =>
        {
            if memmem::find(message, b"truncated").is_some() {
                Err(CUT.into())
            } else {
                Err(Broken::not_json(fault.start))
            }
        }
        _ => Ok((message, rest)),
    }
}

const CUT: &str = "the logger cut the message off, so it cannot be judged";

/// The place where the object or array at the beginning ends, if it does.
fn value_end(text: &[u8]) -> Option<usize> {
    let (mut depth, mut at) = (0_usize, 0);
    while let Some(byte) = text.get(at) {
        match byte {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            b'"' => at = string_end(text, at)?,
            _ => {}
        }
        at += 1;
    }
    None
}

/// The closing quote of the string that opens here.
pub(crate) fn string_end(text: &[u8], open: usize) -> Option<usize> {
    let mut at = open + 1;
    loop {
        at += memchr2(b'"', b'\\', text.get(at..)?)?;
        if text[at] == b'"' {
            return Some(at);
        }
        at += 2;
    }
}

/// JSON without the white space between its tokens: on one line, as messages are shown.
pub(crate) fn compact(json: &[u8]) -> Vec<u8> {
    let mut line = Vec::with_capacity(json.len());
    let mut at = 0;
    while let Some(&byte) = json.get(at) {
        let end = match byte {
            b'"' => string_end(json, at).unwrap_or(json.len() - 1),
            _ => at,
        };
        if !byte.is_ascii_whitespace() {
            line.extend_from_slice(&json[at..=end]);
        }
        at = end + 1;
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Result<(String, String), String> {
        let utf8 = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        logged_message(text.as_bytes(), &Limits::DEFAULT, &mut Tape::new())
            .map(|(message, rest)| (utf8(message), utf8(rest)))
            .map_err(|broken| broken.to_string())
    }

    #[test]
    fn the_message_ends_where_its_brackets_close() {
        for (text, message, rest) in [
            (
                "{} { metadata: undefined }",
                "{}",
                " { metadata: undefined }",
            ),
            (r#" {"a":"}{\"\\"} x"#, r#"{"a":"}{\"\\"}"#, " x"),
            ("[1,[2]]", "[1,[2]]", ""),
        ] {
            assert_eq!(found(text), Ok((message.to_owned(), rest.to_owned())));
        }
    }

    #[test]
    fn what_a_logger_cut_is_told_from_what_is_garbled() {
        let cut = Err(CUT.to_owned());
        assert_eq!(found(r#"{"a":"b"#), cut);
        assert_eq!(found(r#"{"a":"b... [120 chars truncated]"#), cut);
        assert_eq!(found(r#"{"a":[1, ... [120 chars truncated] ]}"#), cut);
        assert_eq!(found(r#"{"a":\"#), cut);
        assert_eq!(
            found("{a: 1}"),
            Err("it stops being JSON at byte 1".to_owned())
        );
        assert!(found("}").is_err() && found("").is_err() && found("text").is_err());
    }

    #[test]
    fn white_space_goes_only_between_tokens() {
        let pretty = b"{\n  \"a b\" : [ 1,\t\"\\\" x\" ]\r\n}";
        assert_eq!(compact(pretty), br#"{"a b":[1,"\" x"]}"#);
        assert_eq!(compact(b"\"open "), b"\"open ");
    }
}
