//! Receivers that read as leniently as real ones do: lines end as in Python's universal newlines
//! and `splitlines`, charsets and codings are honoured, forms are messages, of a repeated key the
//! first or the last counts, names may differ in capital letters, several values may follow each
//! other, and a type that contains another is that.

use std::collections::BTreeMap;
use std::fmt;
use std::io::Read as _;

use flate2::read::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};
use serde::Deserialize;
use serde::de::{MapAccess, SeqAccess, Visitor};
use serde_json::{Deserializer, Value};

/// Bytes that a receiver gets, with the head before them if there is one.
#[derive(Clone, Default)]
pub(crate) struct Received {
    pub(crate) head: BTreeMap<String, String>,
    pub(crate) body: Vec<u8>,
}

impl fmt::Debug for Received {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = String::from_utf8_lossy(&self.body);
        let text: String = text.chars().take(400).collect();
        write!(f, "{:?} {text:?}", self.head.get("content-type"))
    }
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
    if kind.contains("multipart") {
        for part in text.split("\r\n\r\n") {
            read(part.split("\r\n--").next().unwrap_or_default(), &mut found);
        }
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
            "gzip" | "x-gzip" => MultiGzDecoder::new(&body[..]).read_to_end(&mut decoded),
            "deflate" if body.first() == Some(&0x78) => {
                ZlibDecoder::new(&body[..]).read_to_end(&mut decoded)
            }
            "deflate" => DeflateDecoder::new(&body[..]).read_to_end(&mut decoded),
            "zstd" => match ruzstd::decoding::StreamingDecoder::new(&body[..]) {
                Ok(mut frame) => frame.read_to_end(&mut decoded),
                Err(_) => continue,
            },
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
    // Python finds out what is not labelled.
    let body = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&body);
    let body = body.strip_prefix(b"\xff\xfe").unwrap_or(body);
    match body {
        [_, 0, ..] => utf16(body, u16::from_le_bytes),
        [0, _, ..] => utf16(body, u16::from_be_bytes),
        _ => String::from_utf8_lossy(body).into_owned(),
    }
}

fn utf16(body: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let pairs = body.chunks_exact(2);
    let units: Vec<u16> = pairs.map(|pair| unit([pair[0], pair[1]])).collect();
    String::from_utf16_lossy(&units)
}

/// The data of the events of a stream, as a client reads them that splits lines as Python does and
/// heeds no names; the end of the stream ends an event.
fn events(text: &str) -> Vec<String> {
    let ends = [
        '\n', '\r', '\u{b}', '\u{c}', '\u{1c}', '\u{1d}', '\u{1e}', '\u{85}', '\u{2028}',
        '\u{2029}',
    ];
    let (mut events, mut data) = (Vec::new(), String::new());
    let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
    for line in text.split(ends) {
        if let Some(value) = line.strip_prefix("data:") {
            data.push_str(value.trim_start());
        } else if line.is_empty() && !data.is_empty() {
            events.push(std::mem::take(&mut data));
        }
    }
    events.push(data);
    events
}

/// The message of a form, as Express reads it: `params[name]=x`.
fn form(text: &str) -> Value {
    let mut message = serde_json::json!({ "params": {} });
    let text = text.replace("%5B", "[").replace("%5D", "]");
    let text = text.replace("%2F", "/").replace("%5b", "[");
    for (name, value) in text.split('&').filter_map(|pair| pair.split_once('=')) {
        match name.strip_prefix("params[") {
            Some(inner) => message["params"][inner.trim_end_matches(']')] = value.into(),
            None => message[name] = value.into(),
        }
    }
    message
}

/// Reads messages, or batches, in all ways: one after the other, as long as they can be read.
fn read(text: &str, found: &mut Vec<Value>) {
    let text = text.trim_start_matches('\u{feff}');
    let values = Deserializer::from_str(text).into_iter::<Value>();
    let mut values: Vec<_> = values.map_while(Result::ok).collect();
    let first = serde_json::from_str::<FirstWins>(text).ok();
    let folded = values.first().map(folded);
    values.extend(folded);
    values.extend(first.map(|first| first.0));
    for value in values {
        match value {
            Value::Array(items) => found.extend(items.into_iter().flat_map(|item| match item {
                Value::Array(inner) => inner,
                item => vec![item],
            })),
            message => found.push(message),
        }
    }
}

/// A value as Go reads it into a type: capital letters make no difference in names, and the last
/// counts.
fn folded(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let members = members.iter();
            // A name in capital letters takes the place of the other.
            let mut pairs: Vec<_> = members
                .map(|(name, value)| (fold(name), name, value))
                .collect();
            pairs.sort_by_key(|(folded, name, _)| folded == *name);
            let pairs = pairs.into_iter().rev();
            pairs
                .map(|(name, _, value)| (name, folded(value)))
                .collect()
        }
        Value::Array(items) => items.iter().map(folded).collect(),
        value => value.clone(),
    }
}

fn fold(name: &str) -> String {
    name.replace('\u{17f}', "s")
        .replace('\u{212a}', "k")
        .to_lowercase()
}

/// A value in which the first of several members of one name counts.
struct FirstWins(Value);

impl<'de> Deserialize<'de> for FirstWins {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
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
