//! A sampled message that the user should refuse.

use serde_json::json;

use super::scenario::{Check, Over, Scenario};
use super::scene::Sampled;
use super::verdict::Verdict;
use super::verdict::in_words;
use crate::requirement::{Requirement, UNTIL_2025_11, WARNING};
use crate::serve::Twist;
use crate::serve::answers::sampling;
use crate::serve::asks::{Asks, Circumstances};

static REJECTION: Requirement = Requirement::of_client(
    "sampling/rejection-code",
    WARNING,
    UNTIL_2025_11,
    "A sampling request the user refuses is answered with the error code -1.",
)
.page(
    "client/sampling#error-handling",
    "The server cannot tell a refusal of the user from a fault.",
    "answer with error -1",
)
.examples(
    r#"```mcp,good,2025-06-18
=== open client:{"sampling":{}}
<-- {"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"text","text":"Which bed is dry?"}}],"maxTokens":50}}
--> {"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"User rejected sampling request"}}
```
```mcp,bad,2025-06-18
=== open client:{"sampling":{}}
<-- {"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"text","text":"Which bed is dry?"}}],"maxTokens":50}}
--> {"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"User rejected sampling request"}}
                                            ^^^^^^ expected -1
```"#,
);

pub(super) static SCENARIO: Scenario = Scenario {
    name: "sampling that the user refuses",
    twist: Twist::Asks(ask),
    over: Over::Both,
    revisions: UNTIL_2025_11,
    shows: &[&REJECTION],
    check: Check::One(check),
    excuses: &[],
};

/// The name of the request, and the text for the user.
const REFUSAL: &str = "refusal";
const REFUSE: &str =
    "Please refuse this request. It is here to show what a server hears when a user refuses.";

fn ask(asks: &mut Asks<'_>, circumstances: &Circumstances<'_>) {
    if circumstances.capabilities["sampling"].is_object() {
        let mut params = sampling();
        params["messages"][0]["content"]["text"] = json!(REFUSE);
        asks.request(REFUSAL, "sampling/createMessage", Some(params));
    }
}

/// Only a client that usually answers shows by an error that it refuses; of another one, only what
/// it says counts.
fn check(verdict: &mut Verdict<'_>) {
    let Some((reply, asked, at)) = verdict.reply(REFUSAL) else {
        match verdict.asked(REFUSAL) {
            Some(_) => verdict.not_observed(&REJECTION, "the client did not answer"),
            None => verdict.not_applicable(&REJECTION, "the client declares no sampling"),
        }
        return;
    };
    let text = &reply["result"]["content"]["text"];
    let is_refused = match reply["error"]["message"].as_str() {
        Some(why) => {
            verdict
                .habit
                .is_some_and(|habit| habit.sampled == Sampled::Text)
                || {
                    let why = why.to_lowercase();
                    ["reject", "refus", "declin", "denied"]
                        .iter()
                        .any(|word| why.contains(word))
                }
        }
        None => {
            *text == ""
                && verdict
                    .habit
                    .is_some_and(|habit| habit.sampled == Sampled::Text)
        }
    };
    if reply["error"]["code"] == -1 {
        verdict.pass(&REJECTION);
    } else if is_refused {
        let how = match reply.get("error") {
            Some(_) => in_words(reply),
            None => "an empty text".to_owned(),
        };
        let message = format!("a sampling request was refused with {how}, expected error -1");
        verdict.fail(&REJECTION, message, asked.talk, &[asked.at, at]);
    } else {
        let why =
            "nobody refused; the request asks its user to, and `MCP_ASSAY_SCENARIO` says when";
        verdict.not_observed(&REJECTION, why);
    }
}
