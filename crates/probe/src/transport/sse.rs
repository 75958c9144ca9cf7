//! Reads a stream of server-sent events.

use std::io::{BufRead as _, BufReader, Read};
use std::sync::mpsc::SyncSender;
use std::time::Instant;

use super::{Incoming, MOST_BYTES};
use crate::record::Content;

/// Reads events until the stream ends or nobody listens.
pub(super) fn read(body: impl Read, exchange: i64, sender: &SyncSender<Incoming>, begun: Instant) {
    let mut reader = BufReader::new(body);
    let mut event = Fields::default();
    loop {
        let mut line = Vec::new();
        let read = (&mut reader)
            .take(MOST_BYTES as u64)
            .read_until(b'\n', &mut line);
        match read {
            Ok(1..) => {}
            Ok(_) => break,
            // We gave up waiting, or the connection broke: nobody ended the stream.
            Err(_) => return,
        }
        let line = line.strip_suffix(b"\n").unwrap_or(&line);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if !line.is_empty() {
            event.take(line);
            continue;
        }
        let Some(content) = std::mem::take(&mut event).finish(exchange) else {
            continue;
        };
        if sender
            .send(Incoming::Content(content, begun.elapsed()))
            .is_err()
        {
            return;
        }
    }
    // Nobody may be listening any more.
    let _ = sender.send(Incoming::Content(
        Content::End { exchange },
        begun.elapsed(),
    ));
}

#[derive(Default)]
struct Fields {
    name: Option<String>,
    id: Option<String>,
    retry: Option<u64>,
    data: Option<Vec<u8>>,
}

impl Fields {
    fn take(&mut self, line: &[u8]) {
        let colon = line.iter().position(|byte| *byte == b':');
        let (field, value) = match colon {
            Some(at) => (&line[..at], &line[at + 1..]),
            None => (line, &[][..]),
        };
        let value = value.strip_prefix(b" ").unwrap_or(value);
        let text = || String::from_utf8_lossy(value).into_owned();
        match field {
            b"event" => self.name = Some(text()),
            b"id" => self.id = Some(text()),
            b"retry" => self.retry = text().parse().ok(),
            b"data" => match &mut self.data {
                Some(data) if data.len() < MOST_BYTES => {
                    data.push(b'\n');
                    data.extend_from_slice(value);
                }
                Some(_) => {}
                None => self.data = Some(value.to_vec()),
            },
            // A comment, or a field that means nothing.
            _ => {}
        }
    }

    /// An event, if there was anything but comments.
    fn finish(self, exchange: i64) -> Option<Content> {
        let something = self.name.is_some() || self.id.is_some() || self.retry.is_some();
        if self.data.is_none() && !something {
            return None;
        }
        Some(Content::Event {
            exchange,
            name: self.name,
            id: self.id,
            retry: self.retry,
            data: self.data.unwrap_or_default(),
        })
    }
}
