//! Records of HTTP exchanges.

use std::io::Write as _;
use std::time::Duration;

use mcp_assay::{Direction, Headers, Part};

use super::{Recorder, write_bytes};
use crate::capture::Gap;

/// A part of an HTTP exchange, as it is recorded.
#[derive(Clone, Copy)]
pub(crate) struct HttpRecord<'a> {
    pub(crate) time: Duration,
    /// The number of the exchange.
    pub(crate) exchange: i64,
    pub(crate) direction: Direction,
    pub(crate) session: &'a str,
    /// Where something of the session is missing.
    pub(crate) gap: Option<Gap>,
    pub(crate) part: Part<'a>,
    /// The text behind the status.
    pub(crate) reason: Option<&'a str>,
    /// The body, or the data of an event.
    pub(crate) body: Option<&'a [u8]>,
}

impl Recorder {
    /// Records that something of a session was not seen.
    pub(crate) fn gap(&mut self, time: Duration, session: &str) {
        let mut record = std::mem::take(&mut self.record);
        record.clear();
        // Writing to memory cannot fail.
        let _ = write!(
            record,
            "{{\"t\":{:.6},\"dir\":\"s2c\",\"session\":",
            time.as_secs_f64()
        );
        text(session, &mut record);
        let _ = writeln!(record, ",\"gap\":\"{}\"}}", Gap::Before.name());
        self.write(&record);
        self.record = record;
    }

    /// Records a part of an HTTP exchange.
    pub(crate) fn http(&mut self, part: &HttpRecord<'_>) {
        let mut record = std::mem::take(&mut self.record);
        record.clear();
        // Writing to memory cannot fail.
        let _ = write!(
            record,
            "{{\"t\":{:.6},\"n\":{},\"dir\":\"{}\",\"session\":",
            part.time.as_secs_f64(),
            part.exchange,
            part.direction.name()
        );
        text(part.session, &mut record);
        if let Some(gap) = part.gap {
            let _ = write!(record, ",\"gap\":\"{}\"", gap.name());
        }
        match part.part {
            Part::Request {
                method,
                path,
                headers,
            } => {
                record.extend_from_slice(b",\"http\":{\"method\":");
                text(method, &mut record);
                record.extend_from_slice(b",\"path\":");
                text(path, &mut record);
                write_headers(headers, &mut record);
                write_body(part.body, &mut record);
            }
            Part::Response {
                status,
                headers,
                streamed,
            } => {
                let _ = write!(record, ",\"http\":{{\"status\":{status}");
                if let Some(reason) = part.reason {
                    record.extend_from_slice(b",\"reason\":");
                    text(reason, &mut record);
                }
                write_headers(headers, &mut record);
                if streamed {
                    record.extend_from_slice(b",\"stream\":true");
                } else {
                    write_body(part.body, &mut record);
                }
            }
            Part::Event { name, id, retry } => write_event(name, id, retry, part.body, &mut record),
            Part::End => record.extend_from_slice(b",\"end\":true"),
        }
        record.extend_from_slice(b"}\n");
        self.write(&record);
        self.record = record;
    }
}

fn write_event(
    name: Option<&str>,
    id: Option<&str>,
    retry: Option<u64>,
    data: Option<&[u8]>,
    record: &mut Vec<u8>,
) {
    record.extend_from_slice(b",\"sse\":{");
    let begun = record.len();
    for (member, value) in [("event", name), ("id", id)] {
        if let Some(value) = value {
            comma(begun, record);
            let _ = write!(record, "\"{member}\":");
            text(value, record);
        }
    }
    if let Some(retry) = retry {
        comma(begun, record);
        let _ = write!(record, "\"retry\":{retry}");
    }
    if let Some(data) = data {
        comma(begun, record);
        write_bytes("data", data, record);
    }
    record.push(b'}');
}

/// Separates a member from the one before it, if there is one.
fn comma(begun: usize, record: &mut Vec<u8>) {
    if record.len() > begun {
        record.push(b',');
    }
}

/// The last member of the head, and its end.
fn write_headers(headers: Headers<'_>, record: &mut Vec<u8>) {
    record.extend_from_slice(b",\"headers\":[");
    for (position, name, value) in headers.iter() {
        record.extend_from_slice(if position > 0 { b",[" } else { b"[" });
        text(name, record);
        record.push(b',');
        text(value, record);
        record.push(b']');
    }
    record.extend_from_slice(b"]}");
}

fn write_body(body: Option<&[u8]>, record: &mut Vec<u8>) {
    if let Some(body) = body {
        record.push(b',');
        write_bytes("body", body, record);
    }
}

fn text(text: &str, record: &mut Vec<u8>) {
    // Writing to memory cannot fail.
    let _ = serde_json::to_writer(record, text);
}
