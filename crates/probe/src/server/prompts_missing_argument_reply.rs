//! A prompt without an argument that it requires.

use serde_json::{Value, json};

use super::prompts_get::{MOST, required};
use super::{Listed, Probe, Step};
use crate::requirement::{ALL, Requirement, WARNING};

static MISSING: Requirement = Requirement::of_server(
    "prompts/missing-argument-reply",
    WARNING,
    ALL,
    "A missing required argument is answered with invalid-params.",
)
.page(
    "server/prompts#error-handling",
    "The model gets a prompt with a gap.",
    "answer with error -32602",
)
.examples(
    r#"```mcp,good,2025-06-18
=== open server:{"prompts":{}}
--> {"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"water"}}
<-- {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"`bed` is required"}}
```
```mcp,bad,2025-06-18
=== open server:{"prompts":{}}
--> {"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"water"}}
<-- {"jsonrpc":"2.0","id":1,"result":{"messages":[{"role":"user","content":{"type":"text","text":"Water undefined."}}]}}
                                                                                                 ^^^^^^^^^^^^^^^^^^ `bed` is required
```"#,
);

pub(super) static PROBE: Probe = Probe::walk(&[&MISSING], run);

fn run(step: &mut Step<'_, '_>, listed: &Listed) {
    if !step.client.declares("/prompts") {
        step.not_applicable(&MISSING, "prompts are not declared");
        return;
    }
    if !step.wants(&[&MISSING]) {
        return;
    }
    let demanding = |prompt: &&Value| prompt["name"].is_string() && !required(prompt).is_empty();
    let mut prompts = listed.prompts.iter().take(MOST);
    let Some(prompt) = prompts.rfind(demanding) else {
        step.not_applicable(&MISSING, "no prompt requires an argument");
        return;
    };
    let params = json!({"name": prompt["name"], "arguments": {}});
    let answer = step.ask("prompts/get", params);
    let what = "a prompt without a required argument";
    step.expect_code(&MISSING, &answer, &[-32602], what);
}
