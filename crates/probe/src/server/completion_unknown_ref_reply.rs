//! Completion for a prompt that is not listed.

use serde_json::{Value, json};

use super::resources_subscribed::expect_served;
use super::{Listed, Probe, Step};
use crate::requirement::{Requirement, SINCE_2025_03, WARNING};

static UNKNOWN_REF: Requirement = Requirement::of_server(
    "completion/unknown-ref-reply",
    WARNING,
    SINCE_2025_03,
    "An unknown prompt name in ref is answered with invalid-params.",
)
.page(
    "server/utilities/completion#error-handling",
    "A client takes an empty list for the truth and shows no suggestions.",
    "answer with error -32602",
)
.examples(
    r#"```mcp,good,2025-06-18
=== open server:{"completions":{}}
--> {"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"no such prompt"},"argument":{"name":"bed","value":"n"}}}
<-- {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Unknown prompt"}}
```
```mcp,bad,2025-06-18
=== open server:{"completions":{}}
--> {"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"no such prompt"},"argument":{"name":"bed","value":"n"}}}
<-- {"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"Unknown prompt"}}
                                            ^^^^^^ expected -32602
```"#,
);

pub(super) static PROBE: Probe = Probe::walk(&[&UNKNOWN_REF], run);

fn run(step: &mut Step<'_, '_>, listed: &Listed) {
    if !step.client.declares("/completions") {
        step.not_applicable(&UNKNOWN_REF, "completions are not declared");
        return;
    }
    let with_argument = listed.prompts.iter().find_map(|prompt| {
        let argument = prompt["arguments"].as_array()?.first()?["name"].as_str()?;
        Some((prompt["name"].as_str()?, argument))
    });
    if let Some((name, argument)) = with_argument {
        let answer = step.ask("completion/complete", complete(name, argument));
        expect_served(step, "completion/complete", "completions", &answer);
    }
    if step.wants(&[&UNKNOWN_REF]) && !step.is_over() {
        let params = complete("mcp-assay-no-such-prompt", "argument");
        let answer = step.ask("completion/complete", params);
        let what = "completion for a prompt that is not listed";
        step.expect_code(&UNKNOWN_REF, &answer, &[-32602], what);
    }
}

fn complete(prompt: &str, argument: &str) -> Value {
    json!({
        "ref": {"type": "ref/prompt", "name": prompt},
        "argument": {"name": argument, "value": ""},
    })
}
