//! A call of a tool that is not listed.

use mcp_assay::rules;
use serde_json::json;

use super::{Listed, Probe, Step};
use crate::requirement::{ALL, Requirement, WARNING};

static UNKNOWN: Requirement = Requirement::of_server(
    rules::tools::UNKNOWN_TOOL_REPLY.name,
    WARNING,
    ALL,
    "An unknown tool is a protocol error, not a successful result.",
)
.page(
    "server/tools#error-handling",
    "A client cannot tell a wrong name from a tool that failed.",
    "answer the call of an unknown tool with the JSON-RPC error -32602",
);

pub(super) static PROBE: Probe = Probe::walk(&[&UNKNOWN], run);

fn run(step: &mut Step<'_, '_>, _: &Listed) {
    if !step.client.declares("/tools") {
        step.not_applicable(&UNKNOWN, "tools are not declared");
        return;
    }
    if step.wants(&[&UNKNOWN]) {
        let params = json!({"name": "mcp-assay-no-such-tool", "arguments": {}});
        let answer = step.ask("tools/call", params);
        step.expect_code(
            &UNKNOWN,
            &answer,
            &[-32602],
            "a call of a tool that is not listed",
        );
    }
}
