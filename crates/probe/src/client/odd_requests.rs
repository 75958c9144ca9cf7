//! Requests that a client has to refuse, each with another code.

use serde_json::json;

use super::scenario::{Check, Over, Scenario};
use super::verdict::Verdict;
use super::verdict::in_words;
use crate::requirement::UNTIL_2025_11;
use crate::serve::Twist;
use crate::serve::answers::{ELICITATION, takes_forms};
use crate::serve::asks::{Ask, Asks, Circumstances};
use crate::server::jsonrpc_invalid_params_reply::PARAMS;
use crate::server::jsonrpc_invalid_request_reply::ENVELOPE;
use crate::server::jsonrpc_unknown_method_reply::UNKNOWN;

pub(super) static SCENARIO: Scenario = Scenario {
    name: "odd requests",
    twist: Twist::Asks(ask),
    over: Over::Both,
    revisions: UNTIL_2025_11,
    shows: &[&UNKNOWN, &PARAMS, &ENVELOPE],
    check: Check::One(check),
    excuses: &[],
};

fn ask(asks: &mut Asks<'_>, circumstances: &Circumstances<'_>) {
    asks.request("unknown method", "assay/unheard-of", None);
    let id = asks.next_id();
    asks.push(Ask {
        name: "bad envelope",
        bytes: json!({"id": id, "method": "ping"}).to_string().into_bytes(),
        id: Some(id),
        owed: false,
    });
    let capabilities = circumstances.capabilities;
    if capabilities["sampling"].is_object() {
        let params = json!({"messages": "none"});
        asks.request("bad params", "sampling/createMessage", Some(params));
    } else if ELICITATION.contains(circumstances.revision) && takes_forms(capabilities) {
        let params = json!({"message": 5, "requestedSchema": "none"});
        asks.request("bad params", "elicitation/create", Some(params));
    }
}

fn check(verdict: &mut Verdict<'_>) {
    check_envelope(verdict);
    for (name, requirement, code, what) in [
        (
            "unknown method",
            &UNKNOWN,
            -32601,
            "a request for a method that does not exist",
        ),
        (
            "bad params",
            &PARAMS,
            -32602,
            "a request whose params do not fit",
        ),
    ] {
        let Some((reply, asked, at)) = verdict.reply(name) else {
            if verdict.asked(name).is_none() {
                verdict.not_applicable(requirement, "the client takes no requests with params");
            }
            continue;
        };
        if reply["error"]["code"] == code {
            verdict.pass(requirement);
        } else {
            let message = format!(
                "{what} was answered with {}, expected error {code}",
                in_words(reply)
            );
            verdict.fail(requirement, message, asked.talk, &[asked.at, at]);
        }
    }
}

/// A client that answers a request without `jsonrpc` has to refuse it. Many do not take it for a
/// message at all, which is no worse.
fn check_envelope(verdict: &mut Verdict<'_>) {
    match verdict.reply("bad envelope") {
        Some((reply, ..)) if reply["error"]["code"] == -32600 => verdict.pass(&ENVELOPE),
        Some((reply, asked, at)) => {
            let message = format!(
                "a request without `jsonrpc` was answered with {}, expected error -32600",
                in_words(reply)
            );
            verdict.fail(&ENVELOPE, message, asked.talk, &[asked.at, at]);
        }
        None => verdict.not_observed(&ENVELOPE, "the client does not answer what is no message"),
    }
}
