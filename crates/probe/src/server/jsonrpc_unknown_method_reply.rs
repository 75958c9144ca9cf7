//! Requests for methods that do not exist, or no longer.

use serde_json::json;

use super::{Listed, Probe, Step};
use crate::requirement::{ALL, Requirement, WARNING};

pub(crate) static UNKNOWN: Requirement = Requirement::of_both(
    "jsonrpc/unknown-method-reply",
    WARNING,
    ALL,
    "A request for a method the receiver does not implement is answered with \
     method-not-found.",
)
.page(
    "schema#methodnotfounderror",
    "A client cannot tell a missing method from a fault of its call. JSON-RPC defines the \
         code; MCP itself does not demand it, so it is a warning.",
    "answer with error -32601",
)
.examples(
    r#"```mcp,good,2025-06-18
=== open
--> {"jsonrpc":"2.0","id":1,"method":"beds/water"}
<-- {"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found"}}
```
```mcp,bad,2025-06-18
=== open
--> {"jsonrpc":"2.0","id":1,"method":"beds/water"}
<-- {"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"Method not found"}}
                                            ^^^^^^ expected -32601
```"#,
);

pub(super) static PROBE: Probe = Probe::walk(&[&UNKNOWN], run);

/// Methods that the revision without a handshake removed.
const REMOVED: [(&str, &str); 4] = [
    ("ping", "{}"),
    ("logging/setLevel", r#"{"level":"info"}"#),
    ("resources/subscribe", r#"{"uri":"mcp-assay://none"}"#),
    ("resources/unsubscribe", r#"{"uri":"mcp-assay://none"}"#),
];

fn run(step: &mut Step<'_, '_>, _: &Listed) {
    if !step.wants(&[&UNKNOWN]) {
        return;
    }
    let answer = step.ask("mcp-assay/no-such-method", json!({}));
    if !step.expect_code(&UNKNOWN, &answer, &[-32601], "a method that does not exist")
        || !step.client.is_stateless()
    {
        return;
    }
    for (method, params) in REMOVED {
        if step.is_over() {
            return;
        }
        let params = serde_json::from_str(params).unwrap_or_default();
        let answer = step.ask(method, params);
        let what = format!("`{method}`, which this revision removed,");
        // A server may want headers for it that no revision defines.
        let codes: &[i64] = if step.client.is_http() {
            &[-32601, -32020]
        } else {
            &[-32601]
        };
        if !step.expect_code(&UNKNOWN, &answer, codes, &what) {
            return;
        }
    }
}
