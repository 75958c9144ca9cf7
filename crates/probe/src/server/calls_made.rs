//! The calls of tools that a connection has made so far, read from its records: which took long,
//! and which made the server announce a change.

use std::collections::BTreeMap;
use std::time::Duration;

use mcp_assay::Party;
use serde_json::{Value, json};

use crate::raw_client::Client;

/// A call of a tool.
pub(super) struct CallMade {
    /// Its params, without `_meta`.
    pub(super) params: Value,
    /// How long the answer took; `None` if none came.
    pub(super) took: Option<Duration>,
    /// Whether the answer is a result without `isError` that needs no input.
    pub(super) succeeded: bool,
    /// Whether the server announced a change before the next call.
    pub(super) announced: bool,
}

/// Every call of a tool, in order.
pub(super) fn calls_made(client: &Client<'_>) -> Vec<CallMade> {
    let mut calls: Vec<CallMade> = Vec::new();
    let mut open: BTreeMap<i64, (usize, Duration)> = BTreeMap::new();
    for record in &client.records {
        let Some(message) = record.message() else {
            continue;
        };
        let is_ours = record.direction().sender() == Party::Client;
        let method = message["method"].as_str();
        if is_ours && method == Some("tools/call") {
            if let Some(id) = message["id"].as_i64() {
                open.insert(id, (calls.len(), record.time));
            }
            let mut params = message["params"].clone();
            if let Some(params) = params.as_object_mut() {
                params.remove("_meta");
            }
            calls.push(CallMade {
                params,
                took: None,
                succeeded: false,
                announced: false,
            });
        } else if !is_ours && method.is_some_and(is_change) {
            if let Some(call) = calls.last_mut() {
                call.announced = true;
            }
        } else if !is_ours
            && method.is_none()
            && let Some(id) = message["id"].as_i64()
            && let Some((number, sent)) = open.remove(&id)
        {
            let result = &message["result"];
            let is_input = result["resultType"] == "input_required";
            calls[number].took = record.time.checked_sub(sent);
            calls[number].succeeded =
                result.is_object() && result["isError"] != json!(true) && !is_input;
        }
    }
    calls
}

/// The params of calls that made the server announce a change, one for each tool.
pub(super) fn announcing_calls(client: &Client<'_>, most: usize) -> Vec<Value> {
    let mut found: Vec<Value> = Vec::new();
    for call in calls_made(client) {
        let is_known = found
            .iter()
            .any(|known| known["name"] == call.params["name"]);
        if call.announced && !is_known && found.len() < most {
            found.push(call.params);
        }
    }
    found
}

/// Whether a notification announces a change of a list or a resource.
pub(super) fn is_change(method: &str) -> bool {
    method == "notifications/resources/updated" || method.ends_with("/list_changed")
}
