//! HTTP archives (HAR 1.2): what browsers and proxies keep of HTTP traffic.

use std::io;

use mcp_assay::syntax::{Kind, Node};
use memchr::memmem;

use super::broken::{Broken, Lost};
use super::exchange::Exchange;
use super::fidelity::Reading;
use super::http::{Headers, RequestHead, ResponseHead, is_event_stream};
use super::places::Places;
use super::reader::{Beginning, Likeness, ReadDocument, Reader};
use super::record::{Payload, Sink};
use super::stamp::stamped;
use super::web;

/// The reader of archives.
pub(crate) struct Har;

impl Reader for Har {
    const NAME: &'static str = "har";
    const DESCRIBED: Option<&'static str> = Some("a HAR file");

    /// An archive is an object whose first member is `log`, an object.
    fn detect(part: &Beginning<'_>) -> Likeness {
        let Beginning::Object {
            key: b"log", after, ..
        } = part
        else {
            return Likeness::None;
        };
        let mut rest = after.iter().filter(|byte| !byte.is_ascii_whitespace());
        match (rest.next(), rest.next()) {
            (Some(b':'), Some(value)) => Likeness::sure_if(*value == b'{'),
            (Some(b':') | None, None) => Likeness::Unknown,
            _ => Likeness::None,
        }
    }
}

impl ReadDocument for Har {
    fn read(
        root: Node<'_>,
        mut places: Places<'_>,
        reading: &mut Reading,
        sink: &mut dyn Sink,
    ) -> io::Result<()> {
        let Some(entries) = root
            .get("log")
            .and_then(|log| log.get("entries"))
            .filter(|entries| entries.kind() == Kind::Array)
        else {
            return sink.lost(&Lost::at(1, "it is no HAR file: `log.entries` is missing"));
        };
        let mut exchanges = Vec::new();
        let is_one_line = places.is_one_line();
        if is_one_line {
            sink.number_entries();
        }
        for (number, entry) in (1..).zip(entries.items()) {
            let line = if is_one_line {
                number
            } else {
                places.line_of(entry)
            };
            match read_entry(entry, line) {
                Ok(exchange) => exchanges.push(exchange),
                // Most entries of a browser are none of our business.
                Err(_) if memmem::find(entry.raw(), b"jsonrpc").is_none() => {}
                Err(why) => sink.lost(&Lost::at(line, why))?,
            }
        }
        web::deliver(exchanges, reading, sink)
    }
}

fn read_entry(entry: Node<'_>, line: u64) -> Result<Exchange<'_>, Broken> {
    let request = member(entry, "request")?;
    let url = request
        .get("url")
        .and_then(Node::text)
        .ok_or(Broken::from("`request.url` is missing"))?;
    let start = entry.get("startedDateTime").and_then(Node::text);
    let mut exchange = Exchange {
        start: start.and_then(|start| Some(stamped(start.as_bytes())?.0)),
        head_after: until_head(entry),
        duration: seconds(entry.get("time")),
        request: RequestHead {
            method: request.get("method").and_then(Node::text),
            path: None,
            headers: headers(request)?,
        },
        request_body: match request.get("postData") {
            Some(data) => body(data)?,
            None => None,
        },
        sizes: [size(request.get("bodySize")), None],
        ..Exchange::new(line, url)
    };
    let Some(response) = present(entry, "response") else {
        return Ok(exchange);
    };
    // A browser writes 0 where there was no answer.
    let status = response.get("status").and_then(Node::as_i64);
    let Some(status) = status.and_then(|status| u16::try_from(status).ok()) else {
        return Err(Broken::not("response.status", "a status code"));
    };
    if status == 0 {
        return Ok(exchange);
    }
    let headers = headers(response)?;
    let content = present(response, "content");
    let mime_type = content
        .and_then(|content| content.get("mimeType"))
        .and_then(Node::text);
    let streamed = headers
        .get("content-type")
        .or(mime_type.as_deref())
        .is_some_and(is_event_stream);
    exchange.response = Some(ResponseHead {
        status: Some(status),
        reason: response.get("statusText").and_then(Node::text),
        headers,
        streamed,
    });
    if let Some(content) = content {
        exchange.response_body = body(content)?;
        exchange.sizes[1] = size(content.get("size"));
    }
    Ok(exchange)
}

/// A number of bytes; an unknown one is written as -1.
fn size(bytes: Option<Node<'_>>) -> Option<f64> {
    let bytes = bytes.filter(|bytes| bytes.kind() == Kind::Number)?;
    Some(bytes.as_f64()).filter(|bytes| *bytes >= 0.0)
}

/// The body in `postData` or `content`.
fn body(data: Node<'_>) -> Result<Option<Payload<'_>>, Broken> {
    let Some(text) = present(data, "text") else {
        return Ok(None);
    };
    if text.kind() != Kind::String {
        return Err(Broken::not("text", "a string"));
    }
    Ok(Some(match present(data, "encoding") {
        Some(encoding) if encoding.is_text("base64") => Payload::Base64(text),
        Some(encoding) if encoding.text().is_none_or(|name| !name.is_empty()) => {
            return Err(Broken::from("the encoding of a body is not known"));
        }
        _ => Payload::Text(text),
    }))
}

fn headers(message: Node<'_>) -> Result<Headers<'_>, Broken> {
    let Some(headers) = present(message, "headers") else {
        return Ok(Headers::default());
    };
    if headers.kind() != Kind::Array {
        return Err(Broken::not("headers", "an array"));
    }
    let mut pairs = Vec::new();
    for header in headers.items() {
        let (name, value) = (header.get("name"), header.get("value"));
        match (name.and_then(Node::text), value.and_then(Node::text)) {
            // Fields that HTTP/2 has in place of a first line are no headers.
            (Some(name), _) if name.starts_with(':') => {}
            (Some(name), Some(value)) => pairs.push((name, value)),
            _ => return Err(Broken::from("a header has no name or no value")),
        }
    }
    Ok(Headers(pairs))
}

/// Seconds from the beginning of an entry to the head of its response. Times that do not apply are
/// -1.
fn until_head(entry: Node<'_>) -> f64 {
    let Some(timings) = present(entry, "timings") else {
        return 0.0;
    };
    ["blocked", "dns", "connect", "send", "wait"]
        .iter()
        .map(|phase| seconds(timings.get(phase)))
        .sum()
}

/// Milliseconds as seconds; nothing that could upset an order.
pub(super) fn seconds(milliseconds: Option<Node<'_>>) -> f64 {
    milliseconds
        .filter(|value| value.kind() == Kind::Number)
        .map(|value| value.as_f64() / 1000.0)
        .filter(|seconds| seconds.is_finite())
        .map_or(0.0, |seconds| seconds.max(0.0))
}

pub(super) fn present<'a>(object: Node<'a>, name: &str) -> Option<Node<'a>> {
    object.get(name).filter(|value| value.kind() != Kind::Null)
}

fn member<'a>(object: Node<'a>, name: &str) -> Result<Node<'a>, Broken> {
    object
        .get(name)
        .filter(|value| value.kind() == Kind::Object)
        .ok_or_else(|| Broken::not(name, "an object"))
}
