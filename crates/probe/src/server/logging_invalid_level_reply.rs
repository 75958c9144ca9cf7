//! A log level that does not exist.

use mcp_assay::model::Fact;
use serde_json::json;

use super::{Listed, Probe, Step};
use crate::requirement::{ALL, Requirement, WARNING};

static LEVEL: Requirement = Requirement::of_server(
    "logging/invalid-level-reply",
    WARNING,
    ALL,
    "An unknown level, in setLevel or in _meta, is answered with invalid-params.",
)
.page(
    "server/utilities/logging#error-handling",
    "A client believes that its level is in force.",
    "answer with error -32602",
)
.examples(
    r#"```mcp,good,2025-06-18
=== open server:{"logging":{}}
--> {"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"loud"}}
<-- {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Unknown level"}}
```
```mcp,bad,2025-06-18
=== open server:{"logging":{}}
--> {"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"loud"}}
<-- {"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"Unknown level"}}
                                            ^^^^^^ expected -32602
```"#,
);

pub(super) static PROBE: Probe = Probe::walk(&[&LEVEL], run);

fn run(step: &mut Step<'_, '_>, _: &Listed) {
    if !step.client.declares("/logging") {
        step.not_applicable(&LEVEL, "logging is not declared");
        return;
    }
    let by_request = step
        .revision()
        .is_some_and(|revision| revision.has(Fact::LogLevelByRequest));
    if !step.wants(&[&LEVEL]) {
        return;
    }
    let answer = if by_request {
        step.ask("logging/setLevel", json!({"level": "mcp-assay"}))
    } else {
        let meta = json!({"_meta": {"io.modelcontextprotocol/logLevel": "mcp-assay"}});
        let method = if step.client.declares("/tools") {
            "tools/list"
        } else {
            "server/discover"
        };
        step.ask(method, meta)
    };
    // A method that is missing was reported.
    if by_request && answer.code() == Some(-32601) {
        return step.not_observed(&LEVEL, "the method is not there");
    }
    step.expect_code(
        &LEVEL,
        &answer,
        &[-32602],
        "a log level that does not exist",
    );
}
