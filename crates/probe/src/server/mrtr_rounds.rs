//! Requests that ask for input before they are answered: inputs that are complete, missing,
//! malformed, too many, or a refusal. The requirements share the rounds that such a request opens.

use serde_json::{Map, Value, json};

use super::prompts_get::required;
use super::{Listed, Probe, Step, mrtr_state};
use crate::arguments::Generator;
use crate::raw_client::{Answer, Reply};
use crate::requirement::{ERROR, Requirement, SINCE_2026_07, WARNING};

static REQUIRED: Requirement = Requirement::of_server(
    "capability/missing-required-error",
    ERROR,
    SINCE_2026_07,
    "If a request cannot be served without an undeclared client capability it is refused with \
     the missing-capability error.",
)
.page(
    "basic/index#meta",
    "A client cannot tell that declaring the capability would help.",
    "answer with error -32021 and name the capabilities in `data`",
);

static AGAIN: Requirement = Requirement::of_server(
    "mrtr/missing-input-asked-again",
    WARNING,
    SINCE_2026_07,
    "When a needed response is missing the server asks again instead of failing.",
)
.page(
    "basic/patterns/mrtr#error-handling",
    "A client that answered in part has to begin anew.",
    "answer with `input_required` for the missing part",
);

static EXTRA: Requirement = Requirement::of_server(
    "mrtr/extra-input-ignored",
    WARNING,
    SINCE_2026_07,
    "Unexpected entries in inputResponses are ignored.",
)
.page(
    "basic/patterns/mrtr#error-handling",
    "A client that answers more than it was asked fails.",
    "ignore entries of `inputResponses` that were not asked for",
);

static VALIDATED: Requirement = Requirement::of_server(
    "mrtr/input-validated",
    WARNING,
    SINCE_2026_07,
    "Responses are validated, and malformed ones lead to a JSON-RPC error.",
)
.page(
    "basic/patterns/mrtr#error-handling",
    "A tool works with values of the wrong form.",
    "check each entry of `inputResponses`, and answer with an error if it has the wrong \
         form",
);

static DECLINE: Requirement = Requirement::of_server(
    "elicitation/decline-handled",
    ERROR,
    SINCE_2026_07,
    "A server copes with decline and cancel and still answers the original request.",
)
.page(
    "client/elicitation#error-handling",
    "A user who declines leaves a call behind that never ends.",
    "answer the call after `decline` and `cancel`, too",
);

static COMPLETED: Requirement = Requirement::of_server(
    "mrtr/request-completed",
    WARNING,
    SINCE_2026_07,
    "Once every input was given, the server completes the request, or asks for something else.",
)
.page(
    "basic/patterns/mrtr#basic-workflow",
    "A client answers for ever, or its user answered for nothing. The specification describes \
     this end and does not demand it in so many words, so it is a warning.",
    "take the answers from `inputResponses` and the state from `requestState`, and finish the \
     request with them",
);

pub(super) static PROBE: Probe = Probe::between(&ALL);

const ALL: [&Requirement; 6] = [&REQUIRED, &AGAIN, &EXTRA, &VALIDATED, &DECLINE, &COMPLETED];

/// Requests made with every capability to find those that ask for input.
const MAX_TRIED: usize = 16;

/// Requests that ask for input and are brought to their end.
const MAX_PLAYED: usize = 6;

/// Rounds of one request.
const MAX_ROUNDS: usize = 8;

/// Rounds in which the same may be asked: a server may ask until it likes the answer.
const MAX_REPEATS: usize = 4;

/// A request that may ask for input, and its answer to a client without capabilities.
#[derive(Clone)]
pub(super) struct Candidate<'l> {
    pub(super) method: &'static str,
    pub(super) params: Value,
    /// The tool that it calls.
    pub(super) tool: Option<&'l Value>,
    pub(super) answer: Answer,
}

/// The capabilities of a client that can do everything.
fn capable() -> Value {
    json!({"elicitation": {"form": {}}, "sampling": {}, "roots": {}})
}

/// Tries the calls that were made by a client without any capability, prompts and resources once
/// more as a client that can do everything.
pub(super) fn run<'l>(step: &mut Step<'_, '_>, listed: &'l Listed, called: Vec<Candidate<'l>>) {
    if !step.wants(&ALL) && !step.wants(&mrtr_state::ALL) {
        return;
    }
    let mut candidates = called;
    // Those that refused are the likeliest to ask.
    candidates.sort_by_key(|candidate| candidate.answer.code() != Some(-32021));
    candidates.truncate(MAX_TRIED);
    candidates.extend(prompts_and_resources(step, listed));
    let mut played = 0;
    for candidate in &candidates {
        if step.is_over() {
            return;
        }
        if played >= MAX_PLAYED {
            break;
        }
        let Some(asked) = ask(step, candidate) else {
            continue;
        };
        // It asks a client that can answer: one that cannot has to be told what is missing.
        if is_refusal(&candidate.answer) {
            let what = "a request that needs a capability which the client did not declare";
            step.expect_code(&REQUIRED, &candidate.answer, &[-32021], what);
        }
        if played == 0 {
            rounds(step, candidate, &asked);
            mrtr_state::run(step, candidate);
            withdraw(step, candidate);
        }
        played += 1;
        complete(step, candidate);
    }
    if played == 0 {
        for id in ALL.into_iter().chain(mrtr_state::ALL) {
            step.not_observed(id, "nothing that was requested asks for more");
        }
    }
}

/// Whether a request was not served.
fn is_refusal(answer: &Answer) -> bool {
    match &answer.reply {
        Reply::Error(..) => true,
        Reply::Result(result) => result["isError"] == json!(true),
        _ => false,
    }
}

/// Prompts and resources may ask, too.
fn prompts_and_resources(step: &mut Step<'_, '_>, listed: &Listed) -> Vec<Candidate<'static>> {
    let mut requests = Vec::new();
    for prompt in listed.prompts.iter().take(MAX_TRIED / 4) {
        let arguments: Map<String, Value> = required(prompt)
            .into_iter()
            .map(|argument| (argument.to_owned(), json!("1")))
            .collect();
        let params = json!({"name": prompt["name"], "arguments": arguments});
        requests.push(("prompts/get", params));
    }
    for resource in listed.resources.iter().take(MAX_TRIED / 4) {
        requests.push(("resources/read", json!({"uri": resource["uri"]})));
    }
    let mut candidates = Vec::new();
    for (method, params) in requests {
        if step.is_over() {
            break;
        }
        let answer = step.ask(method, params.clone());
        candidates.push(Candidate {
            method,
            params,
            tool: None,
            answer,
        });
    }
    candidates
}

/// Asks for the input that a request wants, in a round of its own: a state may be good for one
/// answer only.
pub(super) fn ask(step: &mut Step<'_, '_>, candidate: &Candidate<'_>) -> Option<Value> {
    let answer = send(step, candidate, None);
    asks(&answer).cloned()
}

/// The result, if it asks for input.
fn asks(answer: &Answer) -> Option<&Value> {
    answer
        .result()
        .filter(|result| result["resultType"] == "input_required")
}

pub(super) fn send(
    step: &mut Step<'_, '_>,
    candidate: &Candidate<'_>,
    more: Option<(Value, &Value)>,
) -> Answer {
    send_as(step, candidate, capable(), more)
}

fn send_as(
    step: &mut Step<'_, '_>,
    candidate: &Candidate<'_>,
    capabilities: Value,
    more: Option<(Value, &Value)>,
) -> Answer {
    let mut params = step.client.with_meta(candidate.params.clone());
    params["_meta"]["io.modelcontextprotocol/clientCapabilities"] = capabilities;
    if let Some((responses, state)) = more {
        params["inputResponses"] = responses;
        if !state.is_null() {
            params["requestState"] = state.clone();
        }
    }
    step.client.request_as(candidate.method, params)
}

/// Sends the answers as a client that no longer declares what it declared before: the passive rules
/// check that it is not asked for more.
fn withdraw(step: &mut Step<'_, '_>, candidate: &Candidate<'_>) {
    if let Some(asked) = ask(step, candidate) {
        let more = (accepted(&asked), &asked["requestState"]);
        send_as(step, candidate, json!({}), Some(more));
    }
}

/// Gives every answer that is asked for, until the request ends.
fn complete(step: &mut Step<'_, '_>, candidate: &Candidate<'_>) {
    let Some(mut asked) = ask(step, candidate) else {
        return;
    };
    let method = candidate.method;
    let mut repeats = 0;
    for _ in 0..MAX_ROUNDS {
        if step.is_over() {
            return;
        }
        let more = (accepted(&asked), &asked["requestState"]);
        let answer = send(step, candidate, Some(more));
        match &answer.reply {
            Reply::Result(_) => {}
            Reply::Error(..) => {
                let message = format!(
                    "`{method}` with every input that was asked for was answered with {}, expected \
                     a result",
                    answer.in_words()
                );
                return step.fail(&COMPLETED, message, &answer.evidence);
            }
            _ => {
                let why = step.why_silent(&answer);
                return step.not_observed(&COMPLETED, &why);
            }
        }
        let Some(again) = asks(&answer) else {
            return step.pass(&COMPLETED);
        };
        let is_same =
            again["inputRequests"] == asked["inputRequests"] && again["inputRequests"].is_object();
        repeats = if is_same { repeats + 1 } else { 0 };
        if repeats >= MAX_REPEATS {
            let message = format!(
                "`{method}` asks for the same input again and again, although it was given each \
                 time"
            );
            return step.fail(&COMPLETED, message, &answer.evidence);
        }
        asked = again.clone();
    }
    let why = format!("a request still asks for more after {MAX_ROUNDS} rounds");
    step.not_observed(&COMPLETED, &why);
}

fn rounds(step: &mut Step<'_, '_>, candidate: &Candidate<'_>, asked: &Value) {
    let elicited = asked["inputRequests"]
        .as_object()
        .and_then(|requests| {
            requests
                .iter()
                .find(|(_, request)| request["method"] == "elicitation/create")
        })
        .map(|(key, _)| key.clone());
    let answer = send(step, candidate, Some((json!({}), &asked["requestState"])));
    if let Reply::Error(..) = answer.reply {
        let message = format!(
            "a retry without the answers was answered with {}, expected to be asked again",
            answer.in_words()
        );
        step.fail(&AGAIN, message, &answer.evidence);
    } else {
        step.pass(&AGAIN);
    }
    if let Some(key) = &elicited
        && let Some(asked) = ask(step, candidate)
    {
        let mut responses = responses(&asked);
        responses[key] = json!({"action": "maybe"});
        let answer = send(step, candidate, Some((responses, &asked["requestState"])));
        let accepted = answer.result().is_some_and(|result| {
            result["resultType"] == "complete" && result["isError"] != json!(true)
        });
        if accepted {
            let message = "an answer with the action `maybe` was accepted, expected an error";
            step.fail(&VALIDATED, message, &answer.evidence);
        } else {
            step.pass(&VALIDATED);
        }
    }
    if let Some(asked) = ask(step, candidate) {
        let mut responses = responses(&asked);
        responses["mcp-assay-extra"] = json!({"action": "decline"});
        let answer = send(step, candidate, Some((responses, &asked["requestState"])));
        if let Reply::Error(..) = answer.reply {
            let message = format!(
                "an answer to nothing was answered with {}, expected to be ignored",
                answer.in_words()
            );
            step.fail(&EXTRA, message, &answer.evidence);
        } else {
            step.pass(&EXTRA);
        }
    }
    for action in ["decline", "cancel"] {
        let Some(asked) = elicited.as_ref().and_then(|_| ask(step, candidate)) else {
            return;
        };
        let answers = answers(&asked, |_| json!({"action": action}));
        let answer = send(step, candidate, Some((answers, &asked["requestState"])));
        match answer.reply {
            Reply::Silence if !step.client.is_alive() => {
                let why = step.why_silent(&answer);
                step.not_observed(&DECLINE, &why);
            }
            Reply::Silence | Reply::Closed => {
                let message = format!("a `{action}` was answered with {}", answer.in_words());
                return step.fail(&DECLINE, message, &answer.evidence);
            }
            _ => step.pass(&DECLINE),
        }
    }
}

/// An answer to everything that is asked: the user declines.
pub(super) fn responses(asked: &Value) -> Value {
    answers(asked, |_| json!({"action": "decline"}))
}

/// An answer to everything that is asked: the user fills in every form.
pub(super) fn accepted(asked: &Value) -> Value {
    answers(asked, |params| {
        let content = Generator::new(0).arguments(&params["requestedSchema"]);
        json!({"action": "accept", "content": content})
    })
}

/// An answer to everything that is asked; `elicited` is that of the user.
fn answers(asked: &Value, elicited: impl Fn(&Value) -> Value) -> Value {
    let requests = asked["inputRequests"].as_object();
    let answer = |request: &Value| match request["method"].as_str() {
        Some("elicitation/create") => elicited(&request["params"]),
        Some("roots/list") => json!({"roots": []}),
        _ => {
            json!({"role": "assistant", "model": "none", "content": {"type": "text", "text": "none"}})
        }
    };
    let answers: Map<String, Value> = requests
        .into_iter()
        .flatten()
        .map(|(key, request)| (key.clone(), answer(request)))
        .collect();
    Value::Object(answers)
}
