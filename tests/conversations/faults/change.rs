//! The changes, each of one place: a message that is lost, a member that is gone, a header that is
//! wrong.

use mcp_assay::Direction;
use mcp_assay_testkit::traffic::{Carried, Head, Record};
use serde_json::{Value, json};

use super::message::{is_call, items, label};

/// Traffic with one change.
pub(crate) struct Changed {
    /// The change: `params-gone:name`.
    pub(crate) kind: String,
    /// The kind of record: `client tools/call`.
    pub(crate) label: String,
    /// The record that was changed.
    pub(crate) at: usize,
    /// The message as it was, if the change is one of a message.
    pub(crate) message: Option<Value>,
    /// All records.
    pub(crate) records: Vec<Record>,
}

/// Headers that are no business of the protocol.
const OTHER_HEADERS: &[&str] = &[
    "host",
    "user-agent",
    "connection",
    "content-length",
    "accept-language",
    "accept-encoding",
    "sec-fetch-mode",
];

/// The members that name something, and may name something else.
const NAMES: &[&str] = &[
    "progressToken",
    "requestId",
    "taskId",
    "cursor",
    "uri",
    "name",
];

/// Shows every change of every place.
pub(crate) fn changes(records: &[Record], show: &mut dyn FnMut(Changed)) {
    let mut all = Changes { records, show };
    for at in 0..records.len() {
        all.record(at);
        all.head(at);
        all.messages(at);
    }
}

struct Changes<'r> {
    records: &'r [Record],
    show: &'r mut dyn FnMut(Changed),
}

impl Changes<'_> {
    fn add(&mut self, kind: impl Into<String>, at: usize, replacement: Vec<Record>) {
        let mut records = self.records.to_vec();
        records.splice(at..=at, replacement);
        (self.show)(Changed {
            kind: kind.into(),
            label: label(self.records, at, None),
            at,
            message: None,
            records,
        });
    }

    /// Records that are lost, doubled, torn or in another order.
    fn record(&mut self, at: usize) {
        let record = &self.records[at];
        self.add("drop", at, Vec::new());
        if record.is_line() || matches!(record.head(), Some(Head::Event { .. })) {
            self.add("twice", at, vec![record.clone(); 2]);
        }
        if matches!(record.head(), Some(Head::Request { .. })) {
            self.repeat_exchange(at);
        }
        if record.value().is_some() && record.bytes.len() > 3 {
            for (kind, end) in [
                ("torn", record.bytes.len() - 3),
                ("torn-in-the-middle", record.bytes.len() / 2),
            ] {
                let torn = Record {
                    bytes: record.bytes[..end].to_vec(),
                    ..record.clone()
                };
                self.torn(kind, at, torn);
            }
        }
        if record.is_line() && record.direction == Direction::ServerToClient {
            let banner = Record {
                bytes: b"Server listening on stdio...".to_vec(),
                ..record.clone()
            };
            self.add("banner", at, vec![banner, record.clone()]);
        }
        if let Some(next) = self.records.get(at + 1)
            && record.is_line()
            && record.direction == next.direction
            && !next.bytes.is_empty()
        {
            let mut records = self.records.to_vec();
            records[at].bytes.extend_from_slice(&next.bytes);
            records.remove(at + 1);
            (self.show)(Changed {
                kind: "glued".to_owned(),
                label: label(self.records, at, None),
                at,
                message: None,
                records,
            });
        }
        if let Some(next) = self.records.get(at + 1)
            && belongs(record, next)
        {
            let (first, second) = (record.time, next.time);
            let mut records = self.records.to_vec();
            records.swap(at, at + 1);
            records[at].time = first;
            records[at + 1].time = second;
            (self.show)(Changed {
                kind: "order".to_owned(),
                label: format!(
                    "{} <> {}",
                    label(self.records, at, None),
                    label(self.records, at + 1, None)
                ),
                at,
                message: None,
                records,
            });
        }
    }

    /// A message that is cut off. Who cannot read a notification that was posted refuses it.
    fn torn(&mut self, kind: &str, at: usize, torn: Record) {
        let exchange = torn.exchange();
        let mut records = self.records.to_vec();
        records[at] = torn;
        for record in &mut records[at + 1..] {
            if record.exchange() == exchange
                && let Carried::Http {
                    head: Head::Response { status, .. },
                    ..
                } = &mut record.carrier
                && *status == 202
            {
                *status = 400;
            }
        }
        (self.show)(Changed {
            kind: kind.to_owned(),
            label: label(self.records, at, None),
            at,
            message: None,
            records,
        });
    }

    /// The whole exchange once more, under a number of its own.
    fn repeat_exchange(&mut self, at: usize) {
        let exchange = self.records[at].exchange();
        if !is_plain(self.records, at) {
            return;
        }
        let of_exchange = |record: &&Record| record.exchange() == exchange;
        let mut again: Vec<Record> = self.records.iter().filter(of_exchange).cloned().collect();
        let last = self
            .records
            .iter()
            .rposition(|record| record.exchange() == exchange)
            .unwrap_or(at);
        for record in &mut again {
            record.time = self.records[last].time;
            if let Carried::Http { exchange, head, .. } = &mut record.carrier {
                *exchange = Some(9999);
                if let Head::Event { id: Some(id), .. } = head {
                    id.push_str("-again");
                }
            }
        }
        let mut records = self.records.to_vec();
        let rest = records.split_off(last + 1);
        records.extend(again.into_iter().chain(rest));
        (self.show)(Changed {
            kind: "exchange-twice".to_owned(),
            label: label(self.records, at, None),
            at,
            message: None,
            records,
        });
    }

    /// Headers and status.
    fn head(&mut self, at: usize) {
        let record = &self.records[at];
        let Carried::Http { head, headers, .. } = &record.carrier else {
            return;
        };
        let is_request = matches!(head, Head::Request { .. });
        for (position, (name, _)) in headers.iter().enumerate() {
            let name = name.to_ascii_lowercase();
            let concerns = if is_request {
                !OTHER_HEADERS.contains(&name.as_str())
            } else {
                ["content-type", "mcp-session-id"].contains(&name.as_str())
            };
            if !concerns {
                continue;
            }
            let mut gone = record.clone();
            headers_of(&mut gone).remove(position);
            let side = if is_request { "" } else { "response-" };
            self.add(format!("{side}header-gone:{name}"), at, vec![gone]);
            if is_request && name == "mcp-protocol-version" {
                let mut other = record.clone();
                let value = &mut headers_of(&mut other)[position].1;
                *value = match value.as_str() {
                    "2025-06-18" => "2025-11-25".to_owned(),
                    _ => "2025-06-18".to_owned(),
                };
                self.add("header-other:mcp-protocol-version", at, vec![other]);
            }
            if is_request {
                let mut wrong = record.clone();
                "wrong".clone_into(&mut headers_of(&mut wrong)[position].1);
                self.add(format!("header-wrong:{name}"), at, vec![wrong]);
            }
        }
        if let Head::Response { status, .. } = *head {
            for other in [200, 202, 404, 500] {
                if other == status {
                    continue;
                }
                let mut changed = record.clone();
                if let Carried::Http {
                    head: Head::Response { status, .. },
                    ..
                } = &mut changed.carrier
                {
                    *status = other;
                }
                self.add(format!("status:{status}->{other}"), at, vec![changed]);
            }
        }
    }

    /// Everything within a message, or within each message of a batch.
    fn messages(&mut self, at: usize) {
        let record = &self.records[at];
        let Some(value) = record.value() else {
            return;
        };
        if let Value::Array(batch) = &value {
            self.batch(at, batch);
        }
        for (position, message) in items(&value).iter().enumerate() {
            if message.is_object() {
                self.message(at, value.is_array().then_some(position), message);
            }
        }
        let is_notification = value["method"].is_string() && value["id"].is_null();
        if is_notification && record.is_line() {
            let answer = Record {
                direction: record.direction.reverse(),
                ..record.with(&json!({"jsonrpc": "2.0", "id": 777, "result": {}}))
            };
            self.add("answer-to-notification", at, vec![record.clone(), answer]);
        }
    }

    fn batch(&mut self, at: usize, batch: &[Value]) {
        let record = &self.records[at];
        let empty = vec![record.with(&json!([]))];
        let with_number: Vec<Value> = batch.iter().cloned().chain([json!(1)]).collect();
        let with_number = vec![record.with(&Value::Array(with_number))];
        let other = if batch.first().is_some_and(is_call) {
            json!({"jsonrpc": "2.0", "id": 777, "result": {}})
        } else {
            json!({"jsonrpc": "2.0", "id": 777, "method": "ping"})
        };
        let mixed: Vec<Value> = batch.iter().cloned().chain([other]).collect();
        let mixed = vec![record.with(&Value::Array(mixed))];
        self.add("batch-empty", at, empty);
        self.add("batch-with-number", at, with_number);
        self.add("batch-mixed", at, mixed);
    }

    /// One change of one message.
    fn one(
        &mut self,
        kind: impl Into<String>,
        at: usize,
        item: Option<usize>,
        change: impl FnOnce(&mut Value),
    ) {
        let record = &self.records[at];
        let mut value = record.value().expect("it was read before");
        let message = match item {
            Some(item) => &mut value[item],
            None => &mut value,
        };
        let before = message.clone();
        change(message);
        let mut records = self.records.to_vec();
        records[at] = record.with(&value);
        (self.show)(Changed {
            kind: kind.into(),
            label: label(self.records, at, item),
            at,
            message: Some(before),
            records,
        });
    }

    fn message(&mut self, at: usize, item: Option<usize>, message: &Value) {
        self.one("version-gone", at, item, |message| {
            remove(message, "jsonrpc");
        });
        self.one("version-wrong", at, item, |message| {
            message["jsonrpc"] = json!("1.0");
        });
        if let Some(id) = message.get("id") {
            let (other_type, other) = match id {
                Value::Number(number) => (json!(number.to_string()), json!(98765)),
                _ => (json!(4711), json!("nobody")),
            };
            self.one("id-type", at, item, |message| message["id"] = other_type);
            self.one("id-value", at, item, |message| message["id"] = other);
            self.one("id-null", at, item, |message| message["id"] = Value::Null);
            self.one("id-gone", at, item, |message| remove(message, "id"));
        } else if is_call(message) {
            self.one("id-added", at, item, |message| message["id"] = json!(777));
        }
        if let Some(method) = message["method"].as_str() {
            let other = json!(format!("{method}x"));
            self.one("method", at, item, |message| message["method"] = other);
            self.params(at, item, message);
        }
        if message["result"].is_object() {
            self.result(at, item, &message["result"]);
        }
        for key in keys(&message["error"]) {
            self.one(format!("error-gone:{key}"), at, item, |message| {
                remove(&mut message["error"], &key);
            });
            self.one(format!("error-type:{key}"), at, item, |message| {
                message["error"][&key] = other_type(&message["error"][&key]);
            });
        }
    }

    fn params(&mut self, at: usize, item: Option<usize>, message: &Value) {
        let params = &message["params"];
        for key in keys(params) {
            self.one(format!("params-gone:{key}"), at, item, |message| {
                remove(&mut message["params"], &key);
            });
            self.one(format!("params-type:{key}"), at, item, |message| {
                message["params"][&key] = other_type(&message["params"][&key]);
            });
            if !NAMES.contains(&key.as_str()) {
                continue;
            }
            self.one(format!("params-value:{key}"), at, item, |message| {
                message["params"][&key] = json!("nope");
            });
            let twin = match &params[&key] {
                Value::Number(number) => json!(number.to_string()),
                _ => json!(5),
            };
            self.one(format!("params-twin:{key}"), at, item, |message| {
                message["params"][&key] = twin;
            });
        }
        for key in keys(&params["_meta"]) {
            self.one(format!("meta-gone:{key}"), at, item, |message| {
                remove(&mut message["params"]["_meta"], &key);
            });
        }
        for key in keys(&params["arguments"]) {
            self.one(format!("argument-gone:{key}"), at, item, |message| {
                remove(&mut message["params"]["arguments"], &key);
            });
            self.one(format!("argument-type:{key}"), at, item, |message| {
                message["params"]["arguments"][&key] = json!({"x": 1});
            });
        }
        if message["method"] == "initialize" {
            for key in keys(&params["capabilities"]) {
                self.one(format!("capability-gone:{key}"), at, item, |message| {
                    remove(&mut message["params"]["capabilities"], &key);
                });
            }
        }
    }

    fn result(&mut self, at: usize, item: Option<usize>, result: &Value) {
        for key in keys(result) {
            self.one(format!("result-gone:{key}"), at, item, |message| {
                remove(&mut message["result"], &key);
            });
            self.one(format!("result-type:{key}"), at, item, |message| {
                message["result"][&key] = other_type(&message["result"][&key]);
            });
            for inner in keys(&result[&key][0]) {
                self.one(
                    format!("result-item-gone:{key}/{inner}"),
                    at,
                    item,
                    |message| {
                        remove(&mut message["result"][&key][0], &inner);
                    },
                );
            }
        }
        for key in keys(&result["capabilities"]) {
            self.one(format!("capability-gone:{key}"), at, item, |message| {
                remove(&mut message["result"]["capabilities"], &key);
            });
        }
        for key in keys(&result["structuredContent"]) {
            self.one(format!("structured:{key}"), at, item, |message| {
                message["result"]["structuredContent"][&key] = json!({"zz": 1});
            });
        }
        let error = json!({"code": -32603, "message": "Internal error"});
        let also = error.clone();
        self.one("result-and-error", at, item, |message| {
            message["error"] = also;
        });
        self.one("result-to-error", at, item, |message| {
            remove(message, "result");
            message["error"] = error;
        });
    }
}

/// Whether an exchange is a call and its answer, and nothing else that would be repeated with it.
fn is_plain(records: &[Record], at: usize) -> bool {
    let exchange = records[at].exchange();
    let mut parts = records.iter().filter(|part| part.exchange() == exchange);
    let asks = records[at].value().is_some_and(|posted| {
        let calls = items(&posted);
        calls
            .iter()
            .any(|call| is_call(call) && !call["id"].is_null())
    });
    let mut answers = 0;
    let plain = parts.all(|part| {
        let sent = part.value().unwrap_or_default();
        let is_answer = part.direction == Direction::ServerToClient && !sent.is_null();
        answers += usize::from(is_answer);
        !is_answer || !items(&sent).iter().any(is_call)
    });
    plain && asks && answers > 0
}

/// Whether the second of two neighbours can only come after the first.
fn belongs(first: &Record, second: &Record) -> bool {
    let (Some(one), Some(two)) = (first.value(), second.value()) else {
        return false;
    };
    if !first.is_line() {
        return false;
    }
    let answers = one["method"].is_string()
        && !one["id"].is_null()
        && two.get("method").is_none()
        && one["id"] == two["id"]
        && first.direction != second.direction;
    let opens = two["method"] == "notifications/initialized" && one.get("result").is_some();
    let token = &one["params"]["_meta"]["progressToken"];
    let asks = two["method"] == "notifications/progress"
        && !token.is_null()
        && two["params"]["progressToken"] == *token;
    answers || opens || asks
}

fn headers_of(record: &mut Record) -> &mut Vec<(String, String)> {
    let Carried::Http { headers, .. } = &mut record.carrier else {
        panic!("only parts of HTTP exchanges have headers");
    };
    headers
}

fn keys(value: &Value) -> Vec<String> {
    let object = value.as_object();
    object
        .map(|object| object.keys().cloned().collect())
        .unwrap_or_default()
}

fn remove(value: &mut Value, key: &str) {
    if let Some(object) = value.as_object_mut() {
        object.remove(key);
    }
}

/// A value of a type that the member cannot have.
fn other_type(value: &Value) -> Value {
    if value.is_string() {
        json!(12.5)
    } else {
        json!("x")
    }
}
