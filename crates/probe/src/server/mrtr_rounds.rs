//! Tools that ask for input before they answer: answers that are missing, malformed, too many, or a
//! refusal. The requirements share one tool and the round that it opens.

use serde_json::{Map, Value, json};

use super::Probe;
use super::{Step, mrtr_state};
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

pub(super) static PROBE: Probe = Probe::between(&[&REQUIRED, &AGAIN, &EXTRA, &VALIDATED, &DECLINE]);

/// Tries the tools that a client without any capability was refused, with how they refused.
pub(super) fn run(step: &mut Step<'_, '_>, refused: &[(&Value, Value, Answer)]) {
    if !step.wants(&[&REQUIRED, &AGAIN, &EXTRA, &VALIDATED, &DECLINE])
        && !step.wants(&mrtr_state::ALL)
    {
        return;
    }
    for (tool, params, answer) in refused {
        if step.is_over() {
            return;
        }
        let Some(asked) = ask(step, params) else {
            continue;
        };
        // It asks a client that can answer: one that cannot has to be told what is missing.
        let what = "a call that needs a capability which the client did not declare";
        step.expect_code(&REQUIRED, answer, &[-32021], what);
        rounds(step, params, &asked);
        mrtr_state::run(step, tool, params);
        return;
    }
    for id in [&REQUIRED, &AGAIN, &EXTRA, &VALIDATED, &DECLINE]
        .into_iter()
        .chain(mrtr_state::ALL)
    {
        step.not_observed(id, "no tool that was called asks for more");
    }
}

/// Asks for the input that a tool wants, in a round of its own: a state may be good for one answer
/// only.
pub(super) fn ask(step: &mut Step<'_, '_>, params: &Value) -> Option<Value> {
    let answer = send(step, params, None);
    let result = answer.result()?;
    (result["resultType"] == "input_required").then(|| result.clone())
}

pub(super) fn send(
    step: &mut Step<'_, '_>,
    params: &Value,
    more: Option<(Value, &Value)>,
) -> Answer {
    let mut params = step.client.with_meta(params.clone());
    params["_meta"]["io.modelcontextprotocol/clientCapabilities"] =
        json!({"elicitation": {"form": {}}, "sampling": {}, "roots": {}});
    if let Some((responses, state)) = more {
        params["inputResponses"] = responses;
        if !state.is_null() {
            params["requestState"] = state.clone();
        }
    }
    step.client.request_as("tools/call", params)
}

fn rounds(step: &mut Step<'_, '_>, params: &Value, asked: &Value) {
    let elicited = asked["inputRequests"]
        .as_object()
        .and_then(|requests| {
            requests
                .iter()
                .find(|(_, request)| request["method"] == "elicitation/create")
        })
        .map(|(key, _)| key.clone());
    let answer = send(step, params, Some((json!({}), &asked["requestState"])));
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
        && let Some(asked) = ask(step, params)
    {
        let mut responses = responses(&asked);
        responses[key] = json!({"action": "maybe"});
        let answer = send(step, params, Some((responses, &asked["requestState"])));
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
    if let Some(asked) = ask(step, params) {
        let mut responses = responses(&asked);
        responses["mcp-assay-extra"] = json!({"action": "decline"});
        let answer = send(step, params, Some((responses, &asked["requestState"])));
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
    if elicited.is_some()
        && let Some(asked) = ask(step, params)
    {
        let answer = send(
            step,
            params,
            Some((responses(&asked), &asked["requestState"])),
        );
        match answer.reply {
            Reply::Silence if !step.client.is_alive() => {
                let why = step.why_silent(&answer);
                step.not_observed(&DECLINE, &why);
            }
            Reply::Silence | Reply::Closed => {
                let message = format!("a decline was answered with {}", answer.in_words());
                step.fail(&DECLINE, message, &answer.evidence);
            }
            _ => step.pass(&DECLINE),
        }
    }
}

/// An answer to everything that is asked: the user declines, and nobody is there to sample.
pub(super) fn responses(asked: &Value) -> Value {
    let requests = asked["inputRequests"].as_object();
    let answer = |request: &Value| match request["method"].as_str() {
        Some("elicitation/create") => json!({"action": "decline"}),
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
