//! A name for equal schemas: the SHA-256 of their canonical JSON.
//!
//! Canonical: no white space, members in byte order of their names, of a repeated name the last
//! one, the shortest escapes, and numbers by value as far as a double tells them apart. Written
//! straight from the tape, without recursion.

use core::fmt;

use mcp_assay_json::{Items, Kind, Node};
use sha2::{Digest as _, Sha256};

/// The SHA-256 of a value's canonical JSON. Displayed in hexadecimal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint([u8; 32]);

impl Fingerprint {
    /// The fingerprint of a value.
    #[must_use]
    pub fn of(value: Node<'_>) -> Self {
        let mut writer = Writer {
            hasher: Sha256::new(),
            buffer: Vec::with_capacity(BUFFER_BYTES + 256),
        };
        writer.value(value);
        writer.flush();
        Self(writer.hasher.finalize().into())
    }

    /// Its bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Fingerprint({self})")
    }
}

/// The buffer is hashed when it has this many bytes.
const BUFFER_BYTES: usize = 4096;

struct Writer {
    hasher: Sha256,
    buffer: Vec<u8>,
}

/// A container that is being written.
enum Open<'a> {
    /// The keys that are left, the next one last.
    Object(Vec<Node<'a>>),
    Array(Items<'a>),
}

impl Writer {
    fn value(&mut self, value: Node<'_>) {
        let mut open = Vec::new();
        self.begin(value, &mut open);
        let mut first = true;
        while let Some(innermost) = open.last_mut() {
            let (next, closer) = match innermost {
                Open::Array(items) => (items.next(), b']'),
                Open::Object(keys) => (keys.pop(), b'}'),
            };
            let Some(next) = next else {
                self.buffer.push(closer);
                open.pop();
                first = false;
                continue;
            };
            if !first {
                self.buffer.push(b',');
            }
            let depth = open.len();
            if next.kind() == Kind::Key {
                self.text(next);
                self.buffer.push(b':');
                // A key is followed by its value.
                self.begin(next.at(next.index() + 1), &mut open);
            } else {
                self.begin(next, &mut open);
            }
            first = open.len() > depth;
            if self.buffer.len() >= BUFFER_BYTES {
                self.flush();
            }
        }
    }

    /// Writes a scalar, or opens a container.
    fn begin<'a>(&mut self, value: Node<'a>, open: &mut Vec<Open<'a>>) {
        match value.kind() {
            Kind::Null => self.buffer.extend_from_slice(b"null"),
            Kind::True => self.buffer.extend_from_slice(b"true"),
            Kind::False => self.buffer.extend_from_slice(b"false"),
            Kind::Number => self.number(value),
            Kind::String | Kind::Key => self.text(value),
            Kind::Array => {
                self.buffer.push(b'[');
                open.push(Open::Array(value.items()));
            }
            Kind::Object => {
                self.buffer.push(b'{');
                let mut named: Vec<_> = value
                    .members()
                    .map(|(key, _)| (key.text().unwrap_or_default(), key))
                    .collect();
                // In descending order, and of equal names the last one first: it is the one that
                // stays.
                named.sort_unstable_by(|left, right| {
                    (&right.0, right.1.index()).cmp(&(&left.0, left.1.index()))
                });
                named.dedup_by(|later, earlier| later.0 == earlier.0);
                open.push(Open::Object(
                    named.into_iter().map(|(_, key)| key).collect(),
                ));
            }
        }
    }

    fn number(&mut self, number: Node<'_>) {
        /// Every integer below has a double of its own.
        const EXACT: f64 = 9_007_199_254_740_992.0;
        let raw = number.raw();
        if !number.token().complex {
            let zero = raw == b"-0";
            self.buffer.extend_from_slice(if zero { b"0" } else { raw });
            return;
        }
        let value = number.as_f64();
        let text = if value.fract() == 0.0 && value.abs() < EXACT {
            // Adding zero turns a negative zero into zero.
            format!("{}", value + 0.0)
        } else if value.is_finite() {
            format!("{value:e}")
        } else {
            String::from_utf8_lossy(raw).into_owned()
        };
        self.buffer.extend_from_slice(text.as_bytes());
    }

    fn text(&mut self, text: Node<'_>) {
        self.buffer.push(b'"');
        for byte in text.text().unwrap_or_default().bytes() {
            match byte {
                b'"' => self.buffer.extend_from_slice(b"\\\""),
                b'\\' => self.buffer.extend_from_slice(b"\\\\"),
                0..0x20 => self
                    .buffer
                    .extend_from_slice(format!("\\u{byte:04x}").as_bytes()),
                _ => self.buffer.push(byte),
            }
        }
        self.buffer.push(b'"');
    }

    fn flush(&mut self) {
        self.hasher.update(&self.buffer);
        self.buffer.clear();
    }
}
