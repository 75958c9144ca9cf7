//! Streams that break: a replay has only their own messages, and breaking is not cancelling. Both
//! requirements are shown by a stream that is taken up again.

use std::time::Duration;

use mcp_assay::model::Fact;
use serde_json::{Value, json};

use super::Probe;
use super::Step;
use crate::record::{Content, Record};
use crate::requirement::{ERROR, FROM_2025_03_TO_2025_11, Requirement, WARNING};

static OWN: Requirement = Requirement::of_server(
    "http/sse-replay-own-stream",
    ERROR,
    FROM_2025_03_TO_2025_11,
    "Replay contains only messages of the stream that broke.",
)
.page(
    "basic/transports#resumability-and-redelivery",
    "A client gets messages that belong to another request.",
    "replay only messages of the stream whose event id was sent",
);

static GOES_ON: Requirement = Requirement::of_server(
    "cancel/http-disconnect-not-cancel",
    WARNING,
    FROM_2025_03_TO_2025_11,
    "In the older Streamable HTTP revisions a dropped connection is not a cancellation.",
)
.page(
    "basic/transports#sending-messages-to-the-server",
    "A short break of the network loses work that the client could have fetched later.",
    "finish the request, and keep its answer for the stream to be resumed",
);

pub(super) static PROBE: Probe = Probe::between(&[&OWN, &GOES_ON]);

/// The shortest call that is still running when its connection breaks.
const LONG: Duration = Duration::from_millis(200);

/// How long a stream is read that may go on for ever.
const SOME: Duration = Duration::from_millis(500);

/// `slowest` is how long the slowest tool took, and how it was called.
pub(super) fn run(step: &mut Step<'_, '_>, slowest: Option<(Duration, Value)>) {
    let resumable = step
        .revision()
        .is_some_and(|revision| revision.has(Fact::HttpSessions));
    if !resumable || step.is_over() || !step.wants(&[&OWN, &GOES_ON]) {
        return;
    }
    replayed(step);
    match slowest {
        Some((duration, params)) if duration >= LONG && !step.is_over() => {
            broken(step, params);
        }
        _ => step.not_observed(&GOES_ON, "no tool that was called takes long enough"),
    }
}

fn is_event(record: &Record, exchange: Option<i64>) -> bool {
    matches!(record.content, Content::Event { .. }) && record.exchange() == exchange
}

/// Two streams, one of which is taken up again.
fn replayed(step: &mut Step<'_, '_>) {
    let first = step.client.request("ping", json!({}));
    let other = step.client.request("ping", json!({}));
    let exchange = first
        .evidence
        .first()
        .and_then(|at| step.client.records[*at].exchange());
    let foreign = step.client.last_id();
    let Some(event) = step.client.event_of(exchange) else {
        step.not_applicable(&OWN, "streams have no event ids");
        return;
    };
    let (sent, exchange) = step.client.resume(&event);
    if step.client.status(exchange) != Some(200) {
        step.client.closed = false;
        step.not_applicable(&OWN, "streams are not taken up again");
        return;
    }
    step.client.wait(SOME, |client| {
        client.status_of(exchange).is_some_and(|(_, ended)| ended)
    });
    let stray = step.client.since(sent).find_map(|(at, record)| {
        let message = record.message()?;
        let is_foreign = record.exchange() == exchange && message["id"] == json!(foreign);
        (is_foreign && message.get("method").is_none()).then_some(at)
    });
    match stray {
        Some(at) => {
            let message = "a stream that was taken up again has the answer to a request of another";
            let evidence = [first.evidence, other.evidence, vec![sent, at]].concat();
            step.fail(&OWN, message, &evidence);
        }
        None => step.pass(&OWN),
    }
}

/// A call whose connection breaks while the tool is at it.
fn broken(step: &mut Step<'_, '_>, params: Value) {
    let patience = step.client.options.step_timeout;
    let (id, sent, exchange) = step.client.break_off("tools/call", params);
    // The connection breaks with the first event, whatever it is.
    step.client.wait(patience, |client| {
        let is_over = client.status_of(exchange).is_some_and(|(_, over)| over);
        is_over
            || client
                .since(sent)
                .any(|(_, record)| is_event(record, exchange))
    });
    let answered = |client: &crate::raw_client::Client<'_>| {
        client.since(sent).any(|(_, record)| {
            record
                .message()
                .is_some_and(|message| message["id"] == json!(id))
        })
    };
    let Some(event) = step.client.event_of(exchange) else {
        step.client.closed = false;
        step.not_observed(&GOES_ON, "streams have no event before the answer");
        return;
    };
    if answered(step.client) {
        step.not_observed(&GOES_ON, "streams have no event before the answer");
        return;
    }
    let (again, exchange) = step.client.resume(&event);
    if step.client.status(exchange) != Some(200) {
        step.client.closed = false;
        step.not_observed(&GOES_ON, "streams are not taken up again");
        return;
    }
    let is_answer = |message: &Value| message["id"] == json!(id);
    let mut found = step.client.wait_for(patience, again, is_answer);
    if found.is_none() {
        // The answer may be kept, and not find its way to a stream that is already open.
        let (once_more, _) = step.client.resume(&event);
        found = step.client.wait_for(SOME, once_more, is_answer);
    }
    let message = found.and_then(|at| step.client.records[at].message());
    let failed = message.as_ref().is_none_or(|message| {
        message.get("result").is_none() || message["result"]["isError"] == json!(true)
    });
    if !failed {
        step.pass(&GOES_ON);
        return;
    }
    let how = match message {
        Some(_) => "ended with an error",
        None => "was never answered",
    };
    let mut evidence = vec![sent, again];
    evidence.extend(found);
    let message = format!("a call whose connection broke {how}, expected it to go on");
    step.fail(&GOES_ON, message, &evidence);
}
