//! A cursor that the server never gave out. Every list is asked with one, after its last page.

use serde_json::json;

use super::Probe;
use super::Step;
use crate::requirement::{ALL, Requirement, WARNING};

pub(super) static INVALID_CURSOR: Requirement = Requirement::of_server(
    "pagination/invalid-cursor-reply",
    WARNING,
    ALL,
    "An unknown cursor is answered with invalid-params.",
)
.page(
    "server/utilities/pagination#error-handling",
    "A client with an expired cursor gets the first page again and reads for ever.",
    "answer with error -32602",
)
.examples(
    r#"```mcp,good,2025-06-18
=== open server:{"tools":{}}
--> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"never given out"}}
<-- {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Unknown cursor"}}
```
```mcp,bad,2025-06-18
=== open server:{"tools":{}}
--> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"never given out"}}
<-- {"jsonrpc":"2.0","id":1,"result":{"tools":[]}}
                                     ^^^^^^^^^^^^ the first page once more
```"#,
);

pub(super) static PROBE: Probe = Probe::between(&[&INVALID_CURSOR]);

pub(super) fn send_unknown_cursor(step: &mut Step<'_, '_>, method: &'static str) {
    let answer = step.ask(method, json!({"cursor": "mcp-assay-no-such-cursor"}));
    if answer.code() == Some(-32601) {
        return;
    }
    step.expect_code(
        &INVALID_CURSOR,
        &answer,
        &[-32602],
        &format!("`{method}` with a cursor that was never given out"),
    );
}
