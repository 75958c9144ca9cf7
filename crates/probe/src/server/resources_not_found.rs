//! A resource that does not exist. One request shows all three requirements.

use mcp_assay::model::Fact;
use serde_json::{Value, json};

use super::{Listed, Probe, Step};
use crate::raw_client::Reply;
use crate::requirement::{ERROR, Requirement, SINCE_2026_07, UNTIL_2025_11, WARNING};

static LEGACY: Requirement = Requirement::of_server(
    "resources/not-found-legacy",
    WARNING,
    UNTIL_2025_11,
    "Up to 2025-11-25 reading an unknown resource is answered with -32002.",
)
.page(
    "server/resources#error-handling",
    "A client cannot tell a missing resource from a fault of the server.",
    "answer with error -32002",
)
.examples(
    r#"```mcp,good,2025-06-18
=== open server:{"resources":{}}
--> {"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"garden://no-such-bed"}}
<-- {"jsonrpc":"2.0","id":1,"error":{"code":-32002,"message":"Resource not found"}}
```
```mcp,bad,2025-06-18
=== open server:{"resources":{}}
--> {"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"garden://no-such-bed"}}
<-- {"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"Resource not found"}}
                                            ^^^^^^ expected -32002
```"#,
);

static MODERN: Requirement = Requirement::of_server(
    "resources/not-found",
    ERROR,
    SINCE_2026_07,
    "Reading an unknown resource is answered with invalid-params.",
)
.page(
    "server/resources#error-handling",
    "A client cannot tell a missing resource from a fault of the server.",
    "answer with error -32602",
);

static EMPTY: Requirement = Requirement::of_server(
    "resources/not-found-not-empty",
    ERROR,
    SINCE_2026_07,
    "An unknown resource is not answered with an empty contents list.",
)
.page(
    "server/resources#error-handling",
    "A client takes the resource for an empty one.",
    "answer with error -32602",
);

pub(super) static PROBE: Probe = Probe::walk(&[&LEGACY, &MODERN, &EMPTY], run);

fn run(step: &mut Step<'_, '_>, _: &Listed) {
    if !step.client.declares("/resources") {
        for requirement in [&LEGACY, &MODERN, &EMPTY] {
            step.not_applicable(requirement, "resources are not declared");
        }
        return;
    }
    if !step.wants(&[&LEGACY, &MODERN, &EMPTY]) {
        return;
    }
    let params = json!({"uri": "mcp-assay://no/such/resource"});
    let answer = step.ask("resources/read", params);
    let what = "reading a resource that does not exist";
    if step
        .revision()
        .is_some_and(|revision| revision.has(Fact::ResourceNotFoundCode))
    {
        step.expect_code(&LEGACY, &answer, &[-32002], what);
        return;
    }
    let is_empty = |result: &Value| result["contents"].as_array().is_some_and(Vec::is_empty);
    match &answer.reply {
        // One fault, one failure: an empty list has a rule of its own.
        Reply::Result(result) if is_empty(result) => {
            step.fail(
                &EMPTY,
                format!("{what} was answered with an empty list"),
                &answer.evidence,
            );
        }
        _ => {
            step.pass(&EMPTY);
            step.expect_code(&MODERN, &answer, &[-32602], what);
        }
    }
}
