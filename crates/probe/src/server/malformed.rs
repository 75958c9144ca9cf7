//! Sends bytes that no client should send, and expects an error that names what is wrong with them.

use super::Step;
use crate::raw_client::Client;
use crate::requirement::Requirement;

/// Sends bytes, and expects an error with this code in answer; the server has to go on.
pub(super) fn expect_refusal(
    step: &mut Step<'_, '_>,
    requirement: &'static Requirement,
    bytes: Vec<u8>,
    code: i64,
    what: &str,
) -> bool {
    step.client.settle();
    let before = step.client.records.len();
    let (sent, exchange) = step.client.send(bytes);
    step.client.malformed.get_or_insert(sent);
    let is_answered = |client: &Client<'_>| {
        error_since(client, before).is_some() || answered_with_result(client, before, sent)
    };
    step.client.wait_for_reaction(exchange, is_answered);
    let alive = step.survives(what, sent);
    if alive {
        step.client.wait_for_straggler(is_answered);
    }
    // Over HTTP the status refuses the input; the body may be anything.
    let status = step.client.status(exchange);
    if status.is_some_and(|status| (400..500).contains(&status)) {
        step.pass(requirement);
        return alive;
    }
    let found = error_since(step.client, before);
    if found.is_none_or(|(_, found)| found != code) && step.client.is_garbled_since(before) {
        step.not_observed(requirement, "the answer is malformed");
        return alive;
    }
    match found {
        Some((_, found)) if found == code => step.pass(requirement),
        Some((at, found)) => {
            let message = format!("{what} was answered with error {found}, expected {code}");
            step.fail(requirement, message, &[sent, at]);
            return false;
        }
        // Dying has a rule of its own.
        None if !alive => return false,
        None if step.client.closed => {
            step.not_observed(requirement, "the server had ended");
            return false;
        }
        None => {
            let answered = step.client.since(before).next().map(|(at, _)| at);
            let (how, evidence) = match status {
                Some(status) => (
                    format!("status {status} and no error"),
                    vec![sent, sent + 1],
                ),
                None if answered_with_result(step.client, before, sent) => {
                    ("a result".to_owned(), vec![sent, answered.unwrap_or(sent)])
                }
                None => {
                    let how = "no answer, while the server answered other requests";
                    (how.to_owned(), vec![sent])
                }
            };
            let message = format!("{what} was answered with {how}, expected error {code}");
            step.fail(requirement, message, &evidence);
            return false;
        }
    }
    alive
}

/// The first error that came after a record, and its code.
pub(super) fn error_since(client: &Client<'_>, before: usize) -> Option<(usize, i64)> {
    client.since(before).find_map(|(at, record)| {
        let message = record.message()?;
        Some((at, message["error"]["code"].as_i64()?))
    })
}

/// Whether the id of what was sent got a result.
fn answered_with_result(client: &Client<'_>, before: usize, sent: usize) -> bool {
    let Some(id) = client.records[sent]
        .message()
        .and_then(|message| message.get("id").cloned())
    else {
        return false;
    };
    client
        .since(before)
        .filter_map(|(_, record)| record.message())
        .any(|message| message["id"] == id && message.get("result").is_some())
}
