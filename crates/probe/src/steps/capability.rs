//! What a server does not declare, it does not serve.

use mcp_assay::model::Fact;
use serde_json::{Value, json};

use super::{Listed, Step};
use crate::client::Reply;

const REPLY: &str = "capability/undeclared-method-reply";

/// A capability, its rule, a method behind it, and the member with the items.
const BEHIND: [(&str, &str, &str, &str); 4] = [
    ("/tools", "capability/declare-tools", "tools/list", "tools"),
    (
        "/resources",
        "capability/declare-resources",
        "resources/list",
        "resources",
    ),
    (
        "/prompts",
        "capability/declare-prompts",
        "prompts/list",
        "prompts",
    ),
    (
        "/completions",
        "capability/declare-completions",
        "completion/complete",
        "completion",
    ),
];

pub(crate) fn run(step: &mut Step<'_, '_>, _: &Listed) {
    if !step.client.capabilities.is_object() {
        return;
    }
    let mut asked = false;
    for (capability, declare, method, member) in BEHIND {
        if step.client.declares(capability) {
            step.pass(declare);
            continue;
        }
        let completions = step
            .revision()
            .is_none_or(|revision| revision.has(Fact::CompletionsCapability));
        if step.is_over()
            || !step.wants(&[declare, REPLY])
            || (capability == "/completions" && !completions)
        {
            continue;
        }
        asked = true;
        judge(step, declare, method, member);
    }
    if !asked {
        step.not_applicable(REPLY, "every capability is declared");
    }
}

fn judge(step: &mut Step<'_, '_>, declare: &'static str, method: &'static str, member: &str) {
    let params = if method == "completion/complete" {
        json!({"ref": {"type": "ref/prompt", "name": "mcp-assay"}, "argument": {"name": "a", "value": ""}})
    } else {
        json!({})
    };
    let answer = step.ask(method, params);
    match &answer.reply {
        Reply::Result(result) if !is_empty(&result[member]) => {
            let message = format!("`{method}` is served although its capability is not declared");
            step.fail(declare, message, &answer.evidence);
        }
        Reply::Result(_) | Reply::Error(..) => {
            step.pass(declare);
            let what = format!("`{method}`, whose capability is not declared,");
            step.expect_code(REPLY, &answer, &[-32601], &what);
        }
        Reply::Status(_) | Reply::Silence | Reply::Closed => {}
    }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.is_empty(),
        Value::Object(completion) => completion["values"].as_array().is_none_or(Vec::is_empty),
        _ => true,
    }
}
