//! A stream of events on its way to the client, event by event.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use bytes::{Bytes, BytesMut};
use hyper::body::{Body, Frame, Incoming};
use mcp_assay::Events;
use mcp_assay_live::http::{DecodeError, Decoder, Method, Share};
use mcp_assay_live::metrics::Counters as _;

use super::exchange::Exchange;
use crate::net::{Broken, Failure};

/// A stream of events.
pub(crate) struct Stream {
    from: Incoming,
    exchange: Arc<Exchange>,
    events: Events,
    /// The bytes of an event to buffer.
    limit: usize,
    /// The memory for an event that is not complete yet.
    share: Share,
    /// Whether there is no memory for the rest of the event.
    is_short: bool,
    /// Undoes the content codings.
    decoder: Option<Decoder>,
    front: Front,
    /// Whether events are checked before they go on.
    enforces: bool,
    /// Bytes that may go on.
    out: Vec<u8>,
    ended: bool,
}

/// The beginning of a stream: that of the older transport names an address, which is to be the
/// gateway's.
enum Front {
    /// The bytes so far may be that.
    Held(BytesMut),
    Past,
}

const UNDECODABLE: &str = "the stream cannot be decoded";

/// Bytes of an event that every stream may hold.
const UNCOUNTED: usize = 16 << 10;

/// The longest beginning that is held back.
const FRONT: usize = 8 << 10;

impl Stream {
    pub(crate) fn new(
        from: Incoming,
        exchange: Arc<Exchange>,
        limit: usize,
        decoder: Option<Decoder>,
    ) -> Self {
        let enforces = exchange.gateway.inspector.enforces();
        // In `shadow` coded bytes go on as they are.
        let front = if exchange.method() == Method::Get && (enforces || decoder.is_none()) {
            Front::Held(BytesMut::new())
        } else {
            Front::Past
        };
        Self {
            from,
            enforces,
            events: Events::new(limit),
            limit,
            share: Share::new(&exchange.gateway.budget),
            is_short: false,
            decoder,
            front,
            out: Vec::new(),
            ended: false,
            exchange,
        }
    }

    fn poll(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Broken>>> {
        loop {
            if !self.out.is_empty() {
                return Poll::Ready(Some(Ok(Frame::data(std::mem::take(&mut self.out).into()))));
            }
            if self.ended {
                return Poll::Ready(None);
            }
            match ready!(Pin::new(&mut self.from).poll_frame(context)) {
                Some(Ok(frame)) => {
                    let data = match frame.into_data() {
                        Ok(data) => data,
                        Err(trailers) => return Poll::Ready(Some(Ok(trailers))),
                    };
                    let Ok(decoded) = self.decode(&data) else {
                        if self.enforces {
                            return Poll::Ready(Some(Err(self.undecodable())));
                        }
                        self.exchange.unchecked();
                        return Poll::Ready(Some(Ok(Frame::data(data))));
                    };
                    let decoded = self.front(decoded);
                    if !decoded.is_empty() {
                        self.feed(&decoded);
                    }
                    if self.enforces {
                        continue;
                    }
                    let forwarded = if self.decoder.is_some() {
                        data
                    } else {
                        decoded
                    };
                    if !forwarded.is_empty() {
                        return Poll::Ready(Some(Ok(Frame::data(forwarded))));
                    }
                }
                Some(Err(error)) => {
                    self.ended = true;
                    self.exchange.failed(&Failure::of_http(&error));
                    return Poll::Ready(Some(Err(error.into())));
                }
                None => {
                    let whole = self.decoder.as_mut().map_or(Ok(()), Decoder::finish);
                    if whole.is_err() && self.enforces {
                        return Poll::Ready(Some(Err(self.undecodable())));
                    }
                    self.end();
                }
            }
        }
    }

    /// Undoes the content codings of a piece. After a failure nothing more is checked.
    fn decode(&mut self, data: &Bytes) -> Result<Bytes, DecodeError> {
        match &mut self.decoder {
            None => Ok(data.clone()),
            Some(decoder) => Ok(decoder.decode(data)?.into()),
        }
    }

    fn undecodable(&mut self) -> Broken {
        self.ended = true;
        self.exchange.gateway.metrics.blocked();
        self.exchange.broke();
        UNDECODABLE.into()
    }

    /// Checks a piece of the stream; in `enforce` puts out the part that is forwarded.
    fn feed(&mut self, data: &[u8]) {
        if self.exchange.gateway.inspector.is_off() {
            return;
        }
        let Self {
            events,
            exchange,
            out,
            is_short,
            ..
        } = self;
        events.feed(data, |event| {
            if event.cut && std::mem::take(is_short) {
                return exchange.unread_event(&event, out);
            }
            if let Some(answer) = exchange.event(&event, out) {
                exchange.answer_server(answer);
            }
        });
        self.bound();
    }

    /// Buffers no more of the event that has begun if there is no memory for it.
    fn bound(&mut self) {
        let held = self.events.buffered();
        let counted = if held > UNCOUNTED { held } else { 0 };
        if !self.is_short {
            self.is_short = !self.share.resize(counted);
            let limit = if self.is_short { held } else { self.limit };
            self.events.set_limit(limit);
        }
    }

    fn end(&mut self) {
        self.ended = true;
        if let Front::Held(held) = std::mem::replace(&mut self.front, Front::Past) {
            self.out.extend_from_slice(&held);
        }
        let Self {
            events,
            exchange,
            out,
            ..
        } = self;
        events.end(|event| exchange.end(Some(&event), out));
        exchange.end(None, out);
    }

    /// Holds back the beginning of a stream as long as it may name an address; what it gives may go
    /// on.
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

    /// Maps an address of the server to the gateway, if they differ.
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
