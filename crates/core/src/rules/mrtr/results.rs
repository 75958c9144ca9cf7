//! Checks a result once for all rules about results that demand more input.

use std::collections::HashSet;

use super::{
    input_capability, input_key_unique, input_no_envelope, inputs_or_state, marked,
    supported_methods,
};
use crate::rules::prelude::*;
use crate::session::message::{Input, inputs};

pub(super) static GROUP: Group = Group {
    keys: &[],
    on: &[On::AnyResult],
    check,
};

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    let Some(result) = message.result() else {
        return;
    };
    let Some(kind) = result.get("resultType") else {
        return;
    };
    if kind.is_text("input_required") {
        asks(message, session, result, kind, findings);
    } else if kind.is_text("complete") && asks_unmarked(message, result) {
        let text = "has `inputRequests`, so it must be `input_required`";
        findings.raise(&marked::RULE, kind, text);
    }
}

fn asks(
    message: &Message<'_>,
    session: &Session,
    result: Node<'_>,
    kind: Node<'_>,
    findings: &mut Findings<'_>,
) {
    match message.method() {
        None | Some("tools/call" | "prompts/get" | "resources/read") => {}
        // Another rule checks the end of a subscription.
        Some("subscriptions/listen") => return,
        Some(_) => {
            let text = "only `tools/call`, `prompts/get` and `resources/read` may ask for input";
            findings.raise(&supported_methods::RULE, kind, text);
            return;
        }
    }
    let demanded = result.get("inputRequests");
    if demanded.is_none() && result.get("requestState").is_none() {
        let text = "`inputRequests` or `requestState` is missing";
        findings.raise(&inputs_or_state::RULE, result, text);
    }
    for input in inputs(message) {
        no_envelope(&input, findings);
        declared(&input, message, session, findings);
    }
    if let Some(demanded) = demanded {
        unique_keys(demanded, findings);
    }
}

/// Whether a complete result demands input without its mark. A task that waits for input has
/// `inputRequests` in a complete result.
fn asks_unmarked(message: &Message<'_>, result: Node<'_>) -> bool {
    result
        .get("inputRequests")
        .is_some_and(|demanded| demanded.kind() == Kind::Object)
        && message.method() != Some("tasks/get")
        && (message.method().is_some() || result.get("taskId").is_none())
}

fn no_envelope(input: &Input<'_>, findings: &mut Findings<'_>) {
    let of_envelope = input
        .entry
        .members()
        .map(|(key, _)| key)
        .find(|key| key.is_text("jsonrpc") || key.is_text("id"));
    if let Some(key) = of_envelope {
        let text = "an input request has `method` and `params` only";
        findings.raise(&input_no_envelope::RULE, key, text);
    }
}

fn declared(
    input: &Input<'_>,
    message: &Message<'_>,
    session: &Session,
    findings: &mut Findings<'_>,
) {
    let (capability, text) = if input.asks("elicitation/create") {
        (
            Capability::Elicitation,
            "the request did not declare `elicitation`",
        )
    } else if input.asks("sampling/createMessage") {
        (
            Capability::Sampling,
            "the request did not declare `sampling`",
        )
    } else if input.asks("roots/list") {
        (Capability::Roots, "the request did not declare `roots`")
    } else {
        return;
    };
    let declared = session.declared(Party::Client, message);
    if declared.is_some_and(|declared| !declared.has(capability)) {
        findings.raise(&input_capability::RULE, input.method, text);
    }
}

/// The number of keys up to which they are compared one by one.
const MAX_LINEAR: usize = 16;

fn unique_keys(demanded: Node<'_>, findings: &mut Findings<'_>) {
    let text = "this key is used before in the same `inputRequests`";
    if demanded.members().nth(MAX_LINEAR).is_none() {
        for (position, (key, _)) in demanded.members().enumerate() {
            let repeats = demanded
                .members()
                .take(position)
                .any(|(earlier, _)| equal(earlier, key));
            if repeats {
                findings.raise(&input_key_unique::RULE, key, text);
            }
        }
        return;
    }
    let mut seen = HashSet::new();
    for (key, _) in demanded.members() {
        if !seen.insert(key.text()) {
            findings.raise(&input_key_unique::RULE, key, text);
        }
    }
}

fn equal(left: Node<'_>, right: Node<'_>) -> bool {
    match (left.plain(), right.plain()) {
        (Some(left), Some(right)) => left == right,
        _ => left.text() == right.text(),
    }
}
