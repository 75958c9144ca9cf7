//! Dialogues that grow: one of their arrays, objects, heads or messages is repeated any number of
//! times, so that the loops of the rules that check it become long.

use std::collections::BTreeSet;
use std::fs;

use mcp_assay::{Revision, rules};
use serde_json::{Map, Value};

use crate::dialogue::Dialogue;
use crate::pages;
use crate::sections::{Block, blocks, sections};
use crate::traffic::{Carried, Head, Record};

/// A dialogue with one part that can be repeated.
pub struct Growth {
    /// Names the dialogue and the part.
    pub name: String,
    /// The revision to check it under; `None` if the traffic shows it.
    pub revision: Option<Revision>,
    /// The position of the part, without the dialogue.
    at: String,
    records: Vec<Record>,
    part: Part,
}

/// The part of a dialogue that is repeated.
#[derive(Clone)]
enum Part {
    /// The last item of the array at a JSON Pointer of a record.
    Item {
        record: usize,
        pointer: String,
        copies: Copies,
    },
    /// A member of the object at a JSON Pointer of a record.
    Member { record: usize, pointer: String },
    /// A header of a record.
    Header { record: usize },
    /// A record.
    Record { record: usize },
    /// A request for a list and its answer: each copy is another version of the list.
    Version { request: usize },
    /// All records.
    Dialogue,
}

/// The relation of copies to each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Copies {
    /// All are equal.
    Equal,
    /// Names and ids differ.
    Numbered,
}

/// Every part of every example on the pages of rules and of every dialogue in
/// `tests/conversations`. Parts at the same position in messages of the same kind are listed once
/// for each rule or file.
///
/// # Panics
///
/// If one of them cannot be read: they are parts of tests.
#[must_use]
pub fn growths() -> Vec<Growth> {
    let mut all = Vec::new();
    let mut known = BTreeSet::new();
    for rule in rules::all() {
        let blocks = blocks(rule.page()).unwrap_or_else(|error| panic!("{}: {error}", rule.name));
        for block in &blocks {
            add(rule.name, block, &mut known, &mut all);
        }
    }
    for path in pages("conversations") {
        let name = path.display().to_string();
        let file = path.file_stem().unwrap_or_default().to_string_lossy();
        let text = fs::read_to_string(&path).expect("a file of this test can be read");
        for section in sections(&text).unwrap_or_else(|error| panic!("{name}: {error}")) {
            for block in &section.blocks {
                add(&file, block, &mut known, &mut all);
            }
        }
    }
    all
}

/// Every part within a message, once for each position in messages of the same kind.
#[must_use]
pub fn within_messages() -> Vec<Growth> {
    let mut known = BTreeSet::new();
    let mut all = growths();
    all.retain(|growth| !growth.repeats_messages() && known.insert(growth.at.clone()));
    all
}

/// Every list that is returned in one version after the other, once for each list.
#[must_use]
pub fn versions_of_lists() -> Vec<Growth> {
    let mut known = BTreeSet::new();
    let mut all = growths();
    all.retain(|growth| {
        matches!(growth.part, Part::Version { .. }) && known.insert(growth.at.clone())
    });
    all
}

fn add(name: &str, block: &Block<'_>, known: &mut BTreeSet<String>, all: &mut Vec<Growth>) {
    let Some(options) = block.info.strip_prefix("mcp,") else {
        return;
    };
    let (kind, options) = match options.split_once(',') {
        Some((kind @ ("good" | "bad"), options)) => (kind, options),
        _ => ("", options),
    };
    let dialogue = Dialogue::read(name, options, block.lines.iter().copied());
    let records = dialogue.records();
    let revision = (!dialogue.auto).then_some(dialogue.revision);
    let mut push = |at: String, part: Part| {
        let name = format!("{name} {kind} {} {at}", dialogue.revision);
        if known.insert(name.clone()) {
            all.push(Growth {
                name,
                revision,
                at,
                records: records.clone(),
                part,
            });
        }
    };
    for (position, record) in records.iter().enumerate() {
        let label = label(record);
        if matches!(record.carrier, Carried::Http { .. }) {
            push(format!("{label} header"), Part::Header { record: position });
        }
        push(label.clone(), Part::Record { record: position });
        if let Some(value) = record.value() {
            let mut here = |pointer: &str, value: &Value| {
                parts_at(position, pointer, value, |at, part| {
                    push(format!("{label} {at}"), part);
                });
            };
            walk(&value, &mut String::new(), &mut here);
        }
    }
    for (request, pair) in records.windows(2).enumerate() {
        if let [Some(asked), Some(answer)] = [&pair[0], &pair[1]].map(Record::value)
            && let Some(method) = asked["method"].as_str()
            && method.ends_with("/list")
            && answer["result"].is_object()
            && asked["id"] == answer["id"]
        {
            push(format!("{method} versions"), Part::Version { request });
        }
    }
    push("dialogue".to_owned(), Part::Dialogue);
}

/// The kind of a record, for its name.
fn label(record: &Record) -> String {
    let value = record.value().unwrap_or_default();
    let message = match value.get("method").and_then(Value::as_str) {
        Some(method) => method.to_owned(),
        None if value.get("error").is_some() => "error".to_owned(),
        None => value.get("result").and_then(Value::as_object).map_or_else(
            || "other".to_owned(),
            |result| {
                let own = |key: &&str| !COMMON.contains(key);
                let keys: Vec<&str> = result.keys().map(String::as_str).filter(own).collect();
                format!("result:{}", keys.join("+"))
            },
        ),
    };
    match record.head() {
        None => message,
        Some(Head::Request { method, .. }) => format!("{method} {message}"),
        Some(Head::Response { status, .. }) => format!("{status} {message}"),
        Some(Head::Event { .. }) => format!("event {message}"),
        Some(Head::End { .. }) => "end".to_owned(),
    }
}

/// Members that results of many methods have.
const COMMON: [&str; 4] = ["_meta", "resultType", "ttlMs", "cacheScope"];

fn parts_at(record: usize, pointer: &str, value: &Value, mut push: impl FnMut(String, Part)) {
    // The position of an item does not matter.
    let at: Vec<&str> = pointer
        .split('/')
        .map(|step| step.parse::<usize>().map_or(step, |_| "*"))
        .collect();
    let at = at.join("/");
    match value {
        Value::Array(items) if !items.is_empty() => {
            for copies in [Copies::Equal, Copies::Numbered] {
                let pointer = pointer.to_owned();
                let part = Part::Item {
                    record,
                    pointer,
                    copies,
                };
                push(format!("{at} {copies:?}"), part);
            }
        }
        Value::Object(_) => {
            let pointer = pointer.to_owned();
            push(format!("{at} members"), Part::Member { record, pointer });
        }
        _ => {}
    }
}

fn walk(value: &Value, pointer: &mut String, visit: &mut impl FnMut(&str, &Value)) {
    visit(pointer, value);
    let length = pointer.len();
    let mut step = |name: &str, value: &Value| {
        pointer.push('/');
        pointer.push_str(&name.replace('~', "~0").replace('/', "~1"));
        walk(value, pointer, visit);
        pointer.truncate(length);
    };
    match value {
        Value::Array(items) => {
            for (position, item) in items.iter().enumerate() {
                step(&position.to_string(), item);
            }
        }
        Value::Object(members) => {
            for (name, member) in members {
                step(name, member);
            }
        }
        _ => {}
    }
}

impl Growth {
    /// Whether whole messages are repeated.
    #[must_use]
    pub fn repeats_messages(&self) -> bool {
        matches!(
            self.part,
            Part::Record { .. } | Part::Version { .. } | Part::Dialogue
        )
    }

    /// The dialogue with that many copies of the part more.
    ///
    /// # Panics
    ///
    /// If the part is not there: it was found before.
    #[must_use]
    pub fn grown(&self, copies: usize) -> Vec<Record> {
        let mut records = self.records.clone();
        match &self.part {
            Part::Item {
                record,
                pointer,
                copies: kind,
            } => change(&mut records[*record], pointer, |value| {
                let items = value.as_array_mut().expect("an array");
                let last = items.last().cloned().expect("an item");
                items.extend((1..=copies).map(|copy| match kind {
                    Copies::Equal => last.clone(),
                    Copies::Numbered => numbered(&last, copy),
                }));
            }),
            Part::Member { record, pointer } => change(&mut records[*record], pointer, |value| {
                let members = value.as_object_mut().expect("an object");
                grow_object(members, copies);
            }),
            Part::Header { record } => {
                if let Carried::Http { headers, .. } = &mut records[*record].carrier {
                    let added = (1..=copies).map(|copy| (format!("x-{copy}"), "1".to_owned()));
                    headers.extend(added);
                }
            }
            Part::Record { record } => {
                let added: Vec<Record> = (1..=copies)
                    .map(|copy| copy_of(&self.records[*record], copy, 0))
                    .collect();
                let after = record + 1;
                records.splice(after..after, added);
            }
            Part::Version { request } => {
                let pair = &self.records[*request..request + 2];
                let added: Vec<Record> = (1..=copies)
                    .flat_map(|copy| pair.iter().map(move |record| (copy, record)))
                    .map(|(copy, record)| copy_of(record, copy, STRIDE))
                    .collect();
                let after = request + 2;
                records.splice(after..after, added);
            }
            Part::Dialogue => {
                for copy in 1..=copies {
                    let shifted = self
                        .records
                        .iter()
                        .map(|record| copy_of(record, copy, STRIDE));
                    records.extend(shifted);
                }
            }
        }
        records
    }
}

/// The distance between the HTTP exchanges of two copies of a dialogue.
const STRIDE: i64 = 1000;

/// Adds members whose values are like the last one.
fn grow_object(members: &mut Map<String, Value>, copies: usize) {
    let last = members.values().next_back().cloned().unwrap_or_default();
    for copy in 1..=copies {
        members.insert(format!("x{copy}"), numbered(&last, copy));
    }
}

fn change(record: &mut Record, pointer: &str, change: impl FnOnce(&mut Value)) {
    let mut value = record.value().expect("JSON");
    change(value.pointer_mut(pointer).expect("the part is there"));
    *record = record.with(&value);
}

/// A later copy of a record: a message with other ids, an exchange of its own.
fn copy_of(record: &Record, copy: usize, stride: i64) -> Record {
    let mut copied = match record.value() {
        Some(value) => record.with(&numbered(&value, copy)),
        None => record.clone(),
    };
    #[expect(clippy::cast_precision_loss, reason = "small numbers")]
    let later = copy as f64;
    copied.time += later;
    let shift = i64::try_from(copy).expect("a small number");
    if let Carried::Http { exchange, head, .. } = &mut copied.carrier {
        let stride = match head {
            Head::Request { .. } => stride.max(STRIDE),
            _ => stride,
        };
        *exchange = exchange.map(|number| number + shift * stride);
        if let Head::Event { id: Some(id), .. } = head {
            *id = format!("{id}-{copy}");
        }
    }
    copied
}

/// Members whose values name something.
const NAMES: &[&str] = &[
    "name",
    "id",
    "uri",
    "uriTemplate",
    "taskId",
    "toolUseId",
    "cursor",
    "nextCursor",
    "progressToken",
    "requestId",
    "elicitationId",
    "requestState",
    "io.modelcontextprotocol/subscriptionId",
    "url",
    "const",
];

/// A copy of a value with other names and ids.
fn numbered(value: &Value, copy: usize) -> Value {
    let mut copied = value.clone();
    match &mut copied {
        Value::String(_) | Value::Number(_) => number(&mut copied, copy),
        _ => number_names(&mut copied, copy),
    }
    copied
}

fn number_names(value: &mut Value, copy: usize) {
    match value {
        Value::Array(items) => {
            for item in items {
                number_names(item, copy);
            }
        }
        Value::Object(members) => {
            for (name, member) in members {
                if NAMES.contains(&name.as_str()) {
                    number(member, copy);
                }
                number_names(member, copy);
            }
        }
        _ => {}
    }
}

fn number(value: &mut Value, copy: usize) {
    match value {
        Value::String(text) => *text = format!("{text}-{copy}"),
        Value::Number(number) => {
            if let Some(integer) = number.as_i64() {
                let shift = i64::try_from(copy).expect("a small number");
                *value = (integer + shift * 100).into();
            }
        }
        _ => {}
    }
}
