//! Requests without the params that their method requires.

use serde_json::json;

use super::{Listed, Probe, Step};
use crate::requirement::{ALL, Requirement, WARNING};

pub(crate) static PARAMS: Requirement = Requirement::of_both(
    "jsonrpc/invalid-params-reply",
    WARNING,
    ALL,
    "Parameters that fail the method's shape are answered with invalid-params.",
)
.page(
    "schema#invalidparamserror",
    "A client cannot tell its own mistake from a fault of the server. JSON-RPC defines \
         the code; MCP itself does not demand it, so it is a warning.",
    "answer with error -32602",
)
.examples(
    r#"```mcp,good,2025-06-18
=== open server:{"tools":{}}
--> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"arguments":{}}}
<-- {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"`name` is missing"}}
```
```mcp,bad,2025-06-18
=== open server:{"tools":{}}
--> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"arguments":{}}}
<-- {"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"KeyError: name"}}
                                            ^^^^^^ expected -32602
```"#,
);

pub(super) static PROBE: Probe = Probe::walk(&[&PARAMS], run);

fn run(step: &mut Step<'_, '_>, _: &Listed) {
    if !step.wants(&[&PARAMS]) {
        return;
    }
    let mut asked = false;
    for (capability, method) in [
        ("/tools", "tools/call"),
        ("/resources", "resources/read"),
        ("/prompts", "prompts/get"),
        ("/completions", "completion/complete"),
    ] {
        if step.is_over() || !step.client.declares(capability) {
            continue;
        }
        asked = true;
        let answer = step.ask(method, json!({}));
        // Over HTTP the header that mirrors the missing member is missing too, and may be what is
        // refused.
        let codes: &[i64] = if step.client.is_http() && step.client.is_stateless() {
            &[-32602, -32020]
        } else {
            &[-32602]
        };
        let what = format!("`{method}` without what it requires");
        step.expect_code(&PARAMS, &answer, codes, &what);
    }
    if !asked {
        step.not_applicable(&PARAMS, "no method with required params is declared");
    }
}
