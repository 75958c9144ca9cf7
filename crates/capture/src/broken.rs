//! The reason why something in a source cannot be read.

use std::borrow::Cow;
use std::fmt;

use mcp_assay::Direction;

/// The reason why a record cannot be read: fits after "the record is broken:".
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Broken(Cow<'static, str>);

impl Broken {
    /// It stops being JSON at this byte.
    pub fn not_json(at: u32) -> Self {
        Self(format!("it stops being JSON at byte {at}").into())
    }

    /// A member is not what it has to be.
    pub fn not(name: &str, expected: &str) -> Self {
        Self(format!("`{name}` is not {expected}").into())
    }
}

impl From<&'static str> for Broken {
    fn from(text: &'static str) -> Self {
        Self(Cow::Borrowed(text))
    }
}

impl From<String> for Broken {
    fn from(text: String) -> Self {
        Self(Cow::Owned(text))
    }
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Something that was on the wire and cannot be read. From here on the history of its session has a
/// gap.
#[derive(Debug)]
pub struct Lost<'a> {
    /// Its line.
    pub line: u64,
    /// Its session, as far as that is known.
    pub session: Option<&'a str>,
    /// Its sender, as far as that is known.
    pub direction: Option<Direction>,
    /// The reason why it cannot be read.
    pub why: Broken,
}

impl Lost<'_> {
    /// A record of which nothing is known but its line.
    pub fn at(line: u64, why: impl Into<Broken>) -> Self {
        Self {
            line,
            session: None,
            direction: None,
            why: why.into(),
        }
    }
}
