//! Text that is no message, and messages that belong to nothing, each followed by a ping. The pings
//! show all three requirements.

use mcp_assay::model::Fact;
use mcp_assay::rules;
use serde_json::{Value, json};

use super::scenario::{Check, Over, Scenario};
use super::verdict::Verdict;
use super::verdict::in_words;
use crate::record::Record;
use crate::requirement::{SINCE_2026_07, UNTIL_2025_11};
use crate::serve::Twist;
use crate::serve::asks::{Asks, Circumstances};
use crate::serve::script::Call;
use crate::server::cancel_invalid_ignored::IGNORED;
use crate::server::jsonrpc_parse_error_reply::PARSE;
use crate::server::survives::SURVIVES;

pub(super) static GARBAGE: Scenario = Scenario {
    name: "garbage",
    twist: Twist::Asks(garbage),
    over: Over::Both,
    revisions: UNTIL_2025_11,
    shows: &[&SURVIVES, &PARSE],
    check: Check::One(check),
    // The garbage had no id that an answer could have.
    excuses: &[&rules::jsonrpc::ERROR_ID_OMITTED_ONLY_IF_UNREADABLE],
};

pub(super) static GARBAGE_STATELESS: Scenario = Scenario {
    name: "garbage, without a handshake",
    twist: Twist::Asks(garbage),
    over: Over::Both,
    revisions: SINCE_2026_07,
    shows: &[&SURVIVES],
    check: Check::One(check),
    // The garbage had no id that an answer could have.
    excuses: &[&rules::jsonrpc::ERROR_ID_OMITTED_ONLY_IF_UNREADABLE],
};

pub(super) static STRAY: Scenario = Scenario {
    name: "stray messages",
    twist: Twist::Asks(stray),
    over: Over::Both,
    revisions: UNTIL_2025_11,
    shows: &[&SURVIVES, &IGNORED],
    check: Check::One(check),
    excuses: &[],
};

/// The name of the ping that follows something harmful.
const STILL_THERE: &str = "still there?";

/// Texts that are no message, with their names.
const TEXTS: [(&str, &str); 4] = [
    ("text that is not JSON", "Server listening on port 3000"),
    ("JSON that breaks off", r#"{"jsonrpc":"2.0","id":"#),
    ("an object that is no message", r#"{"jsonrpc":"2.0"}"#),
    ("a number", "42"),
];

fn garbage(asks: &mut Asks<'_>, circumstances: &Circumstances<'_>) {
    send(asks, circumstances, &TEXTS);
}

fn stray(asks: &mut Asks<'_>, circumstances: &Circumstances<'_>) {
    let mut all = strays(circumstances.open);
    // Over HTTP, a client that reads an answer on the stream of a request may take it for the last.
    all.retain(|(_, text)| circumstances.over_stdio || text.contains("\"method\""));
    send(asks, circumstances, &all);
}

/// Messages that belong to nothing.
fn strays(open: &Value) -> Vec<(&'static str, String)> {
    // The id of the open request, in the other type.
    let confused = match open {
        Value::String(text) => text
            .parse::<i64>()
            .map_or(json!(-7), |number| json!(number)),
        other => json!(other.to_string()),
    };
    let error = json!({"code": -32603, "message": "meant for nobody"});
    [
        (
            "a result for a request that nobody sent",
            json!({"jsonrpc": "2.0", "id": 987_654_321, "result": {}}),
        ),
        (
            "an error for a request that nobody sent",
            json!({"jsonrpc": "2.0", "id": "nobody", "error": error.clone()}),
        ),
        (
            "an answer whose id has another type",
            json!({"jsonrpc": "2.0", "id": confused, "error": error}),
        ),
        (
            "a notification that nobody knows",
            json!({"jsonrpc": "2.0", "method": "notifications/unheard-of"}),
        ),
        (
            "progress for a token that nobody gave",
            json!({"jsonrpc": "2.0", "method": "notifications/progress",
                "params": {"progressToken": "nobody", "progress": 1}}),
        ),
        (
            "a cancellation of a request that nobody sent",
            json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 987_654_321}}),
        ),
        (
            "a cancellation without a request",
            json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {}}),
        ),
    ]
    .map(|(name, message)| (name, message.to_string()))
    .into()
}

/// Sends each of them, and after each a ping where there are pings.
fn send<T: AsRef<str>>(
    asks: &mut Asks<'_>,
    circumstances: &Circumstances<'_>,
    harms: &[(&'static str, T)],
) {
    for (name, text) in harms {
        asks.say(name, text.as_ref());
        if circumstances.revision.has(Fact::ServerRequests) {
            asks.any_request(STILL_THERE, "ping", None, false);
        }
    }
}

/// After something harmful the client has to be there still.
fn check(verdict: &mut Verdict<'_>) {
    let scene = verdict.scene;
    let asked = &scene.seen.asked;
    if !verdict.scene.revision.has(Fact::ServerRequests) {
        verdict.went_on(&SURVIVES, "something that is no message");
        return;
    }
    check_parse_error(verdict);
    if verdict.habit.is_some_and(|habit| !habit.pings) {
        let why = "the client does not answer `ping`";
        verdict.not_observed(&SURVIVES, why);
        verdict.not_observed(&IGNORED, why);
        return;
    }
    for pair in asked.windows(2) {
        let [harm, ping] = pair else { continue };
        if ping.name != STILL_THERE {
            continue;
        }
        let is_cancel = harm.name.starts_with("a cancellation");
        let requirement = if is_cancel { &IGNORED } else { &SURVIVES };
        if ping.reply.is_some() {
            verdict.pass(requirement);
            continue;
        }
        let calls = &verdict.scene.seen.calls;
        let later = |call: &Call| call.talk == harm.talk && call.at > harm.at;
        if calls.iter().any(later) {
            // It gave up on the request that was open, and went on: it is there, and hears nothing
            // more of this.
            verdict.pass(requirement);
            return;
        }
        let how = if ping.in_vain {
            "no longer answers"
        } else {
            "ended"
        };
        let message = format!("the client {how} after {}", harm.name);
        verdict.fail(requirement, message, ping.talk, &[harm.at, ping.at]);
        return;
    }
}

/// A client that answers a text at all has to say what was wrong with it. One that does not cannot
/// know that it was a request.
fn check_parse_error(verdict: &mut Verdict<'_>) {
    let scene = verdict.scene;
    let mut texts = scene.seen.asked.iter().filter(|asked| asked.id.is_none());
    let Some(text) = texts.next().filter(|text| text.name.starts_with("text")) else {
        return;
    };
    let until = texts.next().map_or(usize::MAX, |next| next.at);
    let is_error = |talk: usize, at: usize| {
        let message = verdict.record(talk, at).and_then(Record::message);
        message.is_some_and(|message| message["id"].is_null() && message["error"].is_object())
    };
    let stray = scene.seen.strays.iter().find(|(talk, at)| {
        *talk == text.talk && (text.at..until).contains(at) && is_error(*talk, *at)
    });
    let Some((talk, at)) = stray else {
        verdict.not_observed(&PARSE, "the client does not answer what it cannot read");
        return;
    };
    let reply = verdict.record(*talk, *at).and_then(Record::message);
    let reply = reply.unwrap_or_default();
    if reply["error"]["code"] == -32700 {
        verdict.pass(&PARSE);
    } else {
        let message = format!(
            "text that is not JSON was answered with {}, expected error -32700",
            in_words(&reply)
        );
        verdict.fail(&PARSE, message, *talk, &[text.at, *at]);
    }
}
