//! The records that readers give out.

mod documents;
mod logs;

use std::fmt::Write as _;
use std::io;

use mcp_assay::{Direction, Limits};

use super::*;
use crate::lines::{Line, Lines};

/// Writes down what it is given, one line each.
#[derive(Default)]
struct Notes {
    lines: Vec<String>,
    times: Vec<Option<f64>>,
    entries: bool,
}

impl Sink for Notes {
    fn record(&mut self, record: &Record<'_>) -> io::Result<()> {
        let mut note = place(record.line, record.direction, record.session.as_deref());
        if let Some(exchange) = record.exchange {
            write!(note, " n={exchange}").unwrap();
        }
        if record.fidelity == Fidelity::Reserialised {
            note.push_str(" lossy");
        }
        if record.unterminated {
            note.push_str(" unterminated");
        }
        if record.gap == Some(Gap::Before) {
            note.push_str(" gap");
        }
        let mut buffer = Vec::new();
        let mut shown = |payload: Option<&record::Payload<'_>>| match payload {
            Some(payload) => match payload.bytes(&mut buffer) {
                Ok(bytes) => String::from_utf8_lossy(bytes).into_owned(),
                Err(broken) => format!("<{broken}>"),
            },
            None => "-".to_owned(),
        };
        let text =
            |text: &Option<std::borrow::Cow<'_, str>>| text.as_deref().unwrap_or("-").to_owned();
        let headers = |headers: &http::Headers<'_>| {
            let pairs = headers
                .0
                .iter()
                .map(|(name, value)| format!("{name}={value}"));
            pairs.collect::<Vec<_>>().join("&")
        };
        let content = match &record.content {
            Content::Message(payload) => format!("message {}", shown(Some(payload))),
            Content::Line(payload) => format!("line {}", shown(Some(payload))),
            Content::Request(head, body) => format!(
                "request {} {} [{}] {}",
                text(&head.method),
                text(&head.path),
                headers(&head.headers),
                shown(body.as_ref())
            ),
            Content::Response(head, body) => format!(
                "response {} {} [{}]{} {}",
                head.status.unwrap_or_default(),
                text(&head.reason),
                headers(&head.headers),
                if head.streamed { " streamed" } else { "" },
                shown(body.as_ref())
            ),
            Content::Event(event) => format!(
                "event {} {} {} {}",
                text(&event.name),
                text(&event.id),
                event
                    .retry
                    .map_or("-".to_owned(), |retry| retry.to_string()),
                shown(event.data.as_ref())
            ),
            Content::End { .. } => "end".to_owned(),
            Content::Nothing => "nothing".to_owned(),
        };
        self.lines.push(format!("{note}: {content}"));
        self.times.push(record.time);
        Ok(())
    }

    fn lost(&mut self, lost: &Lost<'_>) -> io::Result<()> {
        let note = place(lost.line, lost.direction, lost.session);
        self.lines.push(format!("{note}: LOST {}", lost.why));
        self.times.push(None);
        Ok(())
    }

    fn number_entries(&mut self) {
        self.entries = true;
    }
}

fn place(line: u64, direction: Option<Direction>, session: Option<&str>) -> String {
    let mut note = format!("{line} {}", direction.map_or("?", Direction::name));
    if let Some(session) = session {
        write!(note, " ({session})").unwrap();
    }
    note
}

/// The format of this name.
pub(crate) fn format(name: &str) -> Format {
    Format::named(name).expect("a reader has this name")
}

/// The records that a reader gives out, of a text that is detected as its format.
fn read(name: &str, text: &str) -> (Vec<String>, Vec<Option<f64>>, Reading) {
    let format = format(name);
    let limits = Limits::DEFAULT;
    let detected = detect::detect(text.as_bytes(), true, &limits);
    assert!(
        matches!(detected, Some(Detected::Format(found)) if found == format),
        "{detected:?}: {text}"
    );
    let mut notes = Notes::default();
    let mut reading = format.reading();
    match LineReader::new(format) {
        None => {
            let read = format.read_document(text.as_bytes(), &limits, &mut reading, &mut notes);
            read.unwrap();
        }
        Some(mut reader) => {
            let mut lines = Lines::new(text.as_bytes(), limits.bytes);
            while let Some(line) = lines.next(|_| limits.bytes, || ()).unwrap() {
                reader.line(line, &limits, &mut notes).unwrap();
            }
            reader.end(&mut notes).unwrap();
        }
    }
    if notes.entries {
        let numbered = notes.lines.iter().map(|line| format!("#{line}"));
        notes.lines = numbered.collect();
    }
    (notes.lines, notes.times, reading)
}

#[track_caller]
fn check(format: &str, text: &str, expected: &[&str]) {
    let (lines, ..) = read(format, text);
    assert_eq!(lines, expected, "{text}");
}

#[test]
fn our_records_keep_everything() {
    let text = r#"{"t":1.5,"dir":"c2s","raw":"a\nb","unterminated":true,"session":"s"}
{"n":4,"dir":"c2s","http":{"method":"POST","path":"/mcp?x","headers":[["Accept","a"],["accept","b"]]},"body":"{}"}
{"n":4,"dir":"s2c","http":{"status":200,"reason":"OK","headers":[["content-type","text/event-stream"]]},"stream":true}
{"n":4,"dir":"s2c","sse":{"event":"message","id":"7","retry":3000,"data":"x"}}
{"n":4,"dir":"s2c","end":true}
{"n":5,"dir":"c2s","http":{"method":"GET","path":"/mcp"}}
{"n":4,"dir":"s2c","sse":{"retry":"1500","data":"y"}}
{"n":4,"dir":"s2c","sse":{"retry":"+15","data":"y"}}
"#;
    let (lines, times, reading) = read("capture", text);
    assert_eq!(
        lines,
        [
            "1 c2s (s) unterminated: line a\nb",
            "2 c2s n=4: request POST /mcp?x [Accept=a&accept=b] {}",
            "3 s2c n=4: response 200 OK [content-type=text/event-stream] streamed -",
            "4 s2c n=4: event message 7 3000 x",
            "5 s2c n=4: end",
            "6 c2s n=5: request GET /mcp [] -",
            "7 s2c n=4: event - - 1500 y",
            "8 ?: LOST `sse.retry` is not a number of milliseconds",
        ]
    );
    assert_eq!(times[0], Some(1.5));
    assert_eq!(reading.sentence(), None);
}

/// Every reader is given every sample, cut at every byte and with bytes that do not belong there.
#[test]
fn hostile_input_does_no_harm() {
    let samples = [
        r#"2025-07-12T05:51:44.5Z [a] [info] Message from client: {"a":"\"b"} { metadata: undefined }"#,
        r#"2026-07-24 02:03:14.031 [trace] [editor -> server] {"a":[1,{}]}"#,
        r#"2026-07-24 02:03:14.031 [warning] Failed to parse message: "x\n""#,
        r#"{"seq":1,"direction":"client-to-server","transport":"streamable-http","kind":"http","headers":{"a":"b"}}"#,
        r#"[supergateway] StreamableHttp → Child (session a): {"id":1,"method":"initialize"}"#,
        r#"{"time":"2026-01-01T00:00:00Z","level":"info","msg":"Child → SSE:","data":{"id":1}}"#,
        r#"{"ts":1e400,"from":"client","sessionId":"s","payload":"{\"jsonrpc\":\"2.0\"}\n"}"#,
        r#"[{"id":"1","timestamp":"2026-01-01T00:00:00Z","origin":"client","message":{"id":1},"response":{},"duration":1e999}]"#,
        r#"[{"url":"","requestHeaders":{},"requestBody":"{\"jsonrpc\":1,\"method\":\"ping\"}","responseStatus":200,"timestamp":1e400}]"#,
        r#"{"log":{"entries":[{"startedDateTime":"9999-12-31T23:59:59Z","time":-1e300,"request":{"url":"://","method":"GET","headers":[{"name":"mcp-x","value":""}]},"response":{"status":200,"headers":[],"content":{"mimeType":"text/event-stream","text":"event: endpoint\ndata: ?\n\n"}}}]}}"#,
    ];
    let limits = Limits::DEFAULT;
    for sample in samples {
        for length in 0..=sample.len() {
            for garble in [None, Some(b'"'), Some(b'\\'), Some(0xff), Some(b'\n')] {
                let mut bytes = sample.as_bytes()[..length].to_vec();
                bytes.extend(garble);
                bytes.extend(
                    garble
                        .map(|_| &sample.as_bytes()[length..])
                        .unwrap_or_default(),
                );
                let found = detect::detect(&bytes, true, &limits);
                assert!(found.is_some());
                for format in Format::all() {
                    let mut notes = Notes::default();
                    let mut reading = format.reading();
                    match LineReader::new(format) {
                        None => {
                            format
                                .read_document(&bytes, &limits, &mut reading, &mut notes)
                                .unwrap();
                        }
                        Some(mut reader) => {
                            for cut in [false, true] {
                                let line = Line {
                                    number: 1,
                                    bytes: &bytes,
                                    cut,
                                };
                                reader.line(line, &limits, &mut notes).unwrap();
                            }
                            reader.end(&mut notes).unwrap();
                        }
                    }
                }
            }
        }
    }
}
