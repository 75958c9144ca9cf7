//! A prompt that is not listed.

use serde_json::json;

use super::{Listed, Probe, Step};
use crate::requirement::{ALL, Requirement, WARNING};

static UNKNOWN: Requirement = Requirement::of_server(
    "prompts/unknown-prompt-reply",
    WARNING,
    ALL,
    "An unknown prompt name is answered with invalid-params.",
)
.page(
    "server/prompts#error-handling",
    "A client cannot tell a wrong name from a fault of the server.",
    "answer with error -32602",
)
.examples(
    r#"```mcp,good,2025-06-18
=== open server:{"prompts":{}}
--> {"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"water"}}
<-- {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Unknown prompt"}}
```
```mcp,bad,2025-06-18
=== open server:{"prompts":{}}
--> {"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"water"}}
<-- {"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"Unknown prompt"}}
                                            ^^^^^^ expected -32602
```"#,
);

pub(super) static PROBE: Probe = Probe::walk(&[&UNKNOWN], run);

fn run(step: &mut Step<'_, '_>, _: &Listed) {
    if !step.client.declares("/prompts") {
        step.not_applicable(&UNKNOWN, "prompts are not declared");
    } else if step.wants(&[&UNKNOWN]) {
        let answer = step.ask("prompts/get", json!({"name": "mcp-assay-no-such-prompt"}));
        step.expect_code(&UNKNOWN, &answer, &[-32602], "a prompt that is not listed");
    }
}
