//! Requests of the server that the client did not allow. One answer shows whether the client serves
//! what it did not declare, and how it refuses.

use super::scenario::{Check, Over, Scenario};
use super::verdict::Verdict;
use super::verdict::in_words;
use crate::requirement::{ALL, ERROR, Requirement, UNTIL_2025_11, WARNING};
use crate::serve::Twist;
use crate::serve::answers::{ELICITATION, form, sampling};
use crate::serve::asks::{Asks, Circumstances};
use crate::server::capability_undeclared::REPLY;

static ROOTS: Requirement = Requirement::of_client(
    "roots/unsupported-reply",
    WARNING,
    UNTIL_2025_11,
    "A client without roots answers roots/list with method-not-found.",
)
.page(
    "client/roots#error-handling",
    "The server cannot tell a client without roots from one that failed.",
    "answer with error -32601",
)
.examples(
    r#"```mcp,good,2025-06-18
=== open
<-- {"jsonrpc":"2.0","id":1,"method":"roots/list"}
--> {"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Roots are not supported"}}
```
```mcp,bad,2025-06-18
=== open
<-- {"jsonrpc":"2.0","id":1,"method":"roots/list"}
--> {"jsonrpc":"2.0","id":1,"result":{"roots":[]}}
                                     ^^^^^^^^^^^^ the client did not declare `roots`
```"#,
);

static DECLARE: Requirement = Requirement::of_client(
    "capability/declare-client-features",
    ERROR,
    ALL,
    "A client that can answer roots, sampling or elicitation requests declares the \
     capability, in 2026-07-28 on each request.",
)
.page(
    "client/elicitation#capabilities",
    "Servers do not ask what was not declared: the feature is there and nobody uses it.",
    "declare the capability",
);

pub(super) static SCENARIO: Scenario = Scenario {
    name: "requests that the client did not allow",
    twist: Twist::Asks(ask),
    over: Over::Both,
    revisions: UNTIL_2025_11,
    shows: &[&ROOTS, &REPLY, &DECLARE],
    check: Check::One(check),
    excuses: &[],
};

fn ask(asks: &mut Asks<'_>, circumstances: &Circumstances<'_>) {
    let Circumstances {
        revision,
        capabilities,
        ..
    } = circumstances;
    if capabilities["roots"].is_null() {
        asks.request("roots", "roots/list", None);
    }
    if capabilities["sampling"].is_null() {
        asks.request("sampling", "sampling/createMessage", Some(sampling()));
    }
    if ELICITATION.contains(*revision) && capabilities["elicitation"].is_null() {
        asks.request("form", "elicitation/create", Some(form(*revision)));
    }
}

fn check(verdict: &mut Verdict<'_>) {
    for (name, method, requirement) in [
        ("roots", "roots/list", &ROOTS),
        ("sampling", "sampling/createMessage", &REPLY),
        ("form", "elicitation/create", &REPLY),
    ] {
        let Some((reply, asked, at)) = verdict.reply(name) else {
            if verdict.asked(name).is_none() {
                verdict.not_applicable(requirement, "the client declares the capability");
            }
            continue;
        };
        let (talk, evidence) = (asked.talk, [asked.at, at]);
        // Who has nothing to give, or declines without asking anybody, has the wrong way to say
        // that it cannot.
        let is_empty = reply["result"]["roots"]
            .as_array()
            .is_some_and(Vec::is_empty)
            || reply["result"]["action"] == "decline";
        if reply["error"]["code"] == -32601 {
            verdict.pass(requirement);
            verdict.pass(&DECLARE);
        } else if reply.get("result").is_some() && !is_empty {
            let message =
                format!("`{method}` was answered although the capability was not declared");
            verdict.fail(&DECLARE, message, talk, &evidence);
        } else {
            let message = format!(
                "`{method}`, whose capability was not declared, was answered with {}, expected \
                 error -32601",
                in_words(reply)
            );
            verdict.fail(requirement, message, talk, &evidence);
        }
    }
}
