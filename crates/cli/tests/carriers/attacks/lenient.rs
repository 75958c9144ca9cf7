//! Receivers that read as leniently as real ones do: lines end as in Python's universal newlines
//! and `splitlines`, charsets and codings are honoured, forms are messages, of a repeated key the
//! first or the last counts, and a type that contains another is that.

use std::collections::BTreeMap;
use std::fmt;
use std::io::Read as _;

use flate2::read::{GzDecoder, ZlibDecoder};
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

/// Bytes that a receiver gets, with the head before them if there is one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Received {
    pub(crate) head: BTreeMap<String, String>,
    pub(crate) body: Vec<u8>,
}

impl Received {
    pub(crate) fn line(body: impl Into<Vec<u8>>) -> Self {
        Self {
            head: BTreeMap::new(),
            body: body.into(),
        }
    }

    fn header(&self, name: &str) -> String {
        let value = self.head.get(name).cloned();
        value.unwrap_or_default().to_ascii_lowercase()
    }
}

/// Whether some receiver takes the bytes for a call with this word in its params, or for a result
/// with it.
pub(crate) fn understands(received: &Received, word: &str) -> bool {
    readings(received).iter().any(|message| {
        let is_call = message["method"] == "tools/call";
        let shown = |member: &str| message[member].to_string().contains(word);
        (is_call && shown("params")) || shown("result")
    })
}

/// Every message that some receiver reads.
fn readings(received: &Received) -> Vec<Value> {
    let text = text(received);
    let mut found = Vec::new();
    if received.head.is_empty() {
        for line in text.split(['\n', '\r']) {
            read(line, &mut found);
        }
        return found;
    }
    let kind = received.header("content-type");
    if kind.contains("event-stream") {
        for event in events(&text) {
            read(&event, &mut found);
        }
    }
    if kind.contains("x-www-form-urlencoded") {
        found.push(form(&text));
    }
    read(&text, &mut found);
    found
}

/// The text of a body, after its codings and its charset.
fn text(received: &Received) -> String {
    let mut body = received.body.clone();
    for coding in received.header("content-encoding").split(',').rev() {
        let mut decoded = Vec::new();
        let done = match coding.trim() {
            "gzip" => GzDecoder::new(&body[..]).read_to_end(&mut decoded),
            "deflate" => ZlibDecoder::new(&body[..]).read_to_end(&mut decoded),
            // Stands for a coding that nobody else knows.
            "x-rot" => {
                decoded = body.iter().map(|byte| byte ^ 0x80).collect();
                Ok(0)
            }
            _ => continue,
        };
        if done.is_ok() {
            body = decoded;
        }
    }
    let kind = received.header("content-type");
    if kind.contains("utf-7") {
        return String::from_utf8_lossy(&body).replace("+AHs-", "{");
    }
    if kind.contains("utf-16le") {
        let units: Vec<u16> = body
            .chunks_exact(2)
            .map(|pair| u16::from_le_bytes([pair[0], pair[1]]))
            .collect();
        return String::from_utf16_lossy(&units);
    }
    String::from_utf8_lossy(&body).into_owned()
}

/// The data of the events of a stream, as a client reads them that splits lines as Python does and
/// heeds no names.
fn events(text: &str) -> Vec<String> {
    let ends = [
        '\n', '\r', '\u{b}', '\u{c}', '\u{1c}', '\u{1d}', '\u{1e}', '\u{85}', '\u{2028}',
        '\u{2029}',
    ];
    let (mut events, mut data) = (Vec::new(), String::new());
    for line in text.replace("\r\n", "\n").split(ends) {
        if let Some(value) = line.strip_prefix("data:") {
            data.push_str(value.trim_start());
        } else if line.is_empty() && !data.is_empty() {
            events.push(std::mem::take(&mut data));
        }
    }
    events
}

/// The message of a form, as Express reads it: `params[name]=x`.
fn form(text: &str) -> Value {
    let mut message = serde_json::json!({ "params": {} });
    for (name, value) in text.split('&').filter_map(|pair| pair.split_once('=')) {
        match name.strip_prefix("params[") {
            Some(inner) => message["params"][inner.trim_end_matches(']')] = value.into(),
            None => message[name] = value.into(),
        }
    }
    message
}

/// Reads a message, or a batch, in both ways.
fn read(text: &str, found: &mut Vec<Value>) {
    let last = serde_json::from_str::<Value>(text).ok();
    let first = serde_json::from_str::<FirstWins>(text).ok();
    for value in [last, first.map(|first| first.0)].into_iter().flatten() {
        match value {
            Value::Array(items) => found.extend(items),
            message => found.push(message),
        }
    }
}

/// A value in which the first of several members of one name counts.
struct FirstWins(Value);

impl<'de> Deserialize<'de> for FirstWins {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Builder)
    }
}

struct Builder;

impl<'de> Visitor<'de> for Builder {
    type Value = FirstWins;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("JSON")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<FirstWins, A::Error> {
        let mut object = serde_json::Map::new();
        while let Some((key, value)) = map.next_entry::<String, FirstWins>()? {
            object.entry(key).or_insert(value.0);
        }
        Ok(FirstWins(object.into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<FirstWins, A::Error> {
        let mut array = Vec::new();
        while let Some(item) = items.next_element::<FirstWins>()? {
            array.push(item.0);
        }
        Ok(FirstWins(array.into()))
    }

    fn visit_str<E>(self, text: &str) -> Result<FirstWins, E> {
        Ok(FirstWins(text.into()))
    }

    fn visit_bool<E>(self, value: bool) -> Result<FirstWins, E> {
        Ok(FirstWins(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<FirstWins, E> {
        Ok(FirstWins(value.into()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<FirstWins, E> {
        Ok(FirstWins(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<FirstWins, E> {
        Ok(FirstWins(value.into()))
    }

    fn visit_unit<E>(self) -> Result<FirstWins, E> {
        Ok(FirstWins(Value::Null))
    }
}
