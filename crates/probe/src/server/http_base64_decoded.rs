//! Mirrored headers in the base64 form.

use serde_json::json;

use super::http_requests::{has_mirrored_headers, mirroring_call, set};
use super::{Listed, Probe, Step};
use crate::raw_client::{Answer, encoded};
use crate::requirement::{ERROR, Requirement, SINCE_2026_07};

static BASE64: Requirement = Requirement::of_server(
    "http/base64-decoded",
    ERROR,
    SINCE_2026_07,
    "Servers decode the base64 form before they compare with the body.",
)
.page(
    "basic/transports/streamable-http#value-encoding",
    "A correct client with a name beyond ASCII is refused.",
    "decode `=?base64?...?=` before the comparison with the body",
);

pub(super) static PROBE: Probe = Probe::http(&[&BASE64], run);

/// A name that no server has.
const NAME: &str = "mcp-assay-no-such-tool";

fn run(step: &mut Step<'_, '_>, listed: &Listed) {
    if !has_mirrored_headers(step) || !step.wants(&[&BASE64]) || !step.client.declares("/tools") {
        return;
    }
    let params = json!({"name": NAME, "arguments": {}});
    let answer = step.client.request_with("tools/call", params, |headers| {
        set(headers, "mcp-name", &encoded(NAME));
    });
    check(step, &answer, "Mcp-Name");
    let Some(params) = mirroring_call(step, listed).filter(|_| !step.is_over()) else {
        return;
    };
    let mut header = String::new();
    let answer = step.client.request_with("tools/call", params, |headers| {
        let mirrored = |(name, _): &&(String, String)| name.starts_with("mcp-param-");
        let plain = |(_, value): &&(String, String)| !value.starts_with("=?base64?");
        let found = headers.iter().find(mirrored).filter(plain);
        if let Some((name, value)) = found.cloned() {
            set(headers, &name, &encoded(&value));
            header = name;
        }
    });
    check(step, &answer, &header);
}

fn check(step: &mut Step<'_, '_>, answer: &Answer, header: &str) {
    if answer.code() == Some(-32020) {
        let message = format!("`{header}` in the base64 form that equals the body was refused");
        step.fail(&BASE64, message, &answer.evidence);
    } else {
        step.pass(&BASE64);
    }
}
