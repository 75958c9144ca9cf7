//! The memory of one connection: the revision in force, and the requests that wait for an answer.
//!
//! Read before a message is judged, written after.

mod open;

use core::cmp::Ordering;

use self::open::OpenRequests;
pub(crate) use self::open::Waiting;
use crate::envelope::{Envelope, MessageKind};
use crate::exchange::Exchange;
use crate::model::Fact;
use crate::syntax::{Kind, Node};
use crate::{Direction, Revision};

/// The memory of one connection.
///
/// ```
/// use mcp_assay::Session;
///
/// let session = Session::new();
/// assert_eq!(session.revision(), None);
/// ```
#[derive(Default, Debug)]
pub struct Session {
    revision: Option<Revision>,
    /// Requests by the direction in which they were sent.
    open: [OpenRequests; 2],
}

impl Session {
    /// A connection on which nothing was said yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The revision that the traffic has shown, if any: negotiated by the handshake or named by the last request that names one.
    #[must_use]
    pub fn revision(&self) -> Option<Revision> {
        self.revision
    }

    /// How many requests of this direction wait for an answer.
    #[must_use]
    pub fn open_requests(&self, direction: Direction) -> usize {
        self.open[direction as usize].len()
    }

    /// The open request that a response answers, by value and type of its id; `direction` is that of the response.
    #[inline(always)]
    pub(crate) fn answered(
        &self,
        direction: Option<Direction>,
        answer: &Envelope<'_>,
    ) -> Option<Answered> {
        match direction {
            Some(direction) => self.sent(direction.reverse(), answer),
            // Without a direction the client's requests come first: far more are sent by clients.
            None => self
                .sent(Direction::ClientToServer, answer)
                .or_else(|| self.sent(Direction::ServerToClient, answer)),
        }
    }

    #[inline(always)]
    fn sent(&self, direction: Direction, answer: &Envelope<'_>) -> Option<Answered> {
        let position = self.open[direction as usize].find(answer)? as u32;
        Some(Answered {
            direction,
            position,
        })
    }

    /// The request that an answer belongs to.
    #[inline(always)]
    pub(crate) fn request(&self, answered: Answered) -> Option<&Waiting> {
        self.open[answered.direction as usize].get(answered.position as usize)
    }

    /// Takes note of a message, after it was judged. What was sent counts, right or wrong.
    #[inline(always)]
    pub(crate) fn advance(&mut self, exchange: &Exchange<'_>, max_open: usize) {
        if let Some(named) = exchange.named_revision {
            self.revision = Some(named);
        }
        if let Some(Answered {
            direction,
            position,
        }) = exchange.answered
        {
            self.open[direction as usize].remove(position as usize);
        } else if exchange.envelope.kind == MessageKind::Request {
            // Where nothing tells who asked, it was the client: far more requests are its own.
            let direction = exchange.direction.unwrap_or(Direction::ClientToServer);
            self.open[direction as usize].insert(exchange, max_open);
        }
    }
}

/// The place of an open request, until the session advances.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Answered {
    /// Which way the request went.
    pub(crate) direction: Direction,
    position: u32,
}

/// The revision that a version string means: itself, or for an unknown one the newest that is not newer.
pub(crate) fn nearest_revision(version: Node<'_>, among: Fact) -> Option<Revision> {
    if version.kind() != Kind::String {
        return None;
    }
    let known = || {
        Revision::ALL
            .into_iter()
            .filter(|revision| revision.has(among))
    };
    let not_newer = |revision: &Revision| {
        version
            .compare_text(revision.name().as_bytes())
            .is_some_and(Ordering::is_ge)
    };
    known().rfind(not_newer).or_else(|| known().next())
}
