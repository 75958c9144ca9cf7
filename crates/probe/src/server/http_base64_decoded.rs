//! A mirrored header in the base64 form.

use serde_json::{Value, json};

use super::http_requests::{has_mirrored_headers, set};
use super::{Listed, Probe, Step};
use crate::raw_client::encoded;
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

fn run(step: &mut Step<'_, '_>, _: &Listed) {
    if has_mirrored_headers(step) && step.wants(&[&BASE64]) && step.client.declares("/tools") {
        const NAME: &str = "mcp-assay-no-such-tool";
        let params = json!({"name": NAME, "arguments": Value::Object(serde_json::Map::new())});
        let answer = step.client.request_with("tools/call", params, |headers| {
            set(headers, "mcp-name", &encoded(NAME));
        });
        if answer.code() == Some(-32020) {
            let message = "an `Mcp-Name` in the base64 form that equals the body was refused";
            step.fail(&BASE64, message, &answer.evidence);
        } else {
            step.pass(&BASE64);
        }
    }
}
