//! A batch, in the revision that has batches.

use serde_json::json;

use super::scenario::{Check, Over, Scenario};
use super::verdict::Verdict;
use crate::requirement::ONLY_2025_03;
use crate::serve::Twist;
use crate::serve::asks::{Ask, Asks, Circumstances};
use crate::server::jsonrpc_batch_accepted::BATCH;

pub(super) static SCENARIO: Scenario = Scenario {
    name: "a batch",
    twist: Twist::Asks(ask),
    over: Over::Both,
    revisions: ONLY_2025_03,
    shows: &[&BATCH],
    check: Check::One(check),
    excuses: &[],
};

/// A ping and a word for the log in one message.
fn ask(asks: &mut Asks<'_>, _: &Circumstances<'_>) {
    let id = asks.next_id();
    let batch = json!([
        {"jsonrpc": "2.0", "id": id, "method": "ping"},
        {"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "in a batch"}},
    ]);
    asks.push(Ask {
        name: "batch",
        bytes: batch.to_string().into_bytes(),
        id: Some(id),
        owed: false,
    });
}

fn check(verdict: &mut Verdict<'_>) {
    verdict.answered("batch", &BATCH, "the `ping` in a batch");
}
