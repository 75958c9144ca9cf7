//! Requests in modes that the client did not declare. The requirements share the requests.

use serde_json::json;

use super::scenario::{Check, Over, Scenario};
use super::verdict::Verdict;
use super::verdict::in_words;
use crate::requirement::{ERROR, ONLY_2025_11, Requirement, SINCE_2025_11};
use crate::serve::Twist;
use crate::serve::answers::sampling;
use crate::serve::asks::{Asks, Circumstances};

static TOOLS: Requirement = Requirement::of_client(
    "sampling/undeclared-tools-error",
    ERROR,
    SINCE_2025_11,
    "A client without sampling.tools answers a sampling request that has tools with an error.",
)
.page(
    "schema#createmessagerequestparams",
    "The server believes that its tools were offered to the model.",
    "answer with an error, or declare `sampling.tools`",
);

static MODE: Requirement = Requirement::of_client(
    "elicitation/undeclared-mode-reply",
    ERROR,
    ONLY_2025_11,
    "A client refuses a mode it did not declare with invalid-params.",
)
.page(
    "client/elicitation#error-handling",
    "The server waits for a user who was never asked.",
    "answer with error -32602",
);

static FETCH: Requirement = Requirement::of_client(
    "elicitation/no-prefetch",
    ERROR,
    SINCE_2025_11,
    "A client does not fetch the elicitation url, nor opens it, before the user agreed.",
)
.page(
    "client/elicitation#safe-url-handling",
    "The fetch alone tells the other side about the user, who has not agreed yet.",
    "open the URL only after the user has agreed to it",
);

pub(super) static SCENARIO: Scenario = Scenario {
    name: "modes that the client did not allow",
    twist: Twist::Asks(ask),
    over: Over::Both,
    revisions: ONLY_2025_11,
    shows: &[&TOOLS, &MODE, &FETCH],
    check: Check::One(check),
    excuses: &[],
};

fn ask(asks: &mut Asks<'_>, circumstances: &Circumstances<'_>) {
    let capabilities = circumstances.capabilities;
    if capabilities["sampling"].is_object() && capabilities["sampling"]["tools"].is_null() {
        let mut params = sampling();
        params["tools"] = json!([{"name": "clock", "inputSchema": {"type": "object"}}]);
        asks.request("sampling tools", "sampling/createMessage", Some(params));
    }
    if capabilities["elicitation"].is_object() {
        let url = circumstances.bait;
        let params = json!({"mode": "url", "message": "Please confirm.", "url": url,
            "elicitationId": "550e8400-e29b-41d4-a716-446655440000"});
        let name = if capabilities["elicitation"]["url"].is_object() {
            "url"
        } else {
            "undeclared url"
        };
        asks.request(name, "elicitation/create", Some(params));
    }
}

fn check(verdict: &mut Verdict<'_>) {
    match verdict.reply("sampling tools") {
        Some((reply, asked, at)) if reply.get("result").is_some() => {
            let message = "a sampling request with tools was answered with a result although \
                 `sampling.tools` was not declared";
            verdict.fail(&TOOLS, message, asked.talk, &[asked.at, at]);
        }
        Some(_) => verdict.pass(&TOOLS),
        None if verdict.asked("sampling tools").is_none() => {
            verdict.not_applicable(&TOOLS, "the client declares no sampling, or tools with it");
        }
        None => {}
    }
    match verdict.reply("undeclared url") {
        Some((reply, asked, at)) if reply["error"]["code"] != -32602 => {
            let message = format!(
                "an elicitation in the mode `url`, which was not declared, was answered with {}, \
                 expected error -32602",
                in_words(reply)
            );
            verdict.fail(&MODE, message, asked.talk, &[asked.at, at]);
        }
        Some(_) => verdict.pass(&MODE),
        None if verdict.asked("undeclared url").is_none() => {
            verdict.not_applicable(&MODE, "the client declares no elicitation, or that mode");
        }
        None => {}
    }
    let Some(name) = ["url", "undeclared url"]
        .into_iter()
        .find(|name| verdict.asked(name).is_some())
    else {
        verdict.not_applicable(&FETCH, "the client declares no elicitation");
        return;
    };
    let agreed = verdict
        .reply(name)
        .is_some_and(|(reply, ..)| reply["result"]["action"] == "accept");
    match (verdict.scene.seen.baited.is_empty(), agreed) {
        (true, _) => verdict.pass(&FETCH),
        (false, true) => {
            verdict.not_observed(&FETCH, "the address was fetched, and the user agreed");
        }
        (false, false) => {
            let message = "the address of an elicitation was fetched although nobody agreed to it";
            let (talk, at) = verdict
                .asked(name)
                .map_or((0, 0), |asked| (asked.talk, asked.at));
            verdict.fail(&FETCH, message, talk, &[at]);
        }
    }
}
