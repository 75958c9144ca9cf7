//! A batch of two requests, in the revision that has batches.

use mcp_assay::model::Fact;
use serde_json::{Value, json};

use super::malformed::error_since;
use super::{Listed, Probe, Step};
use crate::raw_client::Client;
use crate::requirement::{ONLY_2025_03, Requirement, WARNING};

pub(crate) static BATCH: Requirement = Requirement::of_both(
    "jsonrpc/batch-accepted",
    WARNING,
    ONLY_2025_03,
    "In 2025-03-26 every implementation has to accept incoming batches even if it never sends \
     one.",
)
.page(
    "basic/index#batching",
    "A client of this revision may send batches and waits for their answers. The revision \
         says MUST, and it is a warning all the same: batches were removed in the next \
         revision, hardly any client sends them, and no widespread SDK accepts them.",
    "answer each request of the batch, or do not agree to 2025-03-26",
);

pub(super) static PROBE: Probe = Probe::walk(&[&BATCH], run);

fn run(step: &mut Step<'_, '_>, _: &Listed) {
    let batches = step
        .revision()
        .is_some_and(|revision| revision.has(Fact::Batches));
    if !batches || step.is_over() || !step.wants(&[&BATCH]) {
        return;
    }
    let (one, other) = (step.client.next_id(), step.client.next_id());
    let text = json!([
        {"jsonrpc": "2.0", "id": one, "method": "ping"},
        {"jsonrpc": "2.0", "id": other, "method": "ping"},
    ]);
    step.client.settle();
    let (sent, exchange) = step.client.send(text.to_string().into_bytes());
    // The protocol has given batches up: the reaction of a server that knows none is no error.
    step.client.malformed.get_or_insert(sent);
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
    let is_answered =
        |client: &Client<'_>| answered(client) == 2 || error_since(client, sent).is_some();
    step.client.wait_for_reaction(exchange, is_answered);
    // Something that is answered for certain shows when to stop waiting.
    if step.survives("a batch", sent) {
        step.client
            .wait_for_straggler(|client| answered(client) == 2);
        if exchange.is_some() {
            // A stream that is still open may go on.
            step.client.wait_for_reaction(exchange, is_answered);
        }
    }
    let answers = answered(step.client);
    if answers == 2 {
        step.pass(&BATCH);
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
    step.fail(&BATCH, message, &evidence);
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
