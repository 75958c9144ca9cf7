//! The memory of one connection: the revision in force, and the requests that wait for an answer.
//!
//! Read before a message is judged, written after.

mod open;

use core::cmp::Ordering;

use self::open::OpenRequests;
pub(crate) use self::open::Waiting;
use crate::envelope::MessageKind;
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
    pub(crate) fn answered(
        &self,
        direction: Option<Direction>,
        id: Node<'_>,
    ) -> Option<(Direction, &Waiting)> {
        // Without a direction the client's requests come first: far more are sent by clients.
        let directions = match direction {
            Some(direction) => [Some(direction.reverse()), None],
            None => [
                Some(Direction::ClientToServer),
                Some(Direction::ServerToClient),
            ],
        };
        directions
            .into_iter()
            .flatten()
            .find_map(|sent| Some((sent, self.open[sent as usize].find(id)?)))
    }

    /// The name of the method that an answer belongs to, where the model does not have it.
    pub(crate) fn unknown_method<'a>(
        &'a self,
        answer: &Exchange<'_>,
        claimed: Option<&'a str>,
    ) -> Option<&'a str> {
        let answered = answer
            .envelope
            .id()
            .and_then(|id| self.answered(answer.direction, id));
        answered.map_or(claimed, |(_, request)| request.unknown_method.as_deref())
    }

    /// Takes note of a message, after it was judged. What was sent counts, right or wrong.
    pub(crate) fn advance(&mut self, exchange: &Exchange<'_>, max_open: usize) {
        if let Some(named) = exchange.named_revision {
            self.revision = Some(named);
        }
        let Some(id) = exchange.envelope.id() else {
            return;
        };
        match exchange.envelope.kind {
            MessageKind::Request => {
                // Where nothing tells who asked, it was the client: far more requests are its own.
                let direction = exchange.direction.unwrap_or(Direction::ClientToServer);
                let name = exchange.method_node().and_then(Node::plain);
                let open = &mut self.open[direction as usize];
                open.insert(id, exchange.method, name, exchange.revision, max_open);
            }
            MessageKind::Response | MessageKind::Error => {
                let sent = match exchange.direction {
                    Some(direction) => Some(direction.reverse()),
                    None => self.answered(None, id).map(|(sent, _)| sent),
                };
                if let Some(sent) = sent {
                    self.open[sent as usize].remove(id);
                }
            }
            _ => {}
        }
    }
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
