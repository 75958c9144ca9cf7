//! Reads a stream of server-sent events on a thread of its own.

use std::io::Read;
use std::sync::mpsc::SyncSender;
use std::time::Instant;

use mcp_assay::{Event, Events};

use super::{Incoming, MOST_BYTES};
use crate::record::Content;

/// Reads events until the stream ends, nobody listens, or there were enough of them.
pub(super) fn read(
    mut body: impl Read,
    exchange: i64,
    sender: &SyncSender<Incoming>,
    begun: Instant,
    most: usize,
) {
    let mut left = most;
    let mut events = Events::new(MOST_BYTES);
    let mut buffer = vec![0; 16 << 10];
    loop {
        let count = match body.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => count,
            // We gave up waiting, or the connection broke: nobody ended the stream.
            Err(_) => return,
        };
        let mut heard = true;
        events.feed(&buffer[..count], |event| {
            if let Some(content) = content(&event, exchange)
                && left > 0
            {
                left -= 1;
                let incoming = Incoming::Content(content, begun.elapsed());
                heard &= sender.send(incoming).is_ok();
            }
        });
        if !heard || left == 0 {
            return;
        }
    }
    // Nobody may be listening any more.
    let _ = sender.send(Incoming::Content(
        Content::End { exchange },
        begun.elapsed(),
    ));
}

/// The fields of an event, if it is more than a comment.
fn content(event: &Event<'_>, exchange: i64) -> Option<Content> {
    (!event.is_empty()).then(|| Content::Event {
        exchange,
        name: event.name.as_deref().map(str::to_owned),
        id: event.id.as_deref().map(str::to_owned),
        retry: event.retry,
        data: event.data.as_deref().unwrap_or_default().to_vec(),
    })
}
