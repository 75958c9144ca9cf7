//! The content of spans: names and values of the semantic conventions for MCP, and a few of our
//! own.

use std::collections::HashMap;

use mcp_assay::{Checked, MessageKind, Part, Verdict};
use opentelemetry::propagation::TextMapPropagator as _;
use opentelemetry::trace::{Span as _, SpanBuilder, Status};
use opentelemetry::{Context, KeyValue};
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::Span;

use super::message::{Message, header, text};
use super::open::Open;
use super::peers::Peer;

/// The length of values in characters: they are names.
const MAX_VALUE: usize = 256;

/// Violations of one message that are reported.
const MAX_EVENTS: usize = 16;

/// The span that a message names as its cause: in its `_meta`, else in the head of its HTTP
/// request.
pub(super) fn parent(
    propagator: &TraceContextPropagator,
    message: &Message<'_>,
    checked: &Checked<'_>,
) -> Context {
    let mut carrier = HashMap::new();
    let headers = checked.http().and_then(|http| match http.part {
        Part::Request { headers, .. } => Some(headers),
        _ => None,
    });
    let in_meta = message.meta("traceparent").is_some();
    for name in ["traceparent", "tracestate"] {
        let value = if in_meta {
            message.meta(name)
        } else {
            headers.and_then(|headers| header(headers, name).map(str::to_owned))
        };
        if let Some(value) = value {
            carrier.insert(name.to_owned(), value);
        }
    }
    propagator.extract_with_context(&Context::new(), &carrier)
}

/// The name and attributes of the span of a request or notification.
pub(super) fn begin(
    method: &str,
    message: &Message<'_>,
    checked: &Checked<'_>,
    peer: &Peer,
) -> SpanBuilder {
    let method = short(method);
    let mut attributes = vec![KeyValue::new("mcp.method.name", method.clone())];
    let mut add = |name: &'static str, value: Option<String>| {
        attributes.extend(value.map(|value| KeyValue::new(name, short(&value))));
    };
    let mut target = None;
    match &*method {
        "tools/call" => {
            target = message.param("name");
            add("gen_ai.tool.name", target.clone());
            add("gen_ai.operation.name", Some("execute_tool".to_owned()));
        }
        "prompts/get" => {
            target = message.param("name");
            add("gen_ai.prompt.name", target.clone());
        }
        _ if method.starts_with("resources/") || method == "notifications/resources/updated" => {
            add("mcp.resource.uri", message.param("uri"));
        }
        _ => {}
    }
    if message.kind == MessageKind::Request {
        let raw = |id: mcp_assay::syntax::Node<'_>| {
            text(id).unwrap_or_else(|| String::from_utf8_lossy(id.raw()).into_owned())
        };
        add("jsonrpc.request.id", message.id.map(raw));
    }
    let version = message.root.get("jsonrpc").and_then(text);
    add(
        "jsonrpc.protocol.version",
        version.filter(|version| version != "2.0"),
    );
    let revision = checked
        .revision()
        .map(|revision| revision.name().to_owned());
    add("mcp.protocol.version", revision);
    let is_http = checked.http().is_some();
    let transport = if is_http { "tcp" } else { "pipe" };
    add("network.transport", Some(transport.to_owned()));
    if is_http {
        add("network.protocol.name", Some("http".to_owned()));
        add("network.protocol.version", Some("1.1".to_owned()));
    }
    add("mcp.session.id", peer.session.clone());
    add("server.address", peer.address.clone());
    if let Some(port) = peer.port {
        attributes.push(KeyValue::new("server.port", i64::from(port)));
    }
    let name = match target {
        Some(target) => format!("{method} {}", short(&target)),
        None => method,
    };
    SpanBuilder::from_name(name).with_attributes(attributes)
}

/// The session that an answer names.
pub(super) fn session(span: &mut Span, id: &str) {
    span.set_attribute(KeyValue::new("mcp.session.id", short(id)));
}

/// Records the answer to a request.
pub(super) fn answer(open: &mut Open, message: &Message<'_>) {
    if message.kind == MessageKind::Error {
        let code = message
            .root
            .get("error")
            .and_then(|error| error.get("code"));
        match code.and_then(mcp_assay::syntax::Node::as_i64) {
            Some(code) => failed(&mut open.span, code),
            None => ended_as(&mut open.span, "_OTHER"),
        }
        return;
    }
    let is_error = message
        .root
        .get("result")
        .and_then(|result| result.get("isError"))
        .is_some_and(|flag| flag.raw() == b"true");
    if open.is_tool_call && is_error {
        ended_as(&mut open.span, "tool_error");
    }
}

/// Records an error of JSON-RPC.
pub(super) fn failed(span: &mut Span, code: i64) {
    span.set_attribute(KeyValue::new("rpc.response.status_code", code.to_string()));
    ended_as(span, &code.to_string());
}

/// Records a failure.
pub(super) fn ended_as(span: &mut Span, kind: &str) {
    span.set_attribute(KeyValue::new("error.type", kind.to_owned()));
    // The message of an error may quote traffic.
    span.set_status(Status::error(""));
}

/// Adds the violations of a message, as events.
pub(super) fn violations(open: &mut Open, checked: &Checked<'_>) {
    open.verdict = open.verdict.max(checked.verdict());
    for violation in checked.violations().iter().take(MAX_EVENTS) {
        let level = checked.level(violation).name();
        let attributes = vec![
            KeyValue::new("mcp_assay.rule", violation.rule.name),
            KeyValue::new("mcp_assay.level", level),
            KeyValue::new("mcp_assay.pointer", short(&checked.pointer(violation))),
        ];
        open.span.add_event("mcp_assay.violation", attributes);
    }
}

/// Records the decision about the exchange.
pub(super) fn verdict(open: &mut Open) {
    let verdict = match open.verdict {
        Verdict::Pass => "pass",
        Verdict::Flag => "flag",
        Verdict::Block => "block",
    };
    open.span
        .set_attribute(KeyValue::new("mcp_assay.verdict", verdict));
}

fn short(value: &str) -> String {
    match value.char_indices().nth(MAX_VALUE) {
        Some((end, _)) => format!("{}…", &value[..end]),
        None => value.to_owned(),
    }
}
