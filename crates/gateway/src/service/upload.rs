//! The body of a request on its way to the server.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::Bytes;
use hyper::body::{Frame, Incoming, SizeHint};
use mcp_assay_live::http::BodyBuffer;

use super::download::StallTimer;
use super::exchange::Exchange;
use super::state::State;
use crate::net::{Body, Broken};

/// A body that is forwarded, and a copy for the check.
struct Forwarded {
    from: Incoming,
    /// Gets the copy when it is complete.
    exchange: Option<Arc<Exchange>>,
    copy: BodyBuffer,
    stall: StallTimer,
}

/// Forwards a body as it comes. The copy is one byte longer than a message may be, so that the
/// check reports a message that is too long.
pub(crate) fn forward(from: Incoming, gateway: &State, exchange: Option<Arc<Exchange>>) -> Body {
    let limit = gateway.message_limit.saturating_add(1);
    Box::pin(Forwarded {
        from,
        exchange,
        copy: BodyBuffer::new(limit).within(&gateway.budget),
        stall: StallTimer::new(gateway.body_timeout),
    })
}

/// Ends a request whose body does not go on.
const STALLED: &str = "the client does not go on with its body";

impl Forwarded {
    fn copy(&mut self, data: &Bytes) {
        if self.exchange.is_some()
            && !self.copy.add(data)
            && let Some(exchange) = self.exchange.take()
        {
            exchange.request_unchecked();
        }
    }

    fn is_complete(&mut self) {
        if let Some(exchange) = self.exchange.take() {
            exchange.request(self.copy.take());
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
        let body = self.get_mut();
        let Poll::Ready(frame) = Pin::new(&mut body.from).poll_frame(context) else {
            return match body.stall.poll(context) {
                Poll::Ready(()) => Poll::Ready(Some(Err(STALLED.into()))),
                Poll::Pending => Poll::Pending,
            };
        };
        body.stall.reset();
        match &frame {
            Some(Ok(frame)) => {
                if let Some(data) = frame.data_ref() {
                    body.copy(data);
                }
                // Nobody may ask again.
                if body.from.is_end_stream() {
                    body.is_complete();
                }
            }
            None => body.is_complete(),
            Some(Err(_)) => body.exchange = None,
        }
        Poll::Ready(frame.map(|frame| frame.map_err(Into::into)))
    }

    fn is_end_stream(&self) -> bool {
        self.from.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.from.size_hint()
    }
}
