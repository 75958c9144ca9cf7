//! Ids of traces and spans (W3C Trace Context), and ids that follow from the input alone.

use core::fmt;

/// The id of a trace: sixteen bytes, not all zero. Displayed in hexadecimal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TraceId([u8; 16]);

/// The id of a span: eight bytes, not all zero. Displayed in hexadecimal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SpanId([u8; 8]);

const HEX: &[u8; 16] = b"0123456789abcdef";

macro_rules! id {
    ($name:ident, $bytes:literal) => {
        impl $name {
            /// The id of these bytes, unless all of them are zero.
            #[must_use]
            pub fn from_bytes(bytes: [u8; $bytes]) -> Option<Self> {
                (bytes != [0; $bytes]).then_some(Self(bytes))
            }

            /// The id that is written in hexadecimal digits of lower case, all of them.
            #[must_use]
            pub fn parse(text: &str) -> Option<Self> {
                let mut bytes = [0; $bytes];
                if text.len() != 2 * $bytes {
                    return None;
                }
                for (byte, pair) in bytes.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
                    *byte = digit(pair[0])? << 4 | digit(pair[1])?;
                }
                Self::from_bytes(bytes)
            }

            /// Appends its digits.
            pub(crate) fn write(&self, out: &mut String) {
                let mut digits = [0; 2 * $bytes];
                for (pair, byte) in digits.chunks_exact_mut(2).zip(self.0) {
                    pair[0] = HEX[usize::from(byte >> 4)];
                    pair[1] = HEX[usize::from(byte & 15)];
                }
                // Digits are UTF-8.
                out.push_str(core::str::from_utf8(&digits).unwrap_or_default());
            }

            /// Its bytes.
            #[must_use]
            pub fn as_bytes(&self) -> &[u8; $bytes] {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let mut text = String::with_capacity(2 * $bytes);
                self.write(&mut text);
                f.write_str(&text)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self)
            }
        }
    };
}

id!(TraceId, 16);
id!(SpanId, 8);

fn digit(byte: u8) -> Option<u8> {
    match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        _ => None,
    }
}

#[cfg(feature = "json-schema")]
pub use self::derived::{request_id, span_id, trace_id};

#[cfg(feature = "json-schema")]
mod derived {
    use sha2::{Digest as _, Sha256};

    use super::{SpanId, TraceId};
    use crate::envelope::NonEmpty;

    /// The trace that all exchanges of a session share, from the name of the session: two runs give
    /// the same.
    ///
    /// ```
    /// use mcp_assay_contract::envelope::{span_id, trace_id};
    ///
    /// assert_eq!(trace_id("s1"), trace_id("s1"));
    /// assert_ne!(span_id("s1", 1), span_id("s1", 2));
    /// ```
    #[must_use]
    pub fn trace_id(session: &str) -> TraceId {
        TraceId(not_zero(leading(&digest("trace", session, 0))))
    }

    /// The span of an exchange, from the name of its session and its number in there.
    #[must_use]
    pub fn span_id(session: &str, sequence: u64) -> SpanId {
        SpanId(not_zero(leading(&digest("span", session, sequence))))
    }

    /// The id of a request, from the name of its session and its number in there: 32 hexadecimal
    /// digits.
    #[must_use]
    pub fn request_id(session: &str, sequence: u64) -> NonEmpty {
        let id = TraceId(leading(&digest("request", session, sequence)));
        NonEmpty::known(id.to_string())
    }

    fn digest(purpose: &str, session: &str, sequence: u64) -> [u8; 32] {
        let mut hasher = Sha256::new();
        hasher.update(purpose.as_bytes());
        hasher.update([0]);
        hasher.update(sequence.to_be_bytes());
        hasher.update(session.as_bytes());
        hasher.finalize().into()
    }

    fn leading<const N: usize>(digest: &[u8; 32]) -> [u8; N] {
        core::array::from_fn(|index| digest[index])
    }

    /// An id of zeros means that there is none; no digest in practice begins with so many.
    fn not_zero<const N: usize>(mut bytes: [u8; N]) -> [u8; N] {
        if bytes == [0; N] {
            bytes[N - 1] = 1;
        }
        bytes
    }
}
