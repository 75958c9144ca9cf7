//! Infers the sender of a message that its carrier does not name, from the request, token or task
//! that the message refers to.
//!
//! A reference proves the sender only if all messages so far are known, and only if one party alone
//! has used it: both parties may use the same ids. Where nothing proves the sender, no rule may
//! conclude anything about either party.

use super::{Scope, Session};
use crate::Direction;
use crate::envelope::Envelope;
use crate::exchange::Answered;
use crate::model::Method;
use crate::model::shape::fits;
use crate::syntax::Node;

/// Both directions.
pub(crate) const BOTH: [Direction; 2] = [Direction::ClientToServer, Direction::ServerToClient];

impl Session {
    /// The sender of a call that both parties may send, if the call refers to something of one
    /// party alone.
    #[cold]
    pub(super) fn sender_by_reference(
        &self,
        call: &Envelope<'_>,
        method: &Method,
    ) -> Option<Direction> {
        if self.scope != Scope::Whole {
            return None;
        }
        let params = call.params()?;
        match method.name {
            "notifications/cancelled" => self.canceller(params.get("requestId")?),
            "notifications/progress" => {
                let progress = &self.state.progress;
                let token = params
                    .get("progressToken")
                    .filter(|_| !progress.unattributed)?;
                let key = progress.keys.of(token)?;
                only(|direction| progress.given(direction, key).is_some()).map(Direction::reverse)
            }
            "tasks/get" | "tasks/result" | "tasks/cancel" => self.requestor(params),
            "notifications/tasks/status" => self.requestor(params).map(Direction::reverse),
            _ => None,
        }
    }

    /// The open request that an answer of an unknown sender matches. If both parties have an open
    /// request with its id, it is the one whose result the answer fits, unless it fits both.
    #[cold]
    pub(super) fn answered_by_either(&self, answer: &Envelope<'_>) -> Option<Answered> {
        let [client, server] = BOTH.map(|direction| self.sent(direction, answer));
        let (Some(client), Some(server)) = (client, server) else {
            return client.or(server);
        };
        let result = answer.result()?;
        match [client, server].map(|answered| self.may_be_result(answered, result)) {
            [true, false] => Some(client),
            [false, true] => Some(server),
            _ => None,
        }
    }

    /// The direction in which a request of an unknown sender is tracked: that of clients, which
    /// send most requests, unless the client has an open request with this id.
    #[cold]
    pub(super) fn likely_sender(&self, request: &Envelope<'_>) -> Direction {
        match self.sent(Direction::ClientToServer, request) {
            Some(_) => Direction::ServerToClient,
            None => Direction::ClientToServer,
        }
    }

    /// Tracks that a party, no matter which, may have cancelled its request with this id.
    #[cold]
    pub(crate) fn may_be_cancelled(&mut self, id: Node<'_>) {
        for direction in BOTH {
            if let Some(mut request) = self.open_request_mut(direction, id) {
                request.data_mut().uncertain = true;
            }
        }
    }

    /// The party that may cancel the open request with this id.
    fn canceller(&self, id: Node<'_>) -> Option<Direction> {
        let requester = only(|direction| self.open_request(direction, id).is_some())?;
        let request = self.open_request(requester, id)?;
        let is_uncertain = request.data().is_some_and(|data| data.uncertain);
        // A server ends a subscription by cancelling the client's request.
        let may_be_closed = request.method_name() == Some("subscriptions/listen");
        (!is_uncertain && !may_be_closed).then_some(requester)
    }

    /// The party whose request made the task that params name.
    fn requestor(&self, params: Node<'_>) -> Option<Direction> {
        let task = self.state.progress.keys.of(params.get("taskId")?)?;
        only(|direction| self.state.tasks.get(direction, task).is_some())
    }

    /// Whether a result may answer a request: it fits the definition, or there is none.
    fn may_be_result(&self, answered: Answered, result: Node<'_>) -> bool {
        let form = self.request(answered).and_then(|request| {
            let revision = request.revision?;
            Some((request.method?.forms[revision.index()]?, revision))
        });
        form.is_none_or(|(form, revision)| fits(result, form.result, revision))
    }
}

/// The only direction that has a property.
fn only(has: impl Fn(Direction) -> bool) -> Option<Direction> {
    match BOTH.map(has) {
        [true, false] => Some(Direction::ClientToServer),
        [false, true] => Some(Direction::ServerToClient),
        _ => None,
    }
}
