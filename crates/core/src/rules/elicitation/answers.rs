//! Answers of users: the result of a request, or entries of `inputResponses`.

use crate::rules::prelude::*;
use crate::session::message::input_responses;
use crate::session::{Form, Relation};

/// The messages that have such answers.
pub(super) const ANSWERS: &[On] = &[
    On::Result("elicitation/create"),
    On::Where(Fact::InputRequests, &On::Call("tools/call")),
    On::Where(Fact::InputRequests, &On::Call("prompts/get")),
    On::Where(Fact::InputRequests, &On::Call("resources/read")),
];

/// The answer of a user.
pub(super) struct Answer<'a> {
    pub(super) result: Node<'a>,
    /// The form of the request, if it is known.
    pub(super) form: Option<&'a Form>,
}

impl Answer<'_> {
    /// Whether the user chose this action.
    pub(super) fn is(&self, action: &str) -> bool {
        self.result
            .get("action")
            .is_some_and(|own| own.is_text(action))
    }
}

/// The answers in a message. An entry without `action` answers another kind of request.
pub(super) fn answers<'a>(
    message: &Message<'a>,
    session: &'a Session,
) -> impl Iterator<Item = Answer<'a>> + use<'a> {
    let own = message.result().map(|result| Answer {
        result,
        form: requested_form(message),
    });
    let responses = if message.has(Fact::InputRequests) && own.is_none() {
        input_responses(message)
    } else {
        None
    };
    let round = responses
        .and_then(|_| session.state.rounds.answered_by(message, session))
        .filter(|answered| answered.relation == Relation::Repeats)
        .map(|answered| answered.round);
    let embedded = responses
        .into_iter()
        .flat_map(Node::members)
        .map(move |(key, result)| Answer {
            result,
            form: round.and_then(|round| {
                let key = session.state.rounds.digester.text(key);
                session.state.elicitation.wanted(round, key)
            }),
        });
    own.into_iter()
        .chain(embedded)
        .filter(|answer| answer.result.get("action").is_some())
}

fn requested_form<'a>(message: &Message<'a>) -> Option<&'a Form> {
    message.request?.data()?.elicitation.as_ref()
}
