//! The body of a response on its way to the client.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http::header::{CONTENT_ENCODING, CONTENT_TYPE};
use hyper::body::{Body as _, Frame, Incoming, SizeHint};
use mcp_assay_live::http::{BodyBuffer, Decoder};
use tokio::time::{Instant, Sleep};

use super::exchange::Exchange;
use super::state::State;
use crate::headers;
use crate::inspect::ResponseHead;
use crate::net::{Body, Broken, Failure};

/// A body that is forwarded, and a copy for the check.
struct Forwarded {
    gateway: Arc<State>,
    from: Incoming,
    /// The beginning, if it was held back.
    before: Bytes,
    /// Gets the copy when it is complete.
    observer: Option<(Arc<Exchange>, Box<ResponseHead>)>,
    copy: BodyBuffer,
    /// The length of the copy, and of what it is decoded to.
    limit: usize,
    stall: StallTimer,
}

/// Forwards a body as it comes. The copy is one byte longer than a message may be, so that the
/// check reports a message that is too long.
pub(crate) fn forward(
    from: Incoming,
    gateway: &Arc<State>,
    observer: Option<(Arc<Exchange>, Box<ResponseHead>)>,
) -> Body {
    let limit = gateway.message_limit.saturating_add(1);
    Box::pin(Forwarded {
        gateway: Arc::clone(gateway),
        from,
        before: Bytes::new(),
        observer,
        copy: BodyBuffer::new(limit).within(&gateway.budget),
        limit,
        stall: StallTimer::new(gateway.response_timeout),
    })
}

/// Forwards a body whose beginning was held back.
pub(crate) fn forward_rest(before: Bytes, from: Incoming, gateway: &Arc<State>) -> Body {
    Box::pin(Forwarded {
        gateway: Arc::clone(gateway),
        from,
        before,
        observer: None,
        copy: BodyBuffer::new(0),
        limit: 0,
        stall: StallTimer::new(gateway.response_timeout),
    })
}

impl Forwarded {
    fn poll(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Broken>>> {
        if !self.before.is_empty() {
            let before = std::mem::take(&mut self.before);
            return Poll::Ready(Some(Ok(Frame::data(before))));
        }
        let Poll::Ready(frame) = Pin::new(&mut self.from).poll_frame(context) else {
            return match self.stall.poll(context) {
                Poll::Ready(()) => {
                    let failure = Failure::stalled();
                    self.gateway.upstream_failed(&failure);
                    Poll::Ready(Some(Err(failure.reason.into())))
                }
                Poll::Pending => Poll::Pending,
            };
        };
        self.stall.reset();
        match &frame {
            Some(Ok(frame)) => {
                if let Some(data) = frame.data_ref() {
                    self.copy(data);
                }
                // Nobody may ask again.
                if self.from.is_end_stream() {
                    self.is_complete();
                }
            }
            None => self.is_complete(),
            Some(Err(error)) => self.gateway.upstream_failed(&Failure::of_http(error)),
        }
        Poll::Ready(frame.map(|frame| frame.map_err(Into::into)))
    }

    fn copy(&mut self, data: &Bytes) {
        if let Some((_, head)) = &self.observer {
            let is_plain = !head.headers.contains_key(CONTENT_ENCODING);
            if self.copy.is_empty() && is_plain && !may_be_message(head, data) {
                self.copy.limit(MAX_PAGE);
            }
            if !self.copy.add(data)
                && let Some((exchange, head)) = self.observer.take()
            {
                exchange.response(head, None);
                exchange.unchecked();
            }
        }
    }

    fn is_complete(&mut self) {
        let Some((exchange, head)) = self.observer.take() else {
            return;
        };
        let body = self.copy.take();
        match decoded(&head, body, self.limit) {
            Some(body) => {
                exchange.response(head, (!body.is_empty()).then_some(body));
            }
            None => {
                exchange.response(head, None);
                exchange.unchecked();
            }
        }
    }
}

impl hyper::body::Body for Forwarded {
    type Data = Bytes;
    type Error = Broken;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Broken>>> {
        self.get_mut().poll(context)
    }

    fn is_end_stream(&self) -> bool {
        self.before.is_empty() && self.from.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        if self.before.is_empty() {
            self.from.size_hint()
        } else {
            SizeHint::default()
        }
    }
}

/// A body without its content codings, if they can be undone.
fn decoded(head: &ResponseHead, body: Bytes, limit: usize) -> Option<Bytes> {
    let codings = headers::codings(&head.headers)?;
    if codings.is_empty() {
        return Some(body);
    }
    let decoder = Decoder::new(&codings, limit);
    decoder.decode_whole(&body).ok().map(Bytes::from)
}

/// Bytes that are copied of a body that is no message: a file may be long.
const MAX_PAGE: usize = 64 << 10;

/// Whether a body that begins like this may be a message.
fn may_be_message(head: &ResponseHead, beginning: &[u8]) -> bool {
    let is_named = || {
        let media = head.headers.get(CONTENT_TYPE);
        media.is_some_and(|media| {
            media
                .as_bytes()
                .to_ascii_lowercase()
                .windows(4)
                .any(|part| part == b"json")
        })
    };
    matches!(
        beginning.trim_ascii_start().first(),
        None | Some(b'{' | b'[')
    ) || is_named()
}

/// Ends a body that stalls.
pub(super) struct StallTimer {
    timeout: Duration,
    /// Made when it is first waited for: most bodies are here at once.
    sleep: Option<Pin<Box<Sleep>>>,
}

impl StallTimer {
    pub(super) fn new(timeout: Duration) -> Self {
        Self {
            timeout,
            sleep: None,
        }
    }

    pub(super) fn reset(&mut self) {
        if let Some(sleep) = &mut self.sleep {
            sleep.as_mut().reset(Instant::now() + self.timeout);
        }
    }

    pub(super) fn poll(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let timeout = self.timeout;
        let sleep = self
            .sleep
            .get_or_insert_with(|| Box::pin(tokio::time::sleep(timeout)));
        sleep.as_mut().poll(context)
    }
}
