//! Requests for a version that no server supports. The passive rules check the data of the refusal
//! and its status.

use mcp_assay::rules;
use serde_json::json;

use super::http_requests::set;
use super::{Listed, Probe, Step};
use crate::requirement::{ERROR, Requirement, SINCE_2026_07};

static UNSUPPORTED: Requirement = Requirement::of_server(
    rules::version::UNSUPPORTED_ERROR.name,
    ERROR,
    SINCE_2026_07,
    "A request for a version that the server does not implement is refused with the \
     unsupported-version error.",
)
.page(
    "basic/versioning#protocol-version-negotiation",
    "A client cannot tell which version to try next, and may fall back to the handshake of older \
     revisions.",
    "answer with error -32022, and name the supported and the requested versions in `data`",
);

pub(super) static PROBE: Probe = Probe::walk(&[&UNSUPPORTED], run);

/// A version that was never released.
const UNRELEASED: &str = "1900-01-01";

fn run(step: &mut Step<'_, '_>, _: &Listed) {
    if !step.client.is_stateless() || !step.wants(&[&UNSUPPORTED]) {
        return;
    }
    let mut methods = vec!["server/discover"];
    if step.client.declares("/tools") {
        methods.push("tools/list");
    }
    for method in methods {
        if step.is_over() {
            return;
        }
        let mut params = step.client.with_meta(json!({}));
        params["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!(UNRELEASED);
        let answer = step.client.request_headed(method, params, |headers| {
            if headers
                .iter()
                .any(|(name, _)| name == "mcp-protocol-version")
            {
                set(headers, "mcp-protocol-version", UNRELEASED);
            }
        });
        let what = format!("`{method}` for version `{UNRELEASED}`");
        if !step.expect_code(&UNSUPPORTED, &answer, &[-32022], &what) {
            return;
        }
    }
}
