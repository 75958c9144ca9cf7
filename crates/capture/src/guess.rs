//! A first look at a line, so that a message is scanned once, by the validator alone.

use memchr::memmem;

/// The likely kind of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Guess {
    /// White space.
    Blank,
    /// A message, or nothing that could be a record.
    Message,
    /// Its first member is one of a record. If it cannot be read, it is a broken record.
    Record,
    /// An object that must be scanned to tell.
    Unsure,
}

/// The members of a record.
const RECORD: [&[u8]; 15] = [
    b"t",
    b"n",
    b"dir",
    b"raw",
    b"raw_b64",
    b"http",
    b"body",
    b"body_b64",
    b"sse",
    b"stream",
    b"end",
    b"session",
    b"revision",
    b"answers",
    b"unterminated",
];

/// Whether a member is one of a record.
pub(crate) fn may_begin_record(key: &[u8]) -> bool {
    RECORD.contains(&key)
}

/// Looks at the first member of a line.
pub(crate) fn guess(line: &[u8]) -> Guess {
    let line = line.trim_ascii_start();
    let Some(inner) = line.strip_prefix(b"{") else {
        return if line.is_empty() {
            Guess::Blank
        } else {
            Guess::Message
        };
    };
    let Some(key) = inner.trim_ascii_start().strip_prefix(b"\"") else {
        return Guess::Message;
    };
    let Some(length) = memchr::memchr(b'"', key) else {
        return Guess::Message;
    };
    match &key[..length] {
        b"jsonrpc" => Guess::Message,
        // A text inside a record has its quotes escaped, so this is a member or a value of its own.
        b"id" | b"method" | b"params" | b"result" | b"error"
            if memmem::find(key, b"\"jsonrpc\"").is_some() =>
        {
            Guess::Message
        }
        first if RECORD.contains(&first) => Guess::Record,
        _ => Guess::Unsure,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_member_tells() {
        let cases: [(&str, Guess); 11] = [
            ("  \t\r", Guess::Blank),
            (
                r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#,
                Guess::Message,
            ),
            (r#"  { "jsonrpc" : "2.0" }"#, Guess::Message),
            (r#"{"id":1,"jsonrpc":"2.0","result":{}}"#, Guess::Message),
            (r#"[{"raw":1}]"#, Guess::Message),
            ("Server listening on port 80", Guess::Message),
            ("{not json", Guess::Message),
            (
                r#"{"t":1,"dir":"c2s","raw":"{\"jsonrpc\":\"2.0\"}"}"#,
                Guess::Record,
            ),
            (r#"{"raw":"#, Guess::Record),
            (r#"{"id":1,"raw":"{\"jsonrpc\":\"2.0\"}"}"#, Guess::Unsure),
            (r#"{"_meta":{},"jsonrpc":"2.0"}"#, Guess::Unsure),
        ];
        for (line, expected) in cases {
            assert_eq!(guess(line.as_bytes()), expected, "{line}");
        }
    }
}
