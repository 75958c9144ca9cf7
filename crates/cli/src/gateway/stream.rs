//! A stream of events on its way to the client, event by event.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use bytes::{Bytes, BytesMut};
use hyper::body::{Body, Frame, Incoming};
use mcp_assay::{Event, Events, MessageKind};
use mcp_assay_contract::canonical::CanonicalError;
use mcp_assay_relay::Broken;

use super::answers;
use super::exchange::Exchange;
use super::service;
use crate::live::Passing;

/// A stream of events.
pub(super) struct Stream {
    from: Incoming,
    exchange: Arc<Exchange>,
    events: Events,
    front: Front,
    /// Whether events are judged before they go on.
    enforces: bool,
    /// What may go on.
    out: BytesMut,
    answer: Answer,
    ended: bool,
}

/// What became of the answer to the request.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Answer {
    /// It did not come yet.
    Awaited,
    /// Something was taken out that may have been it.
    Swallowed,
    /// It went on, as it was or replaced.
    Delivered,
}

/// The beginning of a stream: that of the older transport names an address, which is to be the gateway's.
enum Front {
    /// What came so far may be that.
    Held(BytesMut),
    Past,
}

/// The longest beginning that is held back.
const FRONT: usize = 8 << 10;

impl Stream {
    pub(super) fn new(from: Incoming, exchange: Arc<Exchange>, limit: usize) -> Self {
        let front = if exchange.method() == http::Method::GET {
            Front::Held(BytesMut::new())
        } else {
            Front::Past
        };
        Self {
            from,
            enforces: exchange.gateway.inspector.enforces(),
            exchange,
            events: Events::new(limit),
            front,
            out: BytesMut::new(),
            answer: Answer::Awaited,
            ended: false,
        }
    }

    fn poll(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Broken>>> {
        loop {
            if !self.out.is_empty() {
                return Poll::Ready(Some(Ok(Frame::data(self.out.split().freeze()))));
            }
            if self.ended {
                return Poll::Ready(None);
            }
            match ready!(Pin::new(&mut self.from).poll_frame(context)) {
                Some(Ok(frame)) => {
                    let data = match frame.into_data() {
                        Ok(data) => self.front(data),
                        Err(trailers) => return Poll::Ready(Some(Ok(trailers))),
                    };
                    if data.is_empty() {
                        continue;
                    }
                    self.feed(&data);
                    if !self.enforces {
                        return Poll::Ready(Some(Ok(Frame::data(data))));
                    }
                }
                Some(Err(error)) => {
                    self.ended = true;
                    return Poll::Ready(Some(Err(error.into())));
                }
                None => self.end(),
            }
        }
    }

    /// Looks at what came; in `enforce` what may go on is put out.
    fn feed(&mut self, data: &[u8]) {
        if self.exchange.gateway.inspector.is_idle() {
            return;
        }
        let mut events = std::mem::replace(&mut self.events, Events::new(0));
        events.feed(data, |event| self.event(&event));
        self.events = events;
    }

    fn event(&mut self, event: &Event<'_>) {
        let outcome = if event.is_empty() {
            None
        } else {
            self.exchange.event(event)
        };
        if !self.enforces {
            return;
        }
        let Some(outcome) = outcome else {
            self.out.extend_from_slice(event.bytes);
            return;
        };
        let is_answer = matches!(outcome.kind, MessageKind::Response | MessageKind::Error);
        let mut written = Vec::new();
        match outcome.passing {
            Passing::Forward if !event.cut => self.out.extend_from_slice(event.bytes),
            Passing::Replace => event.write_with(&outcome.text, &mut written),
            Passing::Refuse => {
                service::answer_server(&self.exchange, outcome.text);
                event.write_left_out(&mut written);
            }
            // Only the beginning of a long one is there.
            Passing::Forward | Passing::Drop | Passing::Divert => {
                if is_answer || outcome.kind == MessageKind::Unreadable {
                    self.swallow();
                }
                event.write_left_out(&mut written);
                self.out.extend_from_slice(&written);
                return;
            }
        }
        if is_answer {
            self.answer = Answer::Delivered;
        }
        self.out.extend_from_slice(&written);
    }

    fn swallow(&mut self) {
        if self.answer == Answer::Awaited {
            self.answer = Answer::Swallowed;
        }
    }

    fn end(&mut self) {
        self.ended = true;
        if let Front::Held(held) = std::mem::replace(&mut self.front, Front::Past) {
            self.out.extend_from_slice(&held);
        }
        // An event without its end is none, and does not go on.
        let mut is_cut = false;
        self.events.end(|event| is_cut = event.data.is_some());
        if self.enforces && is_cut {
            self.swallow();
        }
        // Whoever waits for an answer that was taken out must not wait for ever.
        if self.answer == Answer::Swallowed
            && let Some(id) = self.exchange.id()
        {
            let (kind, revision) = (CanonicalError::InvalidOutput, self.exchange.revision());
            let error = answers::error(
                502,
                kind,
                "the server's answer was not valid",
                Some(&id),
                revision,
            );
            self.out.extend_from_slice(b"event: message\ndata: ");
            self.out.extend_from_slice(&error);
            self.out.extend_from_slice(b"\n\n");
        }
        self.exchange.end();
    }

    /// Holds back the beginning of a stream as long as it may name an address; what it gives may go on.
    fn front(&mut self, data: Bytes) -> Bytes {
        let Front::Held(mut held) = std::mem::replace(&mut self.front, Front::Past) else {
            return data;
        };
        held.extend_from_slice(&data);
        if !names_address(&held) || held.len() >= FRONT {
            return held.freeze();
        }
        let (mut named, mut length) = (None, 0);
        Events::new(FRONT).feed(&held, |event| {
            if length == 0 {
                length = event.bytes.len();
                named = event.data.as_deref().and_then(|address| {
                    let mut named = Vec::new();
                    let here = self.here(std::str::from_utf8(address).ok()?)?;
                    event.write_with(here.as_bytes(), &mut named);
                    Some(named)
                });
            }
        });
        if length == 0 {
            self.front = Front::Held(held);
            return Bytes::new();
        }
        let Some(mut named) = named else {
            return held.freeze();
        };
        named.extend_from_slice(&held[length..]);
        named.into()
    }

    /// What an address of the server is called here, if it is called otherwise.
    fn here(&self, address: &str) -> Option<String> {
        let upstream = self.exchange.upstream();
        if address.starts_with('/') && upstream.keeps_paths() {
            return None;
        }
        upstream.path_here(address)
    }
}

impl Body for Stream {
    type Data = Bytes;
    type Error = Broken;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Broken>>> {
        self.get_mut().poll(context)
    }
}

/// Whether this is, or may become, the event that names an address.
fn names_address(beginning: &[u8]) -> bool {
    [&b"event: endpoint"[..], b"event:endpoint"]
        .iter()
        .any(|name| {
            let length = name.len().min(beginning.len());
            name[..length] == beginning[..length]
        })
}
