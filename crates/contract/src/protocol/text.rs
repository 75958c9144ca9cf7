//! Messages as text, built from their parts.

use mcp_assay::syntax::write_text;

/// A message that is written member by member, in one line.
pub(crate) struct Body<'t>(&'t mut Vec<u8>);

impl<'t> Body<'t> {
    /// Begins a message.
    pub(crate) fn begin(text: &'t mut Vec<u8>) -> Self {
        text.clear();
        text.extend_from_slice(br#"{"jsonrpc":"2.0""#);
        Self(text)
    }

    /// Adds a member whose value is JSON, if there is a value. The value must have been scanned: it
    /// is one value and no more.
    pub(crate) fn json(self, name: &str, value: Option<&[u8]>) -> Self {
        if let Some(value) = value {
            write_object_member(self.0, name);
            write_in_one_line(self.0, value);
        }
        self
    }

    /// Adds a member whose value is a string.
    pub(crate) fn string(self, name: &str, value: &str) -> Self {
        write_object_member(self.0, name);
        write_string(self.0, value);
        self
    }

    /// Ends the message.
    pub(crate) fn end(self) {
        self.0.push(b'}');
    }
}

/// Writes the comma before a member that is not the first, its name and the colon.
pub(crate) fn write_object_member(text: &mut Vec<u8>, name: &str) {
    if text.last().is_some_and(|last| *last != b'{') {
        text.push(b',');
    }
    write_string(text, name);
    text.push(b':');
}

/// Writes JSON without its line ends: between tokens they mean nothing, and within strings there
/// are none.
pub(crate) fn write_in_one_line(text: &mut Vec<u8>, json: &[u8]) {
    text.extend(json.iter().filter(|byte| !matches!(byte, b'\n' | b'\r')));
}

/// Writes a string with its quotes, and escapes the characters that must be.
pub(crate) fn write_string(text: &mut Vec<u8>, string: &str) {
    let mut quoted = String::with_capacity(string.len() + 2);
    write_text(string, &mut quoted);
    text.extend_from_slice(quoted.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;
    use mcp_assay::syntax::ScanLimits;
    use mcp_assay::syntax::{Node, Tape, scan};

    #[test]
    fn strings_are_read_as_they_were_written() {
        let every: String = (0..0x300).filter_map(char::from_u32).collect();
        for string in ["", "a", "\"\\/", "\u{1F980}\u{2028}", &every] {
            let mut text = Vec::new();
            write_string(&mut text, string);
            let mut tape = Tape::new();
            scan(&text, &ScanLimits::DEFAULT, &mut tape).expect("JSON");
            let read = tape.root(&text).and_then(Node::text);
            assert_eq!(read.as_deref(), Some(string));
        }
    }

    #[test]
    fn line_ends_are_left_out() {
        let mut text = Vec::new();
        let params = b"{\r\n  \"a\": 1,\n  \"b\": \"\\n\"\n}\n";
        Body::begin(&mut text).json("params", Some(params)).end();
        let expected = br#"{"jsonrpc":"2.0","params":{  "a": 1,  "b": "\n"}}"#;
        assert_eq!(text, expected);
    }
}
