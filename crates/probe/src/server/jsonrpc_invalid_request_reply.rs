//! JSON that is not a JSON-RPC request.

use super::malformed::expect_refusal;
use super::{Listed, Probe, Step};
use crate::requirement::{ALL, Requirement, WARNING};

pub(crate) static ENVELOPE: Requirement = Requirement::of_both(
    "jsonrpc/invalid-request-reply",
    WARNING,
    ALL,
    "JSON that is not a valid request object is answered with the invalid-request code.",
)
.page(
    "schema#invalidrequesterror",
    "A client that sent a faulty request waits until its own limit. JSON-RPC defines the \
         code; MCP itself does not demand it, so it is a warning.",
    "answer with error -32600; over HTTP status 400 is enough",
);

pub(super) static PROBE: Probe = Probe::walk(&[&ENVELOPE], run);

fn run(step: &mut Step<'_, '_>, _: &Listed) {
    for (sent, what) in [
        (
            r#"{"id":ID,"method":"METHOD"}"#,
            "a request without `jsonrpc`",
        ),
        (
            r#"{"jsonrpc":"1.0","id":ID,"method":"METHOD"}"#,
            "a request of JSON-RPC 1.0",
        ),
        (
            r#"{"jsonrpc":"2.0","id":ID,"method":7}"#,
            "a request whose method is a number",
        ),
    ] {
        if step.is_over() || !step.wants(&[&ENVELOPE]) {
            break;
        }
        let id = step.client.next_id();
        let method = if step.client.is_stateless() {
            "server/discover"
        } else {
            "ping"
        };
        let text = sent
            .replace("ID", &id.to_string())
            .replace("METHOD", method);
        if !expect_refusal(step, &ENVELOPE, text.into_bytes(), -32600, what) {
            break;
        }
    }
}
