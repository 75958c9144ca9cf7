//! Requests of a server to a client: in a request of its own, or in a result that demands input.

use crate::rules::prelude::*;
use crate::session::message::inputs;

/// The messages that request sampling.
pub(super) const FOR_SAMPLING: &[On] = &[
    On::Call("sampling/createMessage"),
    On::Where(Fact::InputRequests, &On::Result("tools/call")),
    On::Where(Fact::InputRequests, &On::Result("prompts/get")),
    On::Where(Fact::InputRequests, &On::Result("resources/read")),
    On::Where(Fact::InputRequests, &On::Result("tasks/get")),
];

/// The messages that request an elicitation.
pub(super) const FOR_ELICITATION: &[On] = &[
    On::Call("elicitation/create"),
    On::Where(Fact::InputRequests, &On::Result("tools/call")),
    On::Where(Fact::InputRequests, &On::Result("prompts/get")),
    On::Where(Fact::InputRequests, &On::Result("resources/read")),
    On::Where(Fact::InputRequests, &On::Result("tasks/get")),
];

/// The position of the client method in a message, and its params.
pub(super) fn client_requests<'a>(
    message: &Message<'a>,
    method: &'static str,
) -> impl Iterator<Item = (Node<'a>, Node<'a>)> + use<'a> {
    let called = message.method() == Some(method) && message.exchange.envelope.is_call();
    let own = message.params().filter(|_| called);
    let own = own.map(|params| (message.method_or_root(), params));
    let embedded = inputs(message)
        .filter(move |input| input.asks(method))
        .filter_map(|input| Some((input.method, input.params?)));
    own.into_iter().chain(embedded)
}
