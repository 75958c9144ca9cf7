//! Numbers of a message as `jsonschema` reads them: from their text, whatever its length.
//!
//! Nothing is inlined: the validators of that crate are many, and each would get a copy.

use std::borrow::Cow;

use jsonschema::json::JsonNumber;
use mcp_assay_json::{Kind, Node};
use serde_json::Number;

/// A number, by its token.
#[derive(Clone, Copy)]
pub(crate) struct TapeNumber<'a>(Node<'a>);

impl<'a> TapeNumber<'a> {
    /// `None` for anything but a number.
    pub(super) fn new(node: Node<'a>) -> Option<Self> {
        (node.kind() == Kind::Number).then_some(Self(node))
    }

    fn text(self) -> &'a str {
        // A number's bytes are ASCII by the scanner's grammar.
        core::str::from_utf8(self.0.raw()).unwrap_or("0")
    }

    /// The text as an integer, if it is written as one that fits. `1.0` is not, as for
    /// `serde_json`.
    fn parse<T: core::str::FromStr>(self) -> Option<T> {
        if self.is_written_as_integer() {
            self.text().parse().ok()
        } else {
            None
        }
    }

    /// One spelling for each value, so that equal numbers have equal keys.
    pub(super) fn write_key(self, key: &mut Vec<u8>) {
        /// Every double below has an exact integer that fits, if it is one.
        const WIDEST: f64 = 1.0e38;
        let integer = self
            .parse::<i64>()
            .map(i128::from)
            .or_else(|| self.parse::<u64>().map(i128::from));
        let value = self.0.as_f64();
        match integer {
            Some(integer) => key.extend_from_slice(integer.to_string().as_bytes()),
            None if value.fract() == 0.0 && value.abs() < WIDEST => {
                #[expect(
                    clippy::cast_possible_truncation,
                    reason = "an integer within the range of i128"
                )]
                key.extend_from_slice((value as i128).to_string().as_bytes());
            }
            None if value.is_finite() => {
                key.push(b'.');
                key.extend_from_slice(&value.to_bits().to_be_bytes());
            }
            None => key.extend_from_slice(self.0.raw()),
        }
    }
}

impl JsonNumber for TapeNumber<'_> {
    #[inline(never)]
    fn as_u64(&self) -> Option<u64> {
        self.parse()
    }

    #[inline(never)]
    fn as_i64(&self) -> Option<i64> {
        self.parse()
    }

    #[inline(never)]
    fn as_f64(&self) -> Option<f64> {
        Some(self.0.as_f64()).filter(|value| value.is_finite())
    }

    #[inline(never)]
    fn as_str(&self) -> Cow<'_, str> {
        Cow::Borrowed(self.text())
    }

    #[inline(never)]
    fn to_number(&self) -> Cow<'_, Number> {
        let integer = self
            .as_u64()
            .map(Number::from)
            .or_else(|| self.as_i64().map(Number::from));
        // Beyond the range of a double the nearest one it has.
        let number =
            integer.or_else(|| Number::from_f64(self.0.as_f64().clamp(f64::MIN, f64::MAX)));
        Cow::Owned(number.unwrap_or_else(|| Number::from(0)))
    }

    #[inline(never)]
    fn is_integer(&self) -> bool {
        self.0.is_integer()
    }

    fn is_written_as_integer(&self) -> bool {
        !self.0.token().complex
    }
}
