//! Records of the capture format, as text. Somebody else writes them to a file.

use std::fmt::Write as _;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use mcp_assay::syntax::write_text;
use mcp_assay::{Direction, Headers, Line, Part, Party};

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
#[derive(Debug, Default)]
pub struct RecordWriter {
    record: String,
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
    /// The record of a line of a stdio stream.
    pub fn line(&mut self, time: Duration, direction: Direction, line: Line<'_>) -> &str {
        let record = self.begin(time);
        // Writing to memory cannot fail.
        let _ = write!(record, "\"dir\":\"{}\",", direction.name());
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
        let record = self.begin(part.time);
        let direction = part.direction.name();
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
                write_text(path, record);
                write_headers(headers, record);
                write_body(part.body, record);
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
                write_headers(headers, record);
                if streamed {
                    record.push_str(",\"stream\":true");
                } else {
                    write_body(part.body, record);
                }
            }
            Part::Event { name, id, retry } => write_event(name, id, retry, part.body, record),
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
        let _ = write!(self.record, "{{\"t\":{:.6},", time.as_secs_f64());
        &mut self.record
    }

    fn end(&mut self) -> &str {
        self.record.push_str("}\n");
        &self.record
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
fn write_headers(headers: Headers<'_>, record: &mut String) {
    record.push_str(",\"headers\":[");
    for (position, name, value) in headers.iter() {
        record.push_str(if position > 0 { ",[" } else { "[" });
        write_text(name, record);
        record.push(',');
        write_text(value, record);
        record.push(']');
    }
    record.push_str("]}");
}

fn write_body(body: Option<&[u8]>, record: &mut String) {
    if let Some(body) = body {
        record.push(',');
        write_bytes("body", body, record);
    }
}

/// A member with the exact bytes: as a string, or in Base64 where they are not UTF-8.
fn write_bytes(name: &str, bytes: &[u8], record: &mut String) {
    match std::str::from_utf8(bytes) {
        Ok(text) => {
            let _ = write!(record, "\"{name}\":");
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
}
