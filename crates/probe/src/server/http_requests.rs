//! Requests over HTTP with headers that are wrong in one way, and the status that they are answered
//! with.

use mcp_assay::model::Fact;
use serde_json::{Value, json};

use super::{Listed, Step};
use crate::arguments::Generator;
use crate::raw_client::{Answer, pair};
use crate::record::Pairs;
use crate::requirement::Requirement;

/// A request that is served whatever the capabilities are.
pub(super) fn simple(step: &mut Step<'_, '_>, change: impl FnOnce(&mut Pairs)) -> Answer {
    let method = if step.client.is_stateless() {
        "server/discover"
    } else {
        "ping"
    };
    step.client.request_with(method, json!({}), change)
}

pub(super) fn set(headers: &mut Pairs, name: &str, value: &str) {
    headers.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
    headers.push(pair(name, value));
}

pub(super) fn remove(headers: &mut Pairs, name: &str) {
    headers.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
}

/// The status that an answer came with.
pub(super) fn status(step: &Step<'_, '_>, answer: &Answer) -> Option<u16> {
    let sent = step.client.records.get(*answer.evidence.first()?)?;
    step.client.status(sent.exchange())
}

pub(super) fn expect_status(
    step: &mut Step<'_, '_>,
    requirement: &'static Requirement,
    answer: &Answer,
    expected: u16,
    what: &str,
) {
    let found = status(step, answer);
    check_status(step, requirement, answer, found, expected, what);
}

pub(super) fn check_status(
    step: &mut Step<'_, '_>,
    requirement: &'static Requirement,
    answer: &Answer,
    found: Option<u16>,
    expected: u16,
    what: &str,
) {
    match found {
        Some(found) if found == expected => step.pass(requirement),
        Some(found) => {
            let message = format!("{what} was answered with status {found}, expected {expected}");
            step.fail(requirement, message, &answer.evidence);
        }
        None => step.not_observed(requirement, "no answer"),
    }
}

/// The params of a call that repeats an argument in a header, if a tool that may be called wants
/// that.
pub(super) fn mirroring_call(step: &Step<'_, '_>, listed: &Listed) -> Option<Value> {
    let options = &step.client.options;
    listed.tools.iter().find_map(|tool| {
        let harmless = tool["annotations"]["readOnlyHint"] == json!(true) || options.call_tools;
        let properties = tool["inputSchema"]["properties"].as_object()?;
        let (name, _) = properties
            .iter()
            .find(|(_, schema)| schema["x-mcp-header"].is_string())?;
        // The generator makes only what is required.
        let mut schema = tool["inputSchema"].clone();
        let mut required = schema["required"].as_array().cloned().unwrap_or_default();
        if !required.contains(&json!(name)) {
            required.push(json!(name));
        }
        schema["required"] = Value::Array(required);
        let arguments = Generator::new(options.seed).arguments(&schema);
        harmless.then(|| json!({"name": tool["name"], "arguments": arguments}))
    })
}

/// Whether requests carry a version header that may be left out or wrong: without a handshake it
/// is one of the mirrored headers.
pub(super) fn has_version_header(step: &Step<'_, '_>) -> bool {
    step.revision().is_some_and(|revision| {
        revision.has(Fact::HttpVersionHeader)
            && !revision.has(Fact::Stateless)
            && !revision.has(Fact::HttpTwoEndpoints)
    })
}

/// Whether headers repeat members of the body.
pub(super) fn has_mirrored_headers(step: &Step<'_, '_>) -> bool {
    let mirrors = |revision: mcp_assay::Revision| revision.has(Fact::HttpMirroredHeaders);
    step.revision().is_some_and(mirrors)
}
