//! Cuts a stream of server-sent events, in pieces of any size, and preserves the exact bytes of
//! each event.
//!
//! Fields are read as in the HTML standard. No byte is lost: the `bytes` of all events, one after
//! the other, are the stream.

use std::borrow::Cow;

use memchr::{memchr, memchr2};

use super::Part;

/// Cuts a stream into events.
///
/// ```
/// let mut events = mcp_assay::Events::new(1 << 20);
/// let mut found = Vec::new();
/// for piece in [&b"data: {\"a\""[..], b":1}\n", b"\ndata: 2\n\n"] {
///     events.feed(piece, |event| found.extend(event.data.map(|data| data.into_owned())));
/// }
/// assert_eq!(found, [&b"{\"a\":1}"[..], b"2"]);
/// ```
#[derive(Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a fact of its own about the place in the stream"
)]
pub struct Events {
    /// The beginning of an event that is not complete yet.
    begun: Vec<u8>,
    /// The number of bytes of an event to buffer.
    limit: usize,
    /// Whether the event is longer than the buffer may be.
    cut: bool,
    /// Whether a line has begun and is not complete yet.
    within_line: bool,
    /// Whether the event has a line that is not a comment.
    has_fields: bool,
    /// Whether the last byte was a carriage return: a newline that follows belongs to it.
    returned: bool,
    /// Whether this is the first event, which may begin with a byte-order mark.
    first: bool,
}

/// One event of a stream, or the text between two events: a comment, a blank line.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Event<'a> {
    /// The exact bytes, with the blank line that ends it.
    pub bytes: &'a [u8],
    /// The field `event`.
    pub name: Option<Cow<'a, str>>,
    /// The field `id`.
    pub id: Option<Cow<'a, str>>,
    /// The field `retry`, in milliseconds.
    pub retry: Option<u64>,
    /// The fields `data`, joined by newlines.
    pub data: Option<Cow<'a, [u8]>>,
    /// Whether it is only the beginning of an event over the limit. It is longer than the limit.
    pub cut: bool,
    /// Whether the stream ended without the blank line of the event. Clients ignore such an event.
    pub unfinished: bool,
}

/// Bytes to buffer for the fields of an event other than its data.
const MAX_FIELDS: usize = 16 << 10;

/// The capacity of the buffer that is reused from event to event.
const MAX_REUSED: usize = 1 << 20;

impl Events {
    /// Buffers enough of each event to detect data over the limit.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        Self {
            begun: Vec::new(),
            limit: limit.saturating_add(MAX_FIELDS),
            cut: false,
            within_line: false,
            has_fields: false,
            returned: false,
            first: true,
        }
    }

    /// Sets the number of bytes of an event to buffer, also of the one that has begun.
    pub fn set_limit(&mut self, limit: usize) {
        self.limit = limit;
    }

    /// The number of bytes that are buffered.
    #[must_use]
    pub fn buffered(&self) -> usize {
        self.begun.len()
    }

    /// Takes the next bytes, and calls `take` with each event that they complete. Comments and
    /// blank lines between events are given, too, as events without fields.
    pub fn feed(&mut self, mut bytes: &[u8], mut take: impl FnMut(Event<'_>)) {
        // The number of bytes that were read; those before belong to the current event.
        let mut at = 0;
        if std::mem::take(&mut self.returned) && bytes.first() == Some(&b'\n') {
            at = 1;
        }
        while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
            let Some(end) = memchr2(b'\n', b'\r', rest) else {
                self.begin_line(rest);
                break;
            };
            self.begin_line(&rest[..end]);
            let is_blank = !std::mem::take(&mut self.within_line);
            at += end + 1;
            if rest[end] == b'\r' {
                match rest.get(end + 1) {
                    Some(b'\n') => at += 1,
                    Some(_) => {}
                    None => self.returned = true,
                }
            }
            // A comment before an event is given at once: it keeps the connection alive.
            if is_blank || !self.has_fields {
                let (event, rest) = bytes.split_at(at);
                self.complete(event, &mut take);
                (bytes, at) = (rest, 0);
            }
        }
        self.keep(bytes);
    }

    /// Ends the stream: calls `take` with the last event, if it has no blank line.
    pub fn end(&mut self, take: impl FnOnce(Event<'_>)) {
        if !self.begun.is_empty() {
            let event = read(&self.begun, self.first);
            take(Event {
                cut: self.cut,
                unfinished: true,
                ..event
            });
        }
        *self = Self {
            limit: self.limit,
            ..Self::new(0)
        };
    }

    /// Tracks whether the current line is a comment.
    fn begin_line(&mut self, piece: &[u8]) {
        if let Some(first) = piece.first()
            && !self.within_line
        {
            self.within_line = true;
            self.has_fields |= *first != b':';
        }
    }

    fn complete(&mut self, bytes: &[u8], take: &mut impl FnMut(Event<'_>)) {
        if self.begun.is_empty() && bytes.len() <= self.limit {
            take(read(bytes, self.first));
        } else {
            self.keep(bytes);
            let event = read(&self.begun, self.first);
            take(Event {
                cut: self.cut,
                ..event
            });
            self.begun.clear();
            // One long event must not hold its memory for ever.
            self.begun.shrink_to(MAX_REUSED);
        }
        self.cut = false;
        self.has_fields = false;
        self.first = false;
    }

    fn keep(&mut self, bytes: &[u8]) {
        let room = self.limit.saturating_sub(self.begun.len());
        let kept = bytes.get(..room).unwrap_or(bytes);
        self.cut |= kept.len() < bytes.len();
        self.begun.extend_from_slice(kept);
    }
}

impl Event<'_> {
    /// Whether it has no known field: a comment, a blank line, an unknown field.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.name.is_none() && self.id.is_none() && self.retry.is_none() && self.data.is_none()
    }

    /// Whether a line other than data has a character that ends a line for some readers, though not
    /// in the HTML standard: they would read an event that nobody else sees.
    #[must_use]
    pub fn hides_lines(&self) -> bool {
        let mut rest = self.bytes;
        while !rest.is_empty() {
            let end = memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
            let (line, after) = rest.split_at(end);
            rest = after.get(1..).unwrap_or_default();
            if !line.starts_with(b"data:") && ends_lines(line) {
                return true;
            }
        }
        false
    }

    /// The event as a part of an HTTP exchange.
    #[must_use]
    pub fn part(&self) -> Part<'_> {
        Part::Event {
            name: self.name.as_deref(),
            id: self.id.as_deref(),
            retry: self.retry,
        }
    }

    /// Writes the same event with other data.
    pub fn write_with(&self, data: &[u8], out: &mut Vec<u8>) {
        self.write_beside(out);
        for line in data.split(|byte| matches!(byte, b'\n' | b'\r')) {
            write_field("data", line, out);
        }
        out.push(b'\n');
    }

    /// Writes the parts of a skipped event that the stream still needs: a client resumes at the
    /// last id.
    pub fn write_left_out(&self, out: &mut Vec<u8>) {
        if self.id.is_some() || self.retry.is_some() {
            self.write_beside(out);
            out.push(b'\n');
        }
    }

    fn write_beside(&self, out: &mut Vec<u8>) {
        for (field, value) in [("event", &self.name), ("id", &self.id)] {
            if let Some(value) = value {
                write_field(field, value.as_bytes(), out);
            }
        }
        if let Some(retry) = self.retry {
            write_field("retry", retry.to_string().as_bytes(), out);
        }
    }
}

/// Whether a text has a line boundary of Unicode, as Python's `splitlines` knows them.
fn ends_lines(text: &[u8]) -> bool {
    text.iter()
        .any(|byte| matches!(byte, 0x0b | 0x0c | 0x1c..=0x1e))
        || [&b"\xc2\x85"[..], b"\xe2\x80\xa8", b"\xe2\x80\xa9"]
            .iter()
            .any(|separator| memchr::memmem::find(text, separator).is_some())
}

fn write_field(name: &str, value: &[u8], out: &mut Vec<u8>) {
    for piece in [name.as_bytes(), b": ", value, b"\n"] {
        out.extend_from_slice(piece);
    }
}

/// Reads the fields of an event.
fn read(bytes: &[u8], first: bool) -> Event<'_> {
    let mut event = Event {
        bytes,
        name: None,
        id: None,
        retry: None,
        data: None,
        cut: false,
        unfinished: false,
    };
    let mut rest = match bytes.strip_prefix(b"\xef\xbb\xbf") {
        Some(rest) if first => rest,
        _ => bytes,
    };
    while !rest.is_empty() {
        let end = memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
        let (line, after) = rest.split_at(end);
        rest = after.get(1..).unwrap_or_default();
        event.field(line);
    }
    event
}

impl<'a> Event<'a> {
    /// Reads a line. A blank one, which also occurs between a carriage return and its newline, has
    /// no field.
    fn field(&mut self, line: &'a [u8]) {
        let (name, value) = match memchr(b':', line) {
            Some(at) => (&line[..at], &line[at + 1..]),
            None => (line, &b""[..]),
        };
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match name {
            b"event" => self.name = Some(String::from_utf8_lossy(value)),
            b"id" if !value.contains(&0) => self.id = Some(String::from_utf8_lossy(value)),
            b"retry" if value.iter().all(u8::is_ascii_digit) => {
                let number = str::from_utf8(value)
                    .ok()
                    .and_then(|text| text.parse().ok());
                self.retry = number.or(self.retry);
            }
            b"data" => match &mut self.data {
                Some(data) => {
                    let data = data.to_mut();
                    data.push(b'\n');
                    data.extend_from_slice(value);
                }
                none => *none = Some(Cow::Borrowed(value)),
            },
            // Comments and unknown fields.
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BODY: &str = ": hello\nevent: message\nid: 7\n: within\ndata: {}\n\nretry: 3000\n\n: x\n\ndata:a\ndata: b\nother: 1\n\n";

    /// The name, id, retry time and data of each event that has any, and all bytes.
    fn cut(body: &[u8], size: usize) -> (Vec<String>, Vec<u8>) {
        let (mut shown, mut bytes) = (Vec::new(), Vec::new());
        let mut take = |event: Event<'_>| {
            bytes.extend_from_slice(event.bytes);
            if event.is_empty() {
                return;
            }
            let data = event.data.as_deref().map(String::from_utf8_lossy);
            let retry = event.retry.map(|retry| retry.to_string());
            shown.push(format!(
                "{} {} {} {}{}",
                event.name.as_deref().unwrap_or("-"),
                event.id.as_deref().unwrap_or("-"),
                retry.as_deref().unwrap_or("-"),
                data.as_deref().unwrap_or("-"),
                if event.unfinished { " ..." } else { "" },
            ));
        };
        let mut events = Events::new(1000);
        for piece in body.chunks(size) {
            events.feed(piece, &mut take);
        }
        events.end(&mut take);
        (shown, bytes)
    }

    #[test]
    fn any_splitting_gives_the_same_events_and_all_bytes() {
        let expected = ["message 7 - {}", "- - 3000 -", "- - - a\nb"];
        for ends in ["\n", "\r\n", "\r"] {
            for mark in ["", "\u{feff}"] {
                let body = format!("{mark}{}", BODY.replace('\n', ends)).into_bytes();
                for size in 1..=body.len() {
                    let (shown, bytes) = cut(&body, size);
                    assert_eq!(shown, expected, "{ends:?}, pieces of {size}");
                    assert_eq!(bytes, body, "{ends:?}, pieces of {size}");
                }
            }
        }
    }

    #[test]
    fn an_event_without_its_end_is_said_to_be_unfinished() {
        for (body, expected) in [
            ("data: 1\n\ndata: 2", &["- - - 1", "- - - 2 ..."][..]),
            ("data: 1\n\ndata: 2\n", &["- - - 1", "- - - 2 ..."]),
            ("data: 1\n\n: bye", &["- - - 1"]),
            ("data: 1\n\n", &["- - - 1"]),
            ("retry: soon\nretry: +1\nid\n\n", &["-  - -"]),
            ("", &[]),
        ] {
            for size in 1..=body.len().max(1) {
                let (shown, bytes) = cut(body.as_bytes(), size);
                assert_eq!(
                    (&*shown, bytes.len()),
                    (
                        &*expected.iter().map(ToString::to_string).collect::<Vec<_>>(),
                        body.len()
                    ),
                    "{body:?}"
                );
            }
        }
    }

    #[test]
    fn events_and_comments_are_given_as_soon_as_they_are_complete() {
        let mut events = Events::new(1000);
        let mut fed = |piece: &str| {
            let mut count = 0;
            events.feed(piece.as_bytes(), |_| count += 1);
            count
        };
        assert_eq!(
            [
                fed(": ping\n"),
                fed("data: 1\r"),
                fed("\r"),
                fed("\n"),
                fed("data: 2\n"),
                fed("\n")
            ],
            [1, 0, 1, 0, 0, 1]
        );
    }

    #[test]
    fn a_long_event_is_cut_above_the_limit_and_the_next_is_whole() {
        let body = format!("data: {}\n\ndata: 2\n\n", "x".repeat(3 * MAX_FIELDS));
        for size in [1000, body.len()] {
            let mut found = Vec::new();
            let mut events = Events::new(10);
            for piece in body.as_bytes().chunks(size) {
                events.feed(piece, |event| {
                    assert!(event.bytes.len() <= 10 + MAX_FIELDS);
                    found.push((event.cut, event.data.is_some_and(|data| data.len() > 10)));
                });
            }
            assert_eq!(found, [(true, true), (false, false)], "{size}");
        }
    }

    #[test]
    fn lines_that_only_some_readers_see_are_found_outside_of_data() {
        for (text, is_hidden) in [
            (": ping\n", false),
            (": a\u{b}data: {}\u{b}\u{b}\n", true),
            ("id: 1\u{2028}data: {}\ndata: {}\n\n", true),
            ("x\u{85}data: {}\ndata: {}\n\n", true),
            ("id: 1\ndata: \"\u{2028}\"\n\n", false),
        ] {
            let mut found = None;
            Events::new(100).feed(text.as_bytes(), |event| found = Some(event.hides_lines()));
            assert_eq!(found, Some(is_hidden), "{text:?}");
        }
    }

    #[test]
    fn an_event_is_written_with_other_data() {
        let mut out = Vec::new();
        Events::new(100).feed(b"id: 7\nevent: message\ndata: bad\nretry: 5\n\n", |event| {
            event.write_with(b"{\n}", &mut out);
        });
        let text = String::from_utf8(out).unwrap();
        assert_eq!(
            text,
            "event: message\nid: 7\nretry: 5\ndata: {\ndata: }\n\n"
        );
    }
}
