//! Unknown methods, bad params, broken envelopes, text that is not JSON, and messages that are too large or too deep.

use mcp_assay::model::Fact;
use serde_json::{Value, json};

use super::{Listed, Step};
use crate::client::Client;

const UNKNOWN: &str = "jsonrpc/unknown-method-reply";
const PARAMS: &str = "jsonrpc/invalid-params-reply";
const PARSE: &str = "jsonrpc/parse-error-reply";
const ENVELOPE: &str = "jsonrpc/invalid-request-reply";
const BATCH: &str = "jsonrpc/batch-accepted";

/// Requests that are whole but cannot be served.
pub(crate) fn refusals(step: &mut Step<'_, '_>, _: &Listed) {
    if step.wants(&[UNKNOWN]) {
        let answer = step.ask("mcp-assay/no-such-method", json!({}));
        step.expect_code(UNKNOWN, &answer, &[-32601], "a method that does not exist");
    }
    if !step.wants(&[PARAMS]) {
        return;
    }
    let mut asked = false;
    for (capability, method) in [
        ("/tools", "tools/call"),
        ("/resources", "resources/read"),
        ("/prompts", "prompts/get"),
        ("/completions", "completion/complete"),
    ] {
        if step.is_over() || !step.client.declares(capability) {
            continue;
        }
        asked = true;
        let answer = step.ask(method, json!({}));
        // Over HTTP the header that mirrors the missing member is missing too, and may be what is refused.
        let codes: &[i64] = if step.client.is_http() && step.client.is_stateless() {
            &[-32602, -32020]
        } else {
            &[-32602]
        };
        let what = format!("`{method}` without what it requires");
        step.expect_code(PARAMS, &answer, codes, &what);
    }
    if !asked {
        step.not_applicable(PARAMS, "no method with required params is declared");
    }
}

/// What no client should send.
pub(crate) fn run(step: &mut Step<'_, '_>) {
    batch(step);
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
        if step.is_over() || !step.wants(&[ENVELOPE]) {
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
        if !refused(step, ENVELOPE, text.into_bytes(), -32600, what) {
            break;
        }
    }
    for (sent, what) in [
        ("{oops", "text that is not JSON"),
        (r#"{"jsonrpc":"2.0","id":1,"#, "a message that breaks off"),
    ] {
        if step.is_over() || !step.wants(&[PARSE]) {
            break;
        }
        if !refused(step, PARSE, sent.as_bytes().to_vec(), -32700, what) {
            break;
        }
    }
    large(step);
}

/// Sends bytes, and expects an error with this code in answer; the server has to go on.
fn refused(
    step: &mut Step<'_, '_>,
    id: &'static str,
    bytes: Vec<u8>,
    code: i64,
    what: &str,
) -> bool {
    let before = step.client.records.len();
    let (sent, exchange) = step.client.send(bytes);
    let alive = step.survives(what, sent);
    if alive {
        step.client
            .wait_for_straggler(exchange, |client| error_since(client, before).is_some());
    }
    let found = error_since(step.client, before);
    if found.is_none_or(|(_, found)| found != code) && step.client.is_garbled_since(before) {
        step.not_observed(id, "the answer is malformed");
        return alive;
    }
    match found {
        Some((_, found)) if found == code => step.pass(id),
        Some((at, found)) => {
            let message = format!("{what} was answered with error {found}, expected {code}");
            step.fail(id, message, &[sent, at]);
            return false;
        }
        // Dying has a rule of its own.
        None if !alive => return false,
        None => {
            let answered = step.client.since(before).next().map(|(at, _)| at);
            let status = step.client.records[before].exchange();
            let (how, evidence) = match step.client.status(status) {
                Some(status) => (
                    format!("status {status} and no error"),
                    vec![sent, sent + 1],
                ),
                None if answered_with_result(step, before, sent) => {
                    ("a result".to_owned(), vec![sent, answered.unwrap_or(sent)])
                }
                None => ("no answer".to_owned(), vec![sent]),
            };
            let message = format!("{what} was answered with {how}, expected error {code}");
            step.fail(id, message, &evidence);
            return false;
        }
    }
    alive
}

/// The first error that came after a record, and its code.
fn error_since(client: &Client<'_>, before: usize) -> Option<(usize, i64)> {
    client.since(before).find_map(|(at, record)| {
        let message = record.message()?;
        Some((at, message["error"]["code"].as_i64()?))
    })
}

/// Whether the id of what was sent got a result.
fn answered_with_result(step: &Step<'_, '_>, before: usize, sent: usize) -> bool {
    let Some(id) = step.client.records[sent]
        .message()
        .and_then(|message| message.get("id").cloned())
    else {
        return false;
    };
    step.client
        .since(before)
        .filter_map(|(_, record)| record.message())
        .any(|message| message["id"] == id && message.get("result").is_some())
}

/// One revision knows batches, and everyone has to accept them there.
fn batch(step: &mut Step<'_, '_>) {
    let batches = step
        .revision()
        .is_some_and(|revision| revision.has(Fact::Batches));
    if !batches || step.is_over() || !step.wants(&[BATCH]) {
        return;
    }
    let (one, other) = (step.client.next_id(), step.client.next_id());
    let text = json!([
        {"jsonrpc": "2.0", "id": one, "method": "ping"},
        {"jsonrpc": "2.0", "id": other, "method": "ping"},
    ]);
    let (sent, exchange) = step.client.send(text.to_string().into_bytes());
    // Something that is answered for certain shows when to stop waiting.
    let alive = step.survives("a batch", sent);
    let answered = |client: &Client<'_>| -> usize {
        [one, other]
            .into_iter()
            .filter(|id| {
                client
                    .since(sent)
                    .any(|(_, record)| holds(record.message().as_ref(), &json!(id)))
            })
            .count()
    };
    if alive {
        step.client
            .wait_for_straggler(exchange, |client| answered(client) == 2);
    }
    let answers = answered(step.client);
    if answers == 2 {
        step.pass(BATCH);
        return;
    }
    let how = match step.client.status(exchange) {
        Some(status) => format!("status {status}"),
        None => format!("{answers} answers"),
    };
    let refusal = step
        .client
        .since(sent)
        .find(|(_, record)| {
            record
                .message()
                .is_some_and(|message| message.get("error").is_some())
        })
        .map(|(at, _)| at);
    let mut evidence = vec![sent];
    evidence.extend(refusal);
    let message = format!("a batch of two pings was answered with {how}, expected two results");
    step.fail(BATCH, message, &evidence);
}

/// Whether a message is, or a batch has, a result for this id.
fn holds(message: Option<&Value>, id: &Value) -> bool {
    let is = |message: &Value| message["id"] == *id && message.get("result").is_some();
    match message {
        Some(Value::Array(messages)) => messages.iter().any(is),
        Some(message) => is(message),
        None => false,
    }
}

/// Large and deep messages may be refused in any way, but not by dying.
fn large(step: &mut Step<'_, '_>) {
    let deep = format!("{}1{}", "[".repeat(10_000), "]".repeat(10_000));
    let long = "x".repeat(1 << 20);
    for (params, what) in [
        (
            format!(r#"{{"deep":{deep}}}"#),
            "a message that is nested ten thousand levels deep",
        ),
        (format!(r#"{{"long":"{long}"}}"#), "a message of a mebibyte"),
    ] {
        if step.is_over() || !step.wants(&["probe/survives"]) {
            return;
        }
        let id = step.client.next_id();
        let text = format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"mcp-assay/large","params":{params}}}"#
        );
        let (sent, _) = step.client.send(text.into_bytes());
        step.survives(what, sent);
    }
}
