//! Streamable HTTP: origins, sessions, versions and mirrored headers, each wrong in one way.

use std::net::{IpAddr, SocketAddr, TcpStream, UdpSocket};
use std::time::Duration;

use mcp_assay::model::Fact;
use serde_json::{Value, json};

use super::Step;
use crate::client::{Answer, Reply, encoded, pair};
use crate::record::Pairs;
use crate::transport::{Target, url};

const ORIGIN: &str = "http/origin-validated";
const ORIGIN_403: &str = "http/origin-403";
const BIND: &str = "http/localhost-bind";
const SINGLE: &str = "http/single-endpoint";
const GONE: &str = "http/get-delete-405";
const NO_SESSION: &str = "http/session-missing-400";
const ENDED: &str = "http/session-ended-404";
const BAD_VERSION: &str = "http/version-header-bad-400";
const NO_VERSION: &str = "http/version-header-default";
const BASE64: &str = "http/base64-decoded";
const MISMATCH: &str = "http/header-mismatch-reply";
const CASE: &str = "http/header-name-case";

pub(crate) fn run(step: &mut Step<'_, '_>) {
    let Some(revision) = step.revision() else {
        return;
    };
    origin(step);
    bind(step);
    if revision.has(Fact::HttpTwoEndpoints) {
        return;
    }
    methods(step);
    if revision.has(Fact::HttpSessions) {
        session(step);
    }
    if revision.has(Fact::HttpVersionHeader) && !revision.has(Fact::Stateless) {
        version(step);
    }
    if revision.has(Fact::HttpMirroredHeaders) {
        mirrored(step);
    }
}

/// A request that is served whatever the capabilities are.
fn simple(step: &mut Step<'_, '_>, change: impl FnOnce(&mut Pairs)) -> Answer {
    let method = if step.client.is_stateless() {
        "server/discover"
    } else {
        "ping"
    };
    step.client.request_with(method, json!({}), change)
}

fn set(headers: &mut Pairs, name: &str, value: &str) {
    headers.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
    headers.push(pair(name, value));
}

fn remove(headers: &mut Pairs, name: &str) {
    headers.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
}

/// The status that an answer came with.
fn status(step: &Step<'_, '_>, answer: &Answer) -> Option<u16> {
    let sent = step.client.records.get(*answer.evidence.first()?)?;
    step.client.status(sent.exchange())
}

fn origin(step: &mut Step<'_, '_>) {
    if !step.wants(&[ORIGIN, ORIGIN_403]) {
        return;
    }
    let answer = simple(step, |headers| {
        set(headers, "origin", "http://evil.example");
    });
    match status(step, &answer) {
        Some(403) => {
            step.pass(ORIGIN);
            step.pass(ORIGIN_403);
        }
        Some(status @ 400..) => {
            step.pass(ORIGIN);
            let message = format!("a bad `Origin` was answered with status {status}, expected 403");
            step.fail(ORIGIN_403, message, &answer.evidence);
        }
        Some(status) => {
            let message = format!(
                "a request with `Origin: http://evil.example` was answered with status {status}, expected a refusal"
            );
            step.fail(ORIGIN, message, &answer.evidence);
        }
        None => step.not_observed(ORIGIN, "no answer"),
    }
}

/// GET opens a stream or is not allowed; later neither GET nor DELETE is.
fn methods(step: &mut Step<'_, '_>) {
    if !step.wants(&[SINGLE, GONE]) {
        return;
    }
    let stateless = step.client.is_stateless();
    let mut headers = vec![pair("accept", "text/event-stream")];
    step.client.push_session(&mut headers);
    let (sent, exchange) = step.client.http("GET", headers.clone(), Vec::new());
    let Some(status) = step.client.status(exchange) else {
        // A server may hold the head back until it has something to say.
        step.client.closed = false;
        step.not_observed(SINGLE, "GET was not answered");
        return;
    };
    let evidence = [sent, sent + 1];
    if !stateless {
        match status {
            200 | 405 => step.pass(SINGLE),
            _ => {
                let message =
                    format!("GET was answered with status {status}, expected a stream or 405");
                step.fail(SINGLE, message, &evidence);
            }
        }
        return;
    }
    step.pass(SINGLE);
    if status != 405 {
        let message = format!("GET was answered with status {status}, expected 405");
        step.fail(GONE, message, &evidence);
        return;
    }
    let (sent, exchange) = step.client.http("DELETE", headers, Vec::new());
    match step.client.status(exchange) {
        Some(405) => step.pass(GONE),
        Some(status) => {
            let message = format!("DELETE was answered with status {status}, expected 405");
            step.fail(GONE, message, &[sent, sent + 1]);
        }
        None => step.not_observed(GONE, "DELETE was not answered"),
    }
}

/// A server on this machine is not reachable from others.
fn bind(step: &mut Step<'_, '_>) {
    if !step.wants(&[BIND]) {
        return;
    }
    let Target::Url { url, .. } = &step.client.options.target else {
        return;
    };
    if !url::is_local(url) {
        step.not_applicable(BIND, "the server is not on this machine");
        return;
    }
    let port = url::origin(url)
        .rsplit_once(':')
        .and_then(|(_, port)| port.parse().ok())
        .unwrap_or(80);
    let Some(address) = own_address() else {
        step.not_observed(BIND, "this machine has no other address");
        return;
    };
    let patience = Duration::from_millis(500);
    if TcpStream::connect_timeout(&SocketAddr::new(address, port), patience).is_ok() {
        let message =
            format!("port {port} is open on {address} too, expected the loopback interface only");
        step.fail(BIND, message, &[]);
    } else {
        step.pass(BIND);
    }
}

/// The address that this machine has towards others. Nothing is sent.
fn own_address() -> Option<IpAddr> {
    let socket = UdpSocket::bind("0.0.0.0:0").ok()?;
    socket.connect("192.0.2.1:9").ok()?;
    let address = socket.local_addr().ok()?.ip();
    (!address.is_loopback() && !address.is_unspecified()).then_some(address)
}

fn session(step: &mut Step<'_, '_>) {
    if step.client.session.is_none() {
        for id in [NO_SESSION, ENDED] {
            step.not_applicable(id, "the server has no session ids");
        }
        return;
    }
    if step.wants(&[NO_SESSION]) {
        let answer = simple(step, |headers| remove(headers, "mcp-session-id"));
        expect_status(
            step,
            NO_SESSION,
            &answer,
            400,
            "a request without session id",
        );
    }
}

/// Ends the session, and asks once more.
pub(crate) fn end(step: &mut Step<'_, '_>) {
    if step.client.session.is_none() || !step.wants(&[ENDED]) {
        return;
    }
    let mut headers = Vec::new();
    step.client.push_session(&mut headers);
    let (sent, exchange) = step.client.http("DELETE", headers, Vec::new());
    match step.client.status(exchange) {
        Some(200..=299) => {
            let mut answer = simple(step, |_| ());
            answer.evidence.insert(0, sent);
            answer.evidence.insert(1, sent + 1);
            let found = answer
                .evidence
                .get(2)
                .and_then(|at| step.client.records[*at].exchange());
            let found = step.client.status(found);
            judge_status(
                step,
                ENDED,
                &answer,
                found,
                404,
                "a request in a session that was ended",
            );
        }
        _ => step.not_observed(ENDED, "the server does not let clients end a session"),
    }
}

fn version(step: &mut Step<'_, '_>) {
    const NAME: &str = "mcp-protocol-version";
    if step.wants(&[BAD_VERSION]) {
        let answer = simple(step, |headers| set(headers, NAME, "1999-01-01"));
        let what = "a request with `MCP-Protocol-Version: 1999-01-01`";
        expect_status(step, BAD_VERSION, &answer, 400, what);
    }
    if step.wants(&[NO_VERSION]) {
        let answer = simple(step, |headers| remove(headers, NAME));
        if let Some(status @ 400..) = status(step, &answer) {
            let message = format!(
                "a request without `MCP-Protocol-Version` was answered with status {status}, expected to be served"
            );
            step.fail(NO_VERSION, message, &answer.evidence);
        } else {
            step.pass(NO_VERSION);
        }
    }
}

fn mirrored(step: &mut Step<'_, '_>) {
    let answer = simple(step, |_| ());
    match answer.reply {
        Reply::Error(-32020, _) => step.fail(
            CASE,
            "headers whose names are in lower case were refused",
            &answer.evidence,
        ),
        _ => step.pass(CASE),
    }
    if step.wants(&[MISMATCH]) {
        for (value, what) in [
            (
                Some("prompts/get"),
                "a request whose `Mcp-Method` is of another method",
            ),
            (None, "a request without `Mcp-Method`"),
        ] {
            let answer = simple(step, |headers| match value {
                Some(value) => set(headers, "mcp-method", value),
                None => remove(headers, "mcp-method"),
            });
            let found = status(step, &answer);
            if found != Some(400) && answer.code() == Some(-32020) {
                // The status has a rule of its own, which reads every answer.
                step.pass(MISMATCH);
            } else if !step.expect_code(MISMATCH, &answer, &[-32020], what) {
                break;
            }
        }
    }
    if step.wants(&[BASE64]) && step.client.declares("/tools") {
        const NAME: &str = "mcp-assay-no-such-tool";
        let params = json!({"name": NAME, "arguments": Value::Object(serde_json::Map::new())});
        let answer = step.client.request_with("tools/call", params, |headers| {
            set(headers, "mcp-name", &encoded(NAME));
        });
        if answer.code() == Some(-32020) {
            let message = "an `Mcp-Name` in the base64 form that equals the body was refused";
            step.fail(BASE64, message, &answer.evidence);
        } else {
            step.pass(BASE64);
        }
    }
}

fn expect_status(
    step: &mut Step<'_, '_>,
    id: &'static str,
    answer: &Answer,
    expected: u16,
    what: &str,
) {
    let found = status(step, answer);
    judge_status(step, id, answer, found, expected, what);
}

fn judge_status(
    step: &mut Step<'_, '_>,
    id: &'static str,
    answer: &Answer,
    found: Option<u16>,
    expected: u16,
    what: &str,
) {
    match found {
        Some(found) if found == expected => step.pass(id),
        Some(found) => {
            let message = format!("{what} was answered with status {found}, expected {expected}");
            step.fail(id, message, &answer.evidence);
        }
        None => step.not_observed(id, "no answer"),
    }
}
