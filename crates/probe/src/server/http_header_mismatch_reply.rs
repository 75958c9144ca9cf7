//! Mirrored headers that are missing, malformed or differ from the body.

use mcp_assay::rules;
use serde_json::{Value, json};

use super::http_requests::{has_mirrored_headers, mirroring_call, remove, set, simple, status};
use super::{Listed, Probe, Step};
use crate::raw_client::Answer;
use crate::requirement::{ERROR, Requirement, SINCE_2026_07};

static MISMATCH: Requirement = Requirement::of_server(
    rules::http::HEADER_MISMATCH_REPLY.name,
    ERROR,
    SINCE_2026_07,
    "Missing, malformed or differing headers are refused with 400 and -32020.",
)
.page(
    "basic/transports/streamable-http#server-validation",
    "Intermediaries act on the header and the server on the body: each does something \
         else.",
    "compare the headers with the body, and answer 400 with error -32020",
);

pub(super) static PROBE: Probe = Probe::http(&[&MISMATCH], run);

/// A name that no server has: a server that does not compare refuses it for another reason.
const UNKNOWN: &str = "mcp-assay-no-such-name";

/// Something that has the form of the encoding, and no content.
const MALFORMED: &str = "=?base64?***?=";

/// A header, its wrong value or none, and the description of the request.
type Case = (&'static str, Option<&'static str>, &'static str);

const METHOD: [Case; 2] = [
    (
        "mcp-method",
        Some("prompts/get"),
        "a request whose `Mcp-Method` is of another method",
    ),
    ("mcp-method", None, "a request without `Mcp-Method`"),
];

const NAME: [Case; 3] = [
    (
        "mcp-name",
        Some("mcp-assay-other"),
        "a request whose `Mcp-Name` is another name",
    ),
    ("mcp-name", None, "a request without `Mcp-Name`"),
    (
        "mcp-name",
        Some(MALFORMED),
        "a request whose `Mcp-Name` is malformed base64",
    ),
];

fn run(step: &mut Step<'_, '_>, listed: &Listed) {
    if !has_mirrored_headers(step) || !step.wants(&[&MISMATCH]) {
        return;
    }
    let mut holds = METHOD
        .iter()
        .all(|case| is_refused(step, "server/discover", &json!({}), case));
    for (capability, method, member) in [
        ("/tools", "tools/call", "name"),
        ("/prompts", "prompts/get", "name"),
        ("/resources", "resources/read", "uri"),
    ] {
        if holds && step.client.declares(capability) {
            let params = json!({member: format!("mcp-assay://{UNKNOWN}")});
            holds = NAME
                .iter()
                .all(|case| is_refused(step, method, &params, case));
        }
    }
    if holds {
        versions(step);
        params(step, listed);
    }
}

/// A version in the header that differs from that of the body. It is not supported either.
fn versions(step: &mut Step<'_, '_>) {
    let answer = simple(step, |headers| {
        set(headers, "mcp-protocol-version", "1900-01-01");
    });
    let what = "a request whose `MCP-Protocol-Version` is another version than in its body";
    step.expect_code(&MISMATCH, &answer, &[-32020, -32022], what);
}

/// Arguments that are repeated in headers. The tool runs if the server does not compare.
fn params(step: &mut Step<'_, '_>, listed: &Listed) {
    let Some(params) = mirroring_call(step, listed) else {
        return;
    };
    for (value, what) in [
        (Some("mcp-assay-other"), "is another value than in its body"),
        (None, "is missing"),
        (Some(MALFORMED), "is malformed base64"),
    ] {
        if step.is_over() {
            return;
        }
        let mut header = String::new();
        let answer = step
            .client
            .request_with("tools/call", params.clone(), |headers| {
                let mirrored = |(name, _): &&(String, String)| name.starts_with("mcp-param-");
                if let Some((name, _)) = headers.iter().find(mirrored) {
                    header.clone_from(name);
                }
                match value {
                    Some(value) => set(headers, &header, value),
                    None => remove(headers, &header),
                }
            });
        let what = format!("a request whose `{header}` {what}");
        if !expect_refusal(step, &answer, &what) {
            return;
        }
    }
}

fn is_refused(
    step: &mut Step<'_, '_>,
    method: &str,
    params: &Value,
    (header, value, what): &Case,
) -> bool {
    if step.is_over() {
        return false;
    }
    let answer = step
        .client
        .request_with(method, params.clone(), |headers| match value {
            Some(value) => set(headers, header, value),
            None => remove(headers, header),
        });
    let what = format!("`{method}`: {what}");
    expect_refusal(step, &answer, &what)
}

fn expect_refusal(step: &mut Step<'_, '_>, answer: &Answer, what: &str) -> bool {
    if answer.code() == Some(-32020)
        && let Some(found) = status(step, answer).filter(|found| *found != 400)
    {
        let message = format!("{what} was refused with status {found}, expected 400");
        step.fail(&MISMATCH, message, &answer.evidence);
        return false;
    }
    step.expect_code(&MISMATCH, answer, &[-32020], what)
}
