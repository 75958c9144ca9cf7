//! Checks a request with answers or a state once for all rules about repeated requests.

use super::{
    response_keys_known, response_type, retry_answers_all, retry_new_id, retry_same_request,
    state_echoed, state_not_invented, state_not_shared,
};
use crate::model::method_named;
use crate::model::shape::fits;
use crate::rules::prelude::*;
use crate::session::message::input_responses;
use crate::session::{Relation, Round};

pub(super) static GROUP: Group = Group {
    keys: &[],
    on: &[
        On::Call("tools/call"),
        On::Call("prompts/get"),
        On::Call("resources/read"),
    ],
    check,
};

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    let rounds = &session.state.rounds;
    let (Some(answered), Some(params)) = (rounds.answered_by(message, session), message.params())
    else {
        return;
    };
    let round = answered.round;
    match answered.relation {
        Relation::Repeats => {}
        // All other faults follow from this one.
        Relation::IsAnother => {
            let at = params.get("requestState").or(input_responses(message));
            let text = "belongs to another request: only its own repetition may have it";
            findings.raise(&state_not_shared::RULE, at.unwrap_or(params), text);
            return;
        }
        Relation::Alters => {
            let (at, text) = altered(message, params, round, session);
            findings.raise(&retry_same_request::RULE, at, text);
            return;
        }
    }
    if let Some(id) = message.id().filter(|id| round.has_id(*id)) {
        let text = "the id of the request that is repeated: a repetition has a new one";
        findings.raise(&retry_new_id::RULE, id, text);
    }
    // A request with the state of another round answers that round.
    if is_state_of(params, round, session, findings) {
        responses(message, params, round, session, findings);
    }
}

/// The member that differs from the request that should be repeated.
fn altered<'a>(
    message: &Message<'a>,
    params: Node<'a>,
    round: &Round,
    session: &Session,
) -> (Node<'a>, &'static str) {
    if message.method() != Some(round.request.method) {
        let text = "the answers belong to a request of another method";
        return (message.method_or_root(), text);
    }
    let name = params.get("name").or_else(|| params.get("uri"));
    let digester = &session.state.rounds.digester;
    match name {
        Some(name) if digester.value(name) != round.request.name => {
            (name, "the answers belong to a request for something else")
        }
        _ => (
            params.get("arguments").unwrap_or(params),
            "not the params of the request that is repeated",
        ),
    }
}

/// Checks the state; returns whether it is not that of another round.
fn is_state_of(
    params: Node<'_>,
    round: &Round,
    session: &Session,
    findings: &mut Findings<'_>,
) -> bool {
    let sent = params.get("requestState");
    match (sent, round.state) {
        (Some(sent), None) => {
            let text = "the result that asked for input has no `requestState`";
            findings.raise(&state_not_invented::RULE, sent, text);
        }
        (None, Some(_)) => {
            let text = "`requestState` of the result that asked for input is missing";
            findings.raise(&state_echoed::RULE, params, text);
        }
        (Some(sent), known) if session.state.rounds.state_of(params) != known => {
            let text = "not the `requestState` of the result that asked for input";
            findings.raise(&state_echoed::RULE, sent, text);
            return false;
        }
        _ => {}
    }
    true
}

fn responses(
    message: &Message<'_>,
    params: Node<'_>,
    round: &Round,
    session: &Session,
    findings: &mut Findings<'_>,
) {
    let digester = &session.state.rounds.digester;
    let responses = input_responses(message);
    let (mut known, mut unknown) = (0, 0);
    for (key, response) in responses.into_iter().flat_map(Node::members) {
        let Some(method) = round.input(digester.text(key)) else {
            unknown += 1;
            if !round.more {
                let text = "no input was asked for under this key";
                findings.raise(&response_keys_known::RULE, key, text);
            }
            continue;
        };
        known += 1;
        if !is_result_of(method, response, message.revision()) {
            findings.raise(&response_type::RULE, response, expected(method));
        }
    }
    // An answer under a wrong key is one fault, not two.
    if round.inputs().saturating_sub(known) > unknown {
        let text = "an input that was asked for has no answer";
        findings.raise(&retry_answers_all::RULE, responses.unwrap_or(params), text);
    }
}

/// Whether an answer is the result of its method, which is one of the three.
fn is_result_of(method: &str, response: Node<'_>, revision: Revision) -> bool {
    let form = method_named(method.as_bytes()).and_then(|method| method.forms[revision.index()]);
    form.is_none_or(|form| fits(response, form.result, revision))
}

fn expected(method: &'static str) -> &'static str {
    match method {
        "elicitation/create" => "not the result of `elicitation/create`, which was asked for",
        "roots/list" => "not the result of `roots/list`, which was asked for",
        _ => "not the result of `sampling/createMessage`, which was asked for",
    }
}
