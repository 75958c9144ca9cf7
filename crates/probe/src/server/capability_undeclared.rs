//! Methods behind capabilities that the server does not declare. One request shows whether the
//! method is served all the same, and how it is refused.

use mcp_assay::model::Fact;
use serde_json::{Value, json};

use super::{Listed, Probe, Step};
use crate::raw_client::Reply;
use crate::requirement::{ALL, ERROR, Requirement, SINCE_2025_03, WARNING};

static TOOLS: Requirement = Requirement::of_server(
    "capability/declare-tools",
    ERROR,
    ALL,
    "A server that serves tools declares the tools capability.",
)
.page(
    "server/tools#capabilities",
    "Clients do not ask for what was not declared: the feature is there and nobody uses \
         it.",
    "declare `tools` in the capabilities",
);

static RESOURCES: Requirement = Requirement::of_server(
    "capability/declare-resources",
    ERROR,
    ALL,
    "A server that serves resources declares the resources capability.",
)
.page(
    "server/resources#capabilities",
    "Clients do not ask for what was not declared: the feature is there and nobody uses \
         it.",
    "declare `resources` in the capabilities",
);

static PROMPTS: Requirement = Requirement::of_server(
    "capability/declare-prompts",
    ERROR,
    ALL,
    "A server that serves prompts declares the prompts capability.",
)
.page(
    "server/prompts#capabilities",
    "Clients do not ask for what was not declared: the feature is there and nobody uses \
         it.",
    "declare `prompts` in the capabilities",
);

static COMPLETIONS: Requirement = Requirement::of_server(
    "capability/declare-completions",
    ERROR,
    SINCE_2025_03,
    "A server that answers completion/complete declares completions.",
)
.page(
    "server/utilities/completion#capabilities",
    "Clients do not ask for what was not declared: the feature is there and nobody uses \
         it.",
    "declare `completions` in the capabilities",
);

pub(crate) static REPLY: Requirement = Requirement::of_both(
    "capability/undeclared-method-reply",
    WARNING,
    ALL,
    "A method behind a capability the receiver did not declare is answered with \
     method-not-found.",
)
.page(
    "schema#methodnotfounderror",
    "A client cannot tell a missing feature from a fault.",
    "answer with error -32601",
);

pub(super) static PROBE: Probe =
    Probe::walk(&[&TOOLS, &RESOURCES, &PROMPTS, &COMPLETIONS, &REPLY], run);

/// A capability, its requirement, a method behind it, and the member with the items.
static BEHIND: [(&str, &Requirement, &str, &str); 4] = [
    ("/tools", &TOOLS, "tools/list", "tools"),
    ("/resources", &RESOURCES, "resources/list", "resources"),
    ("/prompts", &PROMPTS, "prompts/list", "prompts"),
    (
        "/completions",
        &COMPLETIONS,
        "completion/complete",
        "completion",
    ),
];

fn run(step: &mut Step<'_, '_>, _: &Listed) {
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
            || !step.wants(&[declare, &REPLY])
            || (capability == "/completions" && !completions)
        {
            continue;
        }
        asked = true;
        check(step, declare, method, member);
    }
    if !asked {
        step.not_applicable(&REPLY, "every capability is declared");
    }
}

fn check(
    step: &mut Step<'_, '_>,
    declare: &'static Requirement,
    method: &'static str,
    member: &str,
) {
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
            step.expect_code(&REPLY, &answer, &[-32601], &what);
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
