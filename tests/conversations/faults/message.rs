//! A record in words.

use mcp_assay::Direction;
use mcp_assay_testkit::traffic::{Head, Record};
use serde_json::Value;

/// The messages of a batch, or the one message.
pub(crate) fn items(value: &Value) -> &[Value] {
    match value {
        Value::Array(items) => items,
        one => core::slice::from_ref(one),
    }
}

/// Whether a message is a request or a notification.
pub(crate) fn is_call(message: &Value) -> bool {
    message.get("method").is_some()
}

/// `client tools/call`, `server result of tools/call`, `server 202`; parts of HTTP exchanges begin
/// with `http`.
pub(crate) fn label(records: &[Record], at: usize, item: Option<usize>) -> String {
    let record = &records[at];
    let side = match record.direction {
        Direction::ClientToServer => "client",
        Direction::ServerToClient => "server",
    };
    let carrier = if record.is_line() { "" } else { "http " };
    let value = record.value();
    let message = match (&value, item) {
        (Some(value), Some(item)) => value.get(item),
        (value, _) => value.as_ref(),
    };
    let what = match (message, record.head()) {
        (Some(Value::Array(_)), _) => "batch".to_owned(),
        (Some(message), _) if message.is_object() => match message["method"].as_str() {
            Some(method) => method.to_owned(),
            None => {
                let kind = ["result", "error"]
                    .into_iter()
                    .find(|kind| message.get(kind).is_some());
                let asked = asked(records, at, &message["id"]).unwrap_or_default();
                format!("{} of {asked}", kind.unwrap_or("?"))
            }
        },
        (_, Some(Head::Request { method, .. })) => method.clone(),
        (_, Some(Head::Response { status, streamed })) => {
            format!("{status}{}", if *streamed { " stream" } else { "" })
        }
        (_, Some(Head::Event { name, .. })) => {
            format!("event {}", name.as_deref().unwrap_or_default())
        }
        (_, Some(Head::End { .. })) => "end".to_owned(),
        _ => "?".to_owned(),
    };
    format!("{carrier}{side} {what}")
}

/// The method of the last request with this id that was sent the other way.
fn asked(records: &[Record], at: usize, id: &Value) -> Option<String> {
    let before = records[..at].iter().rev();
    let others = before.filter(|record| record.direction != records[at].direction);
    others
        .filter_map(Record::value)
        .flat_map(|value| items(&value).to_vec())
        .find(|message| is_call(message) && message["id"] == *id)?["method"]
        .as_str()
        .map(str::to_owned)
}
