//! The one writer of JSON: on one line, with its members in the order of the type.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};

use crate::visible::is_harmless;

/// Writes a value as JSON on one line. Characters that act on a terminal, or hide there, are
/// escaped: people read reports and logs with `cat`.
///
/// ```
/// let mut out = Vec::new();
/// mcp_assay_report::write_json("a\u{202e}b", &mut out)?;
/// assert_eq!(out, br#""a\u202eb""#);
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn write_json<T: Serialize + ?Sized>(value: &T, out: &mut dyn Write) -> io::Result<()> {
    let mut serializer = Serializer::with_formatter(out, ForTerminals);
    value.serialize(&mut serializer).map_err(io::Error::from)
}

struct ForTerminals;

impl Formatter for ForTerminals {
    fn write_string_fragment<W: Write + ?Sized>(
        &mut self,
        out: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        let mut rest = fragment;
        // Control characters below this were escaped before.
        while let Some(at) = rest.bytes().position(|byte| byte >= 0x7f) {
            let active = rest[at..]
                .char_indices()
                .find(|(_, character)| !is_harmless(*character));
            let Some((offset, character)) = active else {
                break;
            };
            let (plain, from) = rest.split_at(at + offset);
            out.write_all(plain.as_bytes())?;
            for unit in character.encode_utf16(&mut [0; 2]) {
                write!(out, "\\u{unit:04x}")?;
            }
            rest = &from[character.len_utf8()..];
        }
        out.write_all(rest.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_the_same_for_programs_and_harmless_for_terminals() {
        let text = "a\"\\\n\u{1}\u{7f}\u{9b}é漢\u{200b}x\u{e0001}😀";
        let mut out = Vec::new();
        write_json(text, &mut out).unwrap();
        assert_eq!(serde_json::from_slice::<String>(&out).unwrap(), text);
        let written = String::from_utf8(out).unwrap();
        assert_eq!(
            written,
            r#""a\"\\\n\u0001\u007f\u009bé漢\u200bx\udb40\udc01😀""#
        );
    }
}
