//! From a capture to records.

use mcp_assay::{Direction, Party};
use serde_json::Value;

use super::{Carried, Head, Record, Traffic};

impl Traffic {
    /// Reads a capture of one session.
    ///
    /// # Panics
    ///
    /// If it is no capture: it is part of a test.
    #[must_use]
    pub fn read_capture(name: &str, text: &str) -> Self {
        let lines = text.lines().map(|line| {
            let value = serde_json::from_str(line);
            record(&value.unwrap_or_else(|error| panic!("{name}: {error}: {line}")))
        });
        Self {
            name: name.to_owned(),
            revision: None,
            records: lines.collect(),
        }
    }
}

fn record(value: &Value) -> Record {
    let direction = match value["dir"].as_str() {
        Some("c2s") => Direction::ClientToServer,
        _ => Direction::ServerToClient,
    };
    let http = &value["http"];
    let event = &value["sse"];
    let owned = |value: &Value| value.as_str().map(str::to_owned);
    let head = if let Some(method) = http["method"].as_str() {
        Some(Head::Request {
            method: method.to_owned(),
            path: owned(&http["path"]).unwrap_or_default(),
        })
    } else if let Some(status) = http["status"].as_u64() {
        Some(Head::Response {
            status: u16::try_from(status).expect("a status has three digits"),
            streamed: value["stream"] == true,
        })
    } else if event.is_object() {
        Some(Head::Event {
            name: owned(&event["event"]),
            id: owned(&event["id"]),
            retry: event["retry"].as_u64(),
        })
    } else {
        let by = value["by"].as_str().and_then(Party::named);
        (value["end"] == true).then_some(Head::End { by })
    };
    let text = [&value["raw"], &value["body"], &event["data"]]
        .into_iter()
        .find_map(Value::as_str);
    let pairs = http["headers"].as_array().into_iter().flatten();
    let carrier = match head {
        Some(head) => Carried::Http {
            exchange: value["n"].as_i64(),
            head,
            headers: pairs
                .filter_map(|pair| Some((owned(&pair[0])?, owned(&pair[1])?)))
                .collect(),
        },
        None => Carried::Line {
            stdio: true,
            unterminated: value["unterminated"] == true,
        },
    };
    Record {
        direction,
        time: value["t"].as_f64().unwrap_or_default(),
        carrier,
        bytes: text.unwrap_or_default().as_bytes().to_vec(),
    }
}
