//! Exports of MCP Inspector: its list of messages, or its list of HTTP requests.
//!
//! An entry of a request holds the response that answers it, with the time between them, so entries
//! are taken apart and sorted.

use std::borrow::Cow;
use std::io;

use mcp_assay::Direction;
use mcp_assay::syntax::{Kind, Node};

use super::broken::{Broken, Lost};
use super::epochs::Epochs;
use super::exchange::Exchange;
use super::fidelity::{Fidelity, Missing, Reading};
use super::har::{present, seconds};
use super::http::{Headers, RequestHead, ResponseHead, is_event_stream};
use super::places::Places;
use super::reader::{Beginning, Likeness, ReadDocument, Reader};
use super::record::{Content, Payload, Record, Sink};
use super::stamp::stamped;
use super::text::compact;
use super::web;

/// Keys that an entry of an export has and a message has not.
const KEYS: [&[u8]; 4] = [
    b"direction",
    b"origin",
    b"requestHeaders",
    b"responseHeaders",
];

/// The reader of exports. Which of its two kinds an export is shows when it is read.
pub(crate) struct Inspector;

impl Reader for Inspector {
    const NAME: &'static str = "inspector";
    const DESCRIBED: Option<&'static str> = Some("an MCP Inspector export");

    fn detect(part: &Beginning<'_>) -> Likeness {
        Likeness::sure_if(matches!(part, Beginning::EntryKey(key) if KEYS.contains(key)))
    }
}

impl ReadDocument for Inspector {
    fn read(
        root: Node<'_>,
        mut places: Places<'_>,
        reading: &mut Reading,
        sink: &mut dyn Sink,
    ) -> io::Result<()> {
        if root.kind() != Kind::Array {
            let why = "it is no export of MCP Inspector: that is a list of entries";
            return sink.lost(&Lost::at(1, why));
        }
        let (mut seen, mut exchanges) = (Vec::new(), Vec::new());
        let is_one_line = places.is_one_line();
        if is_one_line {
            sink.number_entries();
        }
        for (number, entry) in (1..).zip(root.items()) {
            let line = if is_one_line {
                number
            } else {
                places.line_of(entry)
            };
            let read = if present(entry, "message").is_some() {
                let places = (!is_one_line).then_some(places);
                messages(entry, line, places, &mut seen)
            } else if present(entry, "url").is_some() {
                exchange(entry, line).map(|exchange| exchanges.push(exchange))
            } else {
                Err(Broken::from(
                    "it is no entry of an export: it has neither `message` nor `url`",
                ))
            };
            if let Err(why) = read {
                sink.lost(&Lost::at(line, why))?;
            }
        }
        if !seen.is_empty() {
            reading.reserialised();
            reading.lacks(Missing::Headers);
            deliver(seen, sink)?;
        }
        web::deliver(exchanges, reading, sink)
    }
}

/// A message that was seen.
struct Seen<'a> {
    line: u64,
    time: Option<f64>,
    direction: Option<Direction>,
    message: Node<'a>,
}

/// The message of an entry, and the response to it.
fn messages<'a>(
    entry: Node<'a>,
    line: u64,
    places: Option<Places<'_>>,
    seen: &mut Vec<Seen<'a>>,
) -> Result<(), Broken> {
    let direction = match present(entry, "origin") {
        None => None,
        Some(origin) if origin.is_text("client") => Some(Direction::ClientToServer),
        Some(origin) if origin.is_text("server") => Some(Direction::ServerToClient),
        Some(_) => {
            return Err(Broken::from(
                "`origin` is neither \"client\" nor \"server\"",
            ));
        }
    };
    let time = time(entry);
    let duration = seconds(entry.get("duration"));
    let answered = direction.map(|direction| match direction {
        Direction::ClientToServer => Direction::ServerToClient,
        Direction::ServerToClient => Direction::ClientToServer,
    });
    let parts = [
        ("message", time, direction),
        ("response", time.map(|time| time + duration), answered),
    ];
    for (name, time, direction) in parts {
        let Some(message) = present(entry, name) else {
            continue;
        };
        if !matches!(message.kind(), Kind::Object | Kind::Array) {
            return Err(Broken::not(name, "an object"));
        }
        seen.push(Seen {
            line: places.map_or(line, |mut places| places.line_of(message)),
            time,
            direction,
            message,
        });
    }
    Ok(())
}

fn deliver(mut seen: Vec<Seen<'_>>, sink: &mut dyn Sink) -> io::Result<()> {
    if seen.iter().all(|seen| seen.time.is_some()) {
        seen.sort_by(|a, b| {
            let time = |seen: &Seen<'_>| seen.time.unwrap_or_default();
            time(a).total_cmp(&time(b))
        });
    }
    let mut epochs = Epochs::default();
    for Seen {
        line,
        time,
        direction,
        message,
    } in seen
    {
        let method = message.get("method");
        let handshake = method.is_some_and(|method| method.is_text("initialize"));
        let session = epochs.message("", handshake);
        let payload = Payload::Bytes(Cow::Owned(compact(message.raw())));
        sink.record(&Record {
            time,
            direction,
            session: session.map(Cow::Borrowed),
            fidelity: Fidelity::Reserialised,
            ..Record::new(line, Content::Message(payload))
        })?;
    }
    Ok(())
}

/// An HTTP request and what answered it.
fn exchange(entry: Node<'_>, line: u64) -> Result<Exchange<'_>, Broken> {
    let url = entry.get("url").and_then(Node::text);
    let url = url.ok_or_else(|| Broken::not("url", "a string"))?;
    let mut exchange = Exchange {
        start: time(entry),
        duration: seconds(entry.get("duration")),
        request: RequestHead {
            method: entry.get("method").and_then(Node::text),
            path: None,
            headers: headers(entry, "requestHeaders")?,
        },
        request_body: body(entry, "requestBody")?,
        ..Exchange::new(line, url)
    };
    let Some(status) = present(entry, "responseStatus") else {
        return Ok(exchange);
    };
    let status = status
        .as_i64()
        .and_then(|status| u16::try_from(status).ok());
    let headers = headers(entry, "responseHeaders")?;
    let streamed = headers.get("content-type").is_some_and(is_event_stream);
    exchange.response_body = body(entry, "responseBody")?;
    exchange.response = Some(ResponseHead {
        status: Some(status.ok_or_else(|| Broken::not("responseStatus", "a status code"))?),
        reason: entry.get("responseStatusText").and_then(Node::text),
        headers,
        streamed,
    });
    Ok(exchange)
}

fn headers<'a>(entry: Node<'a>, name: &str) -> Result<Headers<'a>, Broken> {
    match present(entry, name) {
        None => Ok(Headers::default()),
        Some(headers) if headers.kind() == Kind::Object => Ok(Headers(
            headers
                .members()
                .filter_map(|(name, value)| Some((name.text()?, value.text()?)))
                .collect(),
        )),
        Some(_) => Err(Broken::not(name, "an object")),
    }
}

fn body<'a>(entry: Node<'a>, name: &str) -> Result<Option<Payload<'a>>, Broken> {
    match present(entry, name) {
        None => Ok(None),
        Some(body) if body.kind() == Kind::String => Ok(Some(Payload::Text(body))),
        Some(_) => Err(Broken::not(name, "a string")),
    }
}

/// A time as a date or in milliseconds.
fn time(entry: Node<'_>) -> Option<f64> {
    let time = present(entry, "timestamp")?;
    match time.text() {
        Some(text) => Some(stamped(text.as_bytes())?.0),
        None => Some(seconds(Some(time))).filter(|seconds| *seconds > 0.0),
    }
}
