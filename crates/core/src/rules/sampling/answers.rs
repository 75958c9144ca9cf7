//! The answers of a model, each with the offer of its request.

use crate::rules::prelude::*;
use crate::session::Offer;
use crate::session::message::input_responses;

/// The messages that have such answers.
pub(super) const ON: &[On] = &[
    On::Result("sampling/createMessage"),
    On::Where(Fact::InputRequests, &On::Call("tools/call")),
    On::Where(Fact::InputRequests, &On::Call("prompts/get")),
    On::Where(Fact::InputRequests, &On::Call("resources/read")),
    On::Where(Fact::InputRequests, &On::Call("tasks/update")),
];

/// Visits every answer of a model in a message whose request is known.
pub(super) fn each_answer<'a>(
    message: &Message<'a>,
    session: &Session,
    mut visit: impl FnMut(Node<'a>, &Offer),
) {
    if let Some(result) = message.result() {
        let offer = message
            .request
            .and_then(|request| request.data()?.offer.as_ref());
        if let Some(offer) = offer {
            visit(result, offer);
        }
        return;
    }
    for (key, answer) in input_responses(message).into_iter().flat_map(Node::members) {
        if let Some(offer) = session.state.sampling.embedded(key) {
            visit(answer, offer);
        }
    }
}
