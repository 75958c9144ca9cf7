//! A ping before the handshake.

use serde_json::json;

use super::Probe;
use super::Step;
use crate::raw_client::{Answer, Reply};
use crate::requirement::{ERROR, Requirement, UNTIL_2025_11};

pub(crate) static ANY_PHASE: Requirement = Requirement::of_both(
    "ping/any-phase",
    ERROR,
    UNTIL_2025_11,
    "ping is answered before initialization is complete as well.",
)
.page(
    "basic/lifecycle#initialization",
    "A client that checks the connection before the handshake takes the server for dead.",
    "answer `ping` before `initialize`, too",
);

pub(super) static PROBE: Probe = Probe::between(&[&ANY_PHASE]);

/// Sends a ping before anything else; its id and record. Nobody waits for it alone: a server that
/// is starting has all the time until `initialize` is answered.
pub(super) fn early_ping(step: &mut Step<'_, '_>) -> Option<(i64, usize)> {
    if !step.wants(&[&ANY_PHASE]) {
        return None;
    }
    if step.client.is_http() {
        step.not_observed(
            &ANY_PHASE,
            "over HTTP there is no session before `initialize`",
        );
        return None;
    }
    let id = step.client.next_id();
    let ping = json!({"jsonrpc": "2.0", "id": id, "method": "ping"});
    let (sent, _) = step.client.send(ping.to_string().into_bytes());
    Some((id, sent))
}

/// Checks the answer to an early ping, once the handshake is over.
pub(super) fn check_early_ping(step: &mut Step<'_, '_>, id: i64, sent: usize, greeting: &Answer) {
    let answer = step.client.answer(id, sent, None);
    if answer.result().is_some() {
        step.pass(&ANY_PHASE);
        return;
    }
    // Silence counts only if the server answers other things.
    let is_silent = matches!(answer.reply, Reply::Silence | Reply::Closed);
    if is_silent && (greeting.result().is_none() || !step.client.is_alive()) {
        let why = step.why_silent(&answer);
        return step.not_observed(&ANY_PHASE, &why);
    }
    let message = format!(
        "`ping` before `initialize` was answered with {}, expected a result",
        answer.in_words()
    );
    step.fail(&ANY_PHASE, message, &answer.evidence);
}
