//! Records of the capture format, as text. Somebody else writes them to a file.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use mcp_assay::syntax::{write_number, write_text};
use mcp_assay::{Direction, Headers, Line, Part, Party};

use crate::redact::Redactor;

/// The record of a gap in every session: something of any of them may not have been recorded.
pub const GAP: &str = "{\"dir\":\"s2c\",\"gap\":\"before\"}\n";

/// Writes records one at a time into a buffer that is reused.
///
/// ```
/// use std::time::Duration;
///
/// use mcp_assay::{Direction, Line};
/// use mcp_assay_live::record::RecordWriter;
///
/// let mut writer = RecordWriter::default();
/// let line = Line { bytes: b"{}", unterminated: false };
/// let record = writer.line(Duration::from_millis(1500), Direction::ServerToClient, line);
/// assert_eq!(record, "{\"t\":1.500000,\"dir\":\"s2c\",\"raw\":\"{}\"}\n");
/// ```
#[derive(Debug)]
pub struct RecordWriter {
    record: String,
    /// Nothing if credentials are recorded, too.
    redactor: Option<Redactor>,
}

/// A part of an HTTP exchange, as it is recorded.
#[derive(Clone, Copy, Debug)]
pub struct HttpRecord<'a> {
    /// Since the recording began.
    pub time: Duration,
    /// The number of the exchange.
    pub exchange: i64,
    /// Its direction.
    pub direction: Direction,
    /// The name of the session.
    pub session: &'a str,
    /// The side on which something of the session is missing: `before` or `after`.
    pub gap: Option<&'a str>,
    /// The part.
    pub part: Part<'a>,
    /// The text behind the status.
    pub reason: Option<&'a str>,
    /// The body, or the data of an event.
    pub body: Option<&'a [u8]>,
}

impl RecordWriter {
    /// Records heads of HTTP without credentials, as far as this redactor knows them.
    #[must_use]
    pub fn redacting(redactor: Redactor) -> Self {
        Self {
            record: String::new(),
            redactor: Some(redactor),
        }
    }

    /// Records everything, credentials included.
    #[must_use]
    pub fn with_secrets() -> Self {
        Self {
            record: String::new(),
            redactor: None,
        }
    }

    /// The record of a line of a stdio stream.
    pub fn line(&mut self, time: Duration, direction: Direction, line: Line<'_>) -> &str {
        let record = self.begin(time);
        for piece in ["\"dir\":\"", direction.name(), "\","] {
            record.push_str(piece);
        }
        write_bytes("raw", line.bytes, record);
        if line.unterminated {
            record.push_str(",\"unterminated\":true");
        }
        self.end()
    }

    /// The record of the end of a stdio stream.
    pub fn end_of(&mut self, time: Duration, direction: Direction, by: Party) -> &str {
        let record = self.begin(time);
        let (direction, party) = (direction.name(), by.name());
        let _ = write!(
            record,
            "\"dir\":\"{direction}\",\"end\":true,\"by\":\"{party}\""
        );
        self.end()
    }

    /// The record of a gap: something of a session was not seen.
    pub fn gap(&mut self, time: Duration, session: &str) -> &str {
        let record = self.begin(time);
        record.push_str("\"dir\":\"s2c\",\"session\":");
        write_text(session, record);
        record.push_str(",\"gap\":\"before\"");
        self.end()
    }

    /// The record of a part of an HTTP exchange.
    pub fn http(&mut self, part: &HttpRecord<'_>) -> &str {
        self.begin(part.time);
        let (record, redactor) = (&mut self.record, self.redactor.as_ref());
        let direction = part.direction.name();
        // Writing to memory cannot fail.
        let _ = write!(
            record,
            "\"n\":{},\"dir\":\"{direction}\",\"session\":",
            part.exchange
        );
        write_text(part.session, record);
        if let Some(gap) = part.gap {
            let _ = write!(record, ",\"gap\":\"{gap}\"");
        }
        match part.part {
            Part::Request {
                method,
                path,
                headers,
            } => {
                record.push_str(",\"http\":{\"method\":");
                write_text(method, record);
                record.push_str(",\"path\":");
                let path = redactor.map_or(Cow::Borrowed(path), |redactor| redactor.url(path));
                write_text(&path, record);
                write_headers(headers, redactor, record);
                write_body(part.body, headers, redactor, record);
            }
            Part::Response {
                status,
                headers,
                streamed,
            } => {
                let _ = write!(record, ",\"http\":{{\"status\":{status}");
                if let Some(reason) = part.reason {
                    record.push_str(",\"reason\":");
                    write_text(reason, record);
                }
                write_headers(headers, redactor, record);
                if streamed {
                    record.push_str(",\"stream\":true");
                } else {
                    write_body(part.body, headers, redactor, record);
                }
            }
            Part::Event { name, id, retry } => {
                // The address of the older transport, to which requests with equal URLs go.
                let address = match (name, part.body, redactor) {
                    (Some("endpoint"), Some(data), Some(redactor)) => std::str::from_utf8(data)
                        .ok()
                        .map(|address| redactor.url(address)),
                    _ => None,
                };
                let data = address.as_deref().map(str::as_bytes).or(part.body);
                write_event(name, id, retry, data, record);
            }
            Part::End { by } => {
                record.push_str(",\"end\":true");
                if let Some(party) = by {
                    let _ = write!(record, ",\"by\":\"{}\"", party.name());
                }
            }
        }
        self.end()
    }

    fn begin(&mut self, time: Duration) -> &mut String {
        self.record.clear();
        self.record.push_str("{\"t\":");
        write_number(time.as_secs(), &mut self.record);
        self.record.push('.');
        // Six digits: of a number with a one before them.
        let point = self.record.len();
        write_number(
            1_000_000 + u64::from(time.subsec_micros()),
            &mut self.record,
        );
        self.record.remove(point);
        self.record.push(',');
        &mut self.record
    }

    fn end(&mut self) -> &str {
        self.record.push_str("}\n");
        &self.record
    }
}

/// Records no credentials.
impl Default for RecordWriter {
    fn default() -> Self {
        Self::redacting(Redactor::new())
    }
}

fn write_event(
    name: Option<&str>,
    id: Option<&str>,
    retry: Option<u64>,
    data: Option<&[u8]>,
    record: &mut String,
) {
    record.push_str(",\"sse\":{");
    let begun = record.len();
    let comma = |record: &mut String| {
        if record.len() > begun {
            record.push(',');
        }
    };
    for (member, value) in [("event", name), ("id", id)] {
        if let Some(value) = value {
            comma(record);
            let _ = write!(record, "\"{member}\":");
            write_text(value, record);
        }
    }
    if let Some(retry) = retry {
        comma(record);
        let _ = write!(record, "\"retry\":{retry}");
    }
    if let Some(data) = data {
        comma(record);
        write_bytes("data", data, record);
    }
    record.push('}');
}

/// The last member of the head, and its end.
fn write_headers(headers: Headers<'_>, redactor: Option<&Redactor>, record: &mut String) {
    record.push_str(",\"headers\":[");
    for (position, name, value) in headers.iter() {
        record.push_str(if position > 0 { ",[" } else { "[" });
        write_text(name, record);
        record.push(',');
        let value = redactor.map_or(Cow::Borrowed(value), |redactor| {
            redactor.header(name, value)
        });
        write_text(&value, record);
        record.push(']');
    }
    record.push_str("]}");
}

fn write_body(
    body: Option<&[u8]>,
    headers: Headers<'_>,
    redactor: Option<&Redactor>,
    record: &mut String,
) {
    if let Some(body) = body {
        record.push(',');
        let redacted = redactor.and_then(|redactor| authorisation(body, headers, redactor));
        let body = redacted.as_deref().map_or(body, str::as_bytes);
        write_bytes("body", body, record);
    }
}

/// A form or a document of authorisation without its credentials; nothing if it is another body.
fn authorisation(body: &[u8], headers: Headers<'_>, redactor: &Redactor) -> Option<String> {
    let text = std::str::from_utf8(body).ok()?;
    let media_type = headers.get("content-type")?;
    let is_form = media_type
        .trim_start()
        .get(..33)
        .is_some_and(|start| start.eq_ignore_ascii_case("application/x-www-form-urlencoded"));
    if is_form {
        Some(redactor.form(text))
    } else {
        redactor.document(text)
    }
}

/// A member with the exact bytes: as a string, or in Base64 where they are not UTF-8.
fn write_bytes(name: &str, bytes: &[u8], record: &mut String) {
    match std::str::from_utf8(bytes) {
        Ok(text) => {
            for piece in ["\"", name, "\":"] {
                record.push_str(piece);
            }
            write_text(text, record);
        }
        Err(_) => {
            let _ = write!(record, "\"{name}_b64\":\"{}\"", STANDARD.encode(bytes));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_keep_their_exact_bytes() {
        let mut writer = RecordWriter::default();
        for (bytes, unterminated, expected) in [
            (
                &b"{\"a\":\"\xc3\xa4\"}"[..],
                false,
                r#""raw":"{\"a\":\"ä\"}""#,
            ),
            (b"\xff", true, r#""raw_b64":"/w==","unterminated":true"#),
        ] {
            let line = Line {
                bytes,
                unterminated,
            };
            let record = writer.line(Duration::from_millis(1500), Direction::ServerToClient, line);
            let expected = format!("{{\"t\":1.500000,\"dir\":\"s2c\",{expected}}}\n");
            assert_eq!(record, expected);
        }
    }

    #[test]
    fn heads_are_recorded_without_credentials_unless_they_are_asked_for() {
        let pairs = [("authorization", "Bearer s3cret"), ("accept", "*/*")];
        let record = HttpRecord {
            time: Duration::ZERO,
            exchange: 1,
            direction: Direction::ClientToServer,
            session: "1",
            gap: None,
            part: Part::Request {
                method: "POST",
                path: "/mcp?access_token=s3cret",
                headers: Headers(&pairs),
            },
            reason: None,
            body: Some(b"{}"),
        };
        let mut writer = RecordWriter::default();
        let text = writer.http(&record).to_owned();
        assert!(!text.contains("s3cret"), "{text}");
        for part in [
            "[\"authorization\",\"Bearer redacted-",
            "/mcp?access_token=redacted-",
        ] {
            assert!(text.contains(part), "{text}");
        }
        let mut writer = RecordWriter::with_secrets();
        assert_eq!(writer.http(&record).matches("s3cret").count(), 2);
    }
}
