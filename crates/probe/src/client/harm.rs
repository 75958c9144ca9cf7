//! Text that is no message, and messages that belong to nothing, each followed by a ping. The pings
//! and the further work of the client show all three requirements.

use std::collections::BTreeMap;

use mcp_assay::model::Fact;
use mcp_assay::rules;
use serde_json::{Value, json};

use super::scenario::{Check, Over, Scenario};
use super::verdict::Verdict;
use super::verdict::{how_ended, in_words};
use crate::record::Record;
use crate::requirement::{Requirement, SINCE_2026_07, UNTIL_2025_11};
use crate::serve::Twist;
use crate::serve::asks::{Circumstances, Harm, STILL_THERE};
use crate::serve::script::Asked;
use crate::server::cancel_invalid_ignored::IGNORED;
use crate::server::jsonrpc_parse_error_reply::PARSE;
use crate::server::survives::SURVIVES;

pub(super) static GARBAGE: Scenario = Scenario {
    name: "garbage",
    twist: Twist::Harms(garbage, None),
    over: Over::Both,
    revisions: UNTIL_2025_11,
    shows: &[&SURVIVES, &PARSE],
    check: Check::Harms,
    // The garbage had no id that an answer could have.
    excuses: &[&rules::jsonrpc::ERROR_ID_OMITTED_ONLY_IF_UNREADABLE],
};

pub(super) static GARBAGE_STATELESS: Scenario = Scenario {
    name: "garbage, without a handshake",
    twist: Twist::Harms(garbage, None),
    over: Over::Both,
    revisions: SINCE_2026_07,
    shows: &[&SURVIVES],
    check: Check::Harms,
    // The garbage had no id that an answer could have.
    excuses: &[&rules::jsonrpc::ERROR_ID_OMITTED_ONLY_IF_UNREADABLE],
};

pub(super) static STRAY: Scenario = Scenario {
    name: "stray messages",
    twist: Twist::Harms(stray, None),
    over: Over::Both,
    revisions: UNTIL_2025_11,
    shows: &[&SURVIVES, &IGNORED],
    check: Check::Harms,
    excuses: &[],
};

/// Texts that are no message, with their names.
const TEXTS: [(&str, &str); 4] = [
    ("text that is not JSON", "Server listening on port 3000"),
    ("JSON that breaks off", r#"{"jsonrpc":"2.0","id":"#),
    ("an object that is no message", r#"{"jsonrpc":"2.0"}"#),
    ("a number", "42"),
];

fn garbage(_: &Circumstances<'_>) -> Vec<Harm> {
    let texts = TEXTS.iter().map(|(name, text)| Harm {
        name,
        text: (*text).to_owned(),
    });
    texts.collect()
}

fn stray(circumstances: &Circumstances<'_>) -> Vec<Harm> {
    let mut all = strays(circumstances.open);
    // Over HTTP, a client that reads an answer on the stream of a request may take it for the last.
    all.retain(|harm| circumstances.over_stdio || harm.text.contains("\"method\""));
    all
}

/// Messages that belong to nothing.
fn strays(open: &Value) -> Vec<Harm> {
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
    .map(|(name, message)| Harm {
        name,
        text: message.to_string(),
    })
    .into()
}

/// Whether a client survived what was sent to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Survival {
    Through,
    Fallen,
    /// It cannot be seen, for this reason.
    Unknown(&'static str),
}

/// Whether the client survived: it answers the pings and goes on with its work, or it gave up on
/// the open request and goes on.
pub(super) fn survival(verdict: &Verdict<'_>) -> Survival {
    let goes_on = verdict.goes_on();
    let has_pings = verdict.scene.revision.has(Fact::ServerRequests);
    let answers = verdict.habit.is_none_or(|habit| habit.pings);
    let is_silent = unanswered(verdict).is_some();
    match goes_on {
        Some(false) => Survival::Fallen,
        None if !has_pings => {
            Survival::Unknown("the client does nothing more where nothing is odd, either")
        }
        None if !answers => Survival::Unknown("the client does not answer `ping`"),
        None if is_silent => Survival::Fallen,
        Some(true) | None => Survival::Through,
    }
}

/// The first harmful message whose ping was not answered, and the ping.
fn unanswered<'a>(verdict: &Verdict<'a>) -> Option<(&'a Asked, &'a Asked)> {
    let mut pairs = verdict.scene.seen.asked.windows(2).filter_map(|pair| {
        let [harm, ping] = pair else { return None };
        (ping.name == STILL_THERE).then_some((harm, ping))
    });
    pairs.find(|(_, ping)| ping.reply.is_none())
}

/// The requirement that a harmful message is about.
fn requirement_of(harm: &Asked) -> &'static Requirement {
    if harm.name.starts_with("a cancellation") {
        &IGNORED
    } else {
        &SURVIVES
    }
}

/// Reports whether the client survived the messages that were sent to it.
pub(super) fn report(verdict: &mut Verdict<'_>, survival: Survival) {
    let asked = verdict.scene.seen.asked.iter();
    let harms: Vec<&Asked> = asked.filter(|asked| asked.name != STILL_THERE).collect();
    let requirements = harms.iter().map(|harm| requirement_of(harm));
    let requirements: BTreeMap<_, _> = requirements.map(|one| (one.id, one)).collect();
    match survival {
        Survival::Through => requirements.values().for_each(|one| verdict.pass(one)),
        Survival::Unknown(why) => {
            for requirement in requirements.values() {
                verdict.not_observed(requirement, why);
            }
        }
        Survival::Fallen => {
            let silent = unanswered(verdict);
            let Some(harm) = silent.map(|(harm, _)| harm).or(harms.last().copied()) else {
                return;
            };
            let how = match silent {
                Some((_, ping)) if ping.in_vain => "no longer answers",
                _ => how_ended(verdict.scene.exit),
            };
            let others = match harms.len() {
                1 => "",
                _ => ", and others before it",
            };
            let message = format!("the client {how} after {}{others}", harm.name);
            let shown: Vec<usize> = match silent {
                Some((harm, ping)) => vec![harm.at, ping.at],
                None => vec![harm.at, harm.at + 1],
            };
            verdict.fail(requirement_of(harm), message, harm.talk, &shown);
        }
    }
}

/// A client that answers a text at all has to say what was wrong with it. One that does not cannot
/// know that it was a request.
pub(super) fn check_parse_error(verdict: &mut Verdict<'_>) {
    if !verdict.scene.revision.has(Fact::ServerRequests) {
        return;
    }
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
