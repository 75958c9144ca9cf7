//! The ids of open requests, for programs that answer in place of a peer.

use super::Session;
use crate::Direction;
use crate::syntax::Node;

impl Session {
    /// Whether a request of a direction with this id, by value and type, is open.
    #[must_use]
    pub fn awaits(&self, direction: Direction, id: Node<'_>) -> bool {
        self.open_request(direction, id).is_some()
    }

    /// The id, as JSON text, of the open request whose id differs only in its JSON type.
    #[must_use]
    pub fn id_of_other_type(&self, direction: Direction, id: Node<'_>) -> Option<String> {
        let request = self.with_id_of_other_type(direction, id)?;
        Some(request.id_json())
    }

    /// Whether a request of a direction that an HTTP exchange carried is open.
    #[must_use]
    pub fn awaits_in(&self, direction: Direction, exchange: i64) -> bool {
        self.in_exchange(direction, exchange).next().is_some()
    }

    /// The ids, as JSON text, of the open requests of a direction.
    pub fn waiting_ids(&self, direction: Direction) -> impl Iterator<Item = String> {
        let waiting = self.waiting(direction).iter();
        waiting.map(super::OpenRequest::id_json)
    }
}
