//! Values of others inside an envelope: JSON text that was read before.

use core::fmt::{self, Write as _};
use std::borrow::Cow;

use mcp_assay::syntax::{Kind, Node, ScanLimits, Tape, write_text};

use crate::misfit::{Misfit, read_text};

/// One JSON value as text, on one line, without white space between its parts.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct JsonText {
    text: Cow<'static, str>,
    kind: Kind,
}

impl JsonText {
    /// The value `null`.
    #[must_use]
    pub fn null() -> Self {
        Self {
            text: "null".into(),
            kind: Kind::Null,
        }
    }

    /// Reads a JSON text of up to 64 MiB and 128 levels.
    ///
    /// # Errors
    ///
    /// The reason why it is not JSON.
    pub fn parse(bytes: &[u8]) -> Result<Self, Misfit> {
        let mut tape = Tape::new();
        let root = read_text(bytes, &ScanLimits::DEFAULT, &mut tape)?;
        Ok(Self::copied(root))
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// A value on a tape, whose limits were as high as ours.
    pub(super) fn copied(node: Node<'_>) -> Self {
        Self {
            text: Cow::Owned(compact(node.raw())),
            kind: node.kind(),
        }
    }
}

impl fmt::Display for JsonText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

/// Details of an error for programs: an object, an array, or nothing (`null`).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Details(JsonText);

impl Details {
    /// An object of one member, whose value is a text.
    ///
    /// ```
    /// use mcp_assay_contract::envelope::Details;
    ///
    /// assert_eq!(Details::text("reason", "late").as_str(), r#"{"reason":"late"}"#);
    /// ```
    #[must_use]
    pub fn text(name: &str, value: &str) -> Self {
        let mut text = String::with_capacity(name.len() + value.len() + 8);
        text.push('{');
        write_text(name, &mut text);
        text.push(':');
        write_text(value, &mut text);
        text.push('}');
        Self(JsonText {
            text: Cow::Owned(text),
            kind: Kind::Object,
        })
    }

    /// The details, unless they are a plain value.
    #[must_use]
    pub fn new(value: JsonText) -> Option<Self> {
        matches!(value.kind, Kind::Object | Kind::Array | Kind::Null).then_some(Self(value))
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

impl Default for Details {
    fn default() -> Self {
        Self(JsonText::null())
    }
}

/// Leaves out white space between tokens, and escapes characters that could act on a terminal.
fn compact(raw: &[u8]) -> String {
    let raw = String::from_utf8_lossy(raw);
    let mut out = String::with_capacity(raw.len());
    let (mut quoted, mut escaped) = (false, false);
    for c in raw.chars() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = quoted,
            '"' => quoted = !quoted,
            ' ' | '\t' | '\n' | '\r' if !quoted => continue,
            // JSON allows no byte below U+0020, so this one is within a string.
            c if c.is_control() => {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\u{:04x}", u32::from(c));
                continue;
            }
            _ => {}
        }
        out.push(c);
    }
    out
}
