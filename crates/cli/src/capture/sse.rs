//! Cuts the body of a streamed response into events, as the HTML standard has it.

use std::borrow::Cow;

use memchr::memchr2;

use super::record::{Event, Payload};
use super::text::BYTE_ORDER_MARK;

/// The events of a body, and whether it ends within one.
pub(crate) struct Events {
    pub(crate) whole: Vec<Event<'static>>,
    /// Fields were left without the blank line that ends an event.
    pub(crate) cut: bool,
}

/// Cuts a body into events. Those without any field that counts are left out.
pub(crate) fn events(body: &[u8]) -> Events {
    let mut rest = body.strip_prefix(BYTE_ORDER_MARK).unwrap_or(body);
    let mut whole = Vec::new();
    let mut event = Fields::default();
    while !rest.is_empty() {
        let end = memchr2(b'\n', b'\r', rest);
        let line = &rest[..end.unwrap_or(rest.len())];
        rest = match end {
            Some(end) if rest[end..].starts_with(b"\r\n") => &rest[end + 2..],
            Some(end) => &rest[end + 1..],
            None => &[],
        };
        if line.is_empty() {
            whole.extend(std::mem::take(&mut event).event());
        } else if end.is_some() || !line.starts_with(b":") {
            event.field(line);
        }
    }
    Events {
        whole,
        cut: event.data.is_some(),
    }
}

/// The fields of an event so far.
#[derive(Default)]
struct Fields {
    name: Option<String>,
    id: Option<String>,
    retry: Option<u64>,
    data: Option<Vec<u8>>,
}

impl Fields {
    fn field(&mut self, line: &[u8]) {
        let (name, value) = match memchr::memchr(b':', line) {
            Some(at) => (&line[..at], &line[at + 1..]),
            None => (line, &b""[..]),
        };
        let value = value.strip_prefix(b" ").unwrap_or(value);
        let text = || String::from_utf8_lossy(value).into_owned();
        match name {
            b"event" => self.name = Some(text()),
            b"id" if !value.contains(&0) => self.id = Some(text()),
            b"retry" => self.retry = text().parse().ok().or(self.retry),
            b"data" => match &mut self.data {
                Some(data) => {
                    data.push(b'\n');
                    data.extend_from_slice(value);
                }
                none => *none = Some(value.to_vec()),
            },
            // Comments, and fields that nobody reads.
            _ => {}
        }
    }

    fn event(self) -> Option<Event<'static>> {
        let Self {
            name,
            id,
            retry,
            data,
        } = self;
        if name.is_none() && id.is_none() && retry.is_none() && data.is_none() {
            return None;
        }
        Some(Event {
            name: name.map(Cow::Owned),
            id: id.map(Cow::Owned),
            retry,
            data: data.map(|data| Payload::Bytes(Cow::Owned(data))),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Name, id, time to retry and data of each event.
    fn shown(body: &str) -> Vec<String> {
        let mut buffer = Vec::new();
        let found = events(body.as_bytes()).whole.into_iter();
        found
            .map(|event| {
                let data = event.data.map_or("-".to_owned(), |data| {
                    String::from_utf8(data.bytes(&mut buffer).unwrap().to_vec()).unwrap()
                });
                let retry = event
                    .retry
                    .map_or("-".to_owned(), |retry| retry.to_string());
                let (name, id) = (event.name.as_deref(), event.id.as_deref());
                format!(
                    "{} {} {retry} {data}",
                    name.unwrap_or("-"),
                    id.unwrap_or("-")
                )
            })
            .collect()
    }

    #[test]
    fn fields_and_line_ends() {
        let expected = ["message 7 - {}", "- - 3000 -", "- - - a\nb"];
        let body = ": hello\nevent: message\nid: 7\ndata: {}\n\nretry: 3000\n\n: x\n\ndata:a\ndata: b\nother: 1\n\n";
        for ends in ["\n", "\r\n", "\r"] {
            assert_eq!(shown(&body.replace('\n', ends)), expected, "{ends:?}");
        }
        assert_eq!(shown(&format!("\u{feff}{body}")), expected);
    }

    #[test]
    fn an_event_without_its_end_is_none() {
        for (body, cut) in [
            ("data: 1\n\ndata: 2", true),
            ("data: 1\n\ndata: 2\n", true),
            ("data: 1\n\n: bye", false),
            ("data: 1\n\n", false),
        ] {
            let found = events(body.as_bytes());
            assert_eq!((found.whole.len(), found.cut), (1, cut), "{body:?}");
        }
        assert!(events(b"").whole.is_empty());
        assert_eq!(shown("retry: soon\nid\n\n"), ["-  - -"]);
    }
}
