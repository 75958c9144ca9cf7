//! The one writer of JSON strings.

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
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            // Writing to a string cannot fail. Control characters end at U+009F, so four digits are
            // enough.
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
}
