//! Bodies as they leave the layer: of requests to the handler, of responses to the client.

use std::collections::VecDeque;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::{Buf, Bytes};
use http::HeaderMap;
use http::header::CONTENT_LENGTH;
use http::response::Parts;
use http_body::{Body, Frame, SizeHint};
use mcp_assay::Events;
use mcp_assay_live::http::{BodyBuffer, Coding, Decoder};

use crate::exchange::Exchange;

/// The body of a request: the part that was read for the check, and the rest.
pub struct RequestBody<B: Body>(pub(crate) Prefixed<B>);

/// The body of a response: checked already, or while it is forwarded.
pub struct ResponseBody<B: Body>(Inner<B>);

enum Inner<B: Body> {
    Prefixed(Prefixed<B>),
    Watched(Box<Watched<B>>),
    Stream(Box<Stream<B>>),
}

impl<B: Body> ResponseBody<B> {
    pub(crate) fn prefixed(body: Prefixed<B>) -> Self {
        Self(Inner::Prefixed(body))
    }

    /// Checks a body when all of it was forwarded.
    pub(crate) fn watched(
        body: Pin<Box<B>>,
        head: Parts,
        codings: Vec<Coding>,
        exchange: Exchange,
    ) -> Self {
        let length = head.headers.get(CONTENT_LENGTH);
        let length = length.and_then(|value| value.to_str().ok()?.parse().ok());
        Self(Inner::Watched(Box::new(Watched {
            body,
            copy: BodyBuffer::new(exchange.shared.limit()),
            passed: 0,
            length,
            codings,
            checking: Some((head, exchange)),
        })))
    }

    /// Checks a stream event by event.
    pub(crate) fn stream(body: Pin<Box<B>>, exchange: Exchange, codings: &[Coding]) -> Self {
        let limit = exchange.shared.limit();
        Self(Inner::Stream(Box::new(Stream {
            body,
            events: Events::new(limit),
            decoder: (!codings.is_empty()).then(|| Decoder::new(codings, limit)),
            exchange,
            ready: VecDeque::new(),
            is_over: false,
        })))
    }
}

impl<B: Body> Body for RequestBody<B> {
    type Data = Bytes;
    type Error = B::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, B::Error>>> {
        self.0.poll(context)
    }

    fn is_end_stream(&self) -> bool {
        self.0.is_end()
    }

    fn size_hint(&self) -> SizeHint {
        self.0.size()
    }
}

impl<B: Body> Body for ResponseBody<B> {
    type Data = Bytes;
    type Error = B::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, B::Error>>> {
        match &mut self.0 {
            Inner::Prefixed(body) => body.poll(context),
            Inner::Watched(watched) => watched.poll(context),
            Inner::Stream(stream) => stream.poll(context),
        }
    }

    fn is_end_stream(&self) -> bool {
        match &self.0 {
            Inner::Prefixed(body) => body.is_end(),
            // A body that is not checked yet has to be polled once more.
            Inner::Watched(watched) => watched.checking.is_none() && watched.body.is_end_stream(),
            Inner::Stream(stream) => stream.is_over && stream.ready.is_empty(),
        }
    }

    fn size_hint(&self) -> SizeHint {
        match &self.0 {
            Inner::Prefixed(body) => body.size(),
            Inner::Watched(watched) => watched.body.size_hint(),
            Inner::Stream(_) => SizeHint::default(),
        }
    }
}

/// A body of which the beginning was read.
pub(crate) struct Prefixed<B: Body> {
    bytes: Option<Bytes>,
    then: Then<B>,
}

/// The rest of a body, after the bytes that were read.
pub(crate) enum Then<B: Body> {
    /// Nothing but the trailers.
    End(Option<HeaderMap>),
    /// The rest of the body.
    Rest(Pin<Box<B>>),
    /// The body broke off.
    Failed(Option<Box<B::Error>>),
}

impl<B: Body> Prefixed<B> {
    pub(crate) fn new(bytes: Bytes, then: Then<B>) -> Self {
        Self {
            bytes: (!bytes.is_empty()).then_some(bytes),
            then,
        }
    }

    /// A body that takes the place of another.
    pub(crate) fn instead(bytes: Bytes) -> Self {
        Self::new(bytes, Then::End(None))
    }

    /// A body of which nothing was read.
    pub(crate) fn untouched(body: Pin<Box<B>>) -> Self {
        Self::new(Bytes::new(), Then::Rest(body))
    }

    fn poll(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, B::Error>>> {
        if let Some(bytes) = self.bytes.take() {
            return Poll::Ready(Some(Ok(Frame::data(bytes))));
        }
        match &mut self.then {
            Then::End(trailers) => Poll::Ready(
                trailers
                    .take()
                    .map(|trailers| Ok(Frame::trailers(trailers))),
            ),
            Then::Rest(body) => body.as_mut().poll_frame(context).map_ok(into_bytes),
            Then::Failed(error) => Poll::Ready(error.take().map(|error| Err(*error))),
        }
    }

    fn is_end(&self) -> bool {
        self.bytes.is_none()
            && match &self.then {
                Then::End(trailers) => trailers.is_none(),
                Then::Rest(body) => body.is_end_stream(),
                Then::Failed(error) => error.is_none(),
            }
    }

    fn size(&self) -> SizeHint {
        let read = self.bytes.as_ref().map_or(0, Bytes::len) as u64;
        match &self.then {
            Then::End(_) => SizeHint::with_exact(read),
            Then::Rest(body) => {
                let rest = body.size_hint();
                let mut size = SizeHint::default();
                if let Some(upper) = rest.upper() {
                    size.set_upper(upper.saturating_add(read));
                }
                size.set_lower(rest.lower().saturating_add(read));
                size
            }
            Then::Failed(_) => SizeHint::default(),
        }
    }
}

/// Reads a body until it ends or is longer than the limit. Gives what follows the part that was
/// read; `None` if that is the rest of the body.
pub(crate) fn poll_read<B: Body>(
    body: &mut Pin<Box<B>>,
    limit: usize,
    buffer: &mut BodyBuffer,
    context: &mut Context<'_>,
) -> Poll<Option<Then<B>>> {
    loop {
        match ready!(body.as_mut().poll_frame(context)) {
            None => return Poll::Ready(Some(Then::End(None))),
            Some(Err(error)) => return Poll::Ready(Some(Then::Failed(Some(Box::new(error))))),
            Some(Ok(frame)) => match into_bytes(frame).into_data() {
                Ok(data) => {
                    buffer.add(&data);
                    if buffer.len() >= limit {
                        return Poll::Ready(None);
                    }
                }
                // Trailers are the last that comes.
                Err(frame) => return Poll::Ready(Some(Then::End(frame.into_trailers().ok()))),
            },
        }
    }
}

/// A body that is forwarded, and of which a copy is checked at its end.
struct Watched<B> {
    body: Pin<Box<B>>,
    copy: BodyBuffer,
    passed: u64,
    /// The length that the head names: some servers do not ask for more after that.
    length: Option<u64>,
    codings: Vec<Coding>,
    checking: Option<(Parts, Exchange)>,
}

impl<B: Body> Watched<B> {
    fn poll(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, B::Error>>> {
        let frame =
            ready!(self.body.as_mut().poll_frame(context)).map(|frame| frame.map(into_bytes));
        let is_over = match &frame {
            Some(Ok(frame)) => {
                if let Some(data) = frame.data_ref() {
                    self.passed += data.len() as u64;
                    self.copy.add(data);
                }
                self.body.is_end_stream() || self.length == Some(self.passed)
            }
            None => true,
            // The missing part is not known.
            Some(Err(_)) => {
                self.checking = None;
                false
            }
        };
        if is_over && let Some((head, mut exchange)) = self.checking.take() {
            let copy = self.copy.take();
            if self.codings.is_empty() {
                exchange.response(&head, &copy);
            } else {
                let decoder = Decoder::new(&self.codings, exchange.shared.limit());
                match decoder.decode_whole(&copy) {
                    Ok(plain) => {
                        exchange.response(&head, &plain.into());
                    }
                    Err(_) => exchange.unchecked(),
                }
            }
        }
        Poll::Ready(frame)
    }
}

/// A stream of events that are checked as they come.
struct Stream<B> {
    body: Pin<Box<B>>,
    events: Events,
    /// Undoes the content codings.
    decoder: Option<Decoder>,
    exchange: Exchange,
    /// The frames that go on next.
    ready: VecDeque<Frame<Bytes>>,
    is_over: bool,
}

impl<B: Body> Stream<B> {
    fn poll(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, B::Error>>> {
        loop {
            if let Some(frame) = self.ready.pop_front() {
                return Poll::Ready(Some(Ok(frame)));
            }
            if self.is_over {
                return Poll::Ready(None);
            }
            match ready!(self.body.as_mut().poll_frame(context)) {
                Some(Ok(frame)) => match into_bytes(frame).into_data() {
                    Ok(data) => self.forward(data),
                    Err(trailers) => {
                        self.end();
                        self.ready.push_back(trailers);
                    }
                },
                Some(Err(error)) => {
                    self.is_over = true;
                    self.exchange.unchecked();
                    return Poll::Ready(Some(Err(error)));
                }
                None => self.end(),
            }
        }
    }

    /// Checks what is complete. In `shadow` the bytes go on as they came; in `enforce`, the whole
    /// events that may.
    fn forward(&mut self, data: Bytes) {
        let mut out = Vec::new();
        let exchange = &mut self.exchange;
        let decoded = match &mut self.decoder {
            None => Ok(data.clone()),
            Some(decoder) => decoder.decode(&data).map(Bytes::from),
        };
        let Ok(decoded) = decoded else {
            // Nothing more of it can be read: in `enforce` it is at its end.
            exchange.unchecked();
            if exchange.shared.enforces() {
                self.end();
            } else {
                self.push(data);
            }
            return;
        };
        self.events
            .feed(&decoded, |event| exchange.event(&event, &mut out));
        let forwarded = if exchange.shared.enforces() {
            out.into()
        } else {
            data
        };
        self.push(forwarded);
    }

    fn end(&mut self) {
        if std::mem::replace(&mut self.is_over, true) {
            return;
        }
        let mut out = Vec::new();
        let exchange = &mut self.exchange;
        self.events
            .end(|event| exchange.end(Some(&event), &mut out));
        self.exchange.end(None, &mut out);
        self.push(out.into());
    }

    fn push(&mut self, bytes: Bytes) {
        if !bytes.is_empty() {
            self.ready.push_back(Frame::data(bytes));
        }
    }
}

/// Data in whatever form as bytes; those that are already are not copied.
fn into_bytes<D: Buf>(frame: Frame<D>) -> Frame<Bytes> {
    frame.map_data(|mut data| data.copy_to_bytes(data.remaining()))
}
