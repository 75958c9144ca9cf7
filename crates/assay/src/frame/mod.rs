//! One message as it was cut from its carrier.

use crate::{Direction, Revision};

/// The bytes of one message and what its carrier says about them.
///
/// ```
/// use mcp_assay::{Direction, Frame};
///
/// let frame = Frame::new(br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#).direction(Direction::ClientToServer);
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Frame<'a> {
    /// The message, without the newline that ended it.
    pub bytes: &'a [u8],
    /// Who sent it; `None` if the carrier does not say. It is then inferred from the method or from the open requests.
    pub direction: Option<Direction>,
    /// The revision that its carrier forces for this message.
    pub revision: Option<Revision>,
    /// The revision in the `MCP-Protocol-Version` header.
    pub header_revision: Option<Revision>,
    /// The method that a lone response answers, where no request was seen.
    pub answers: Option<&'a str>,
    /// What carried it.
    pub carrier: Carrier,
}

impl<'a> Frame<'a> {
    /// A message of which nothing but the bytes is known.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Self {
        let carrier = Carrier::Unknown;
        Self {
            bytes,
            direction: None,
            revision: None,
            header_revision: None,
            answers: None,
            carrier,
        }
    }

    /// Says who sent it.
    #[must_use]
    pub fn direction(self, direction: Direction) -> Self {
        Self {
            direction: Some(direction),
            ..self
        }
    }

    /// Forces a revision for this message.
    #[must_use]
    pub fn revision(self, revision: Revision) -> Self {
        Self {
            revision: Some(revision),
            ..self
        }
    }

    /// Says which method a lone response answers.
    #[must_use]
    pub fn answers(self, method: &'a str) -> Self {
        Self {
            answers: Some(method),
            ..self
        }
    }

    /// Says what carried it.
    #[must_use]
    pub fn carrier(self, carrier: Carrier) -> Self {
        Self { carrier, ..self }
    }
}

impl<'a, B: AsRef<[u8]> + ?Sized> From<&'a B> for Frame<'a> {
    fn from(bytes: &'a B) -> Self {
        Self::new(bytes.as_ref())
    }
}

/// What carried a message.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Carrier {
    /// Not known.
    Unknown,
    /// A line of a stdio stream.
    Stdio,
    /// A body or event of HTTP.
    Http,
}
