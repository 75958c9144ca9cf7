//! The body of a request on its way to the server.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use hyper::body::{Frame, Incoming, SizeHint};
use mcp_assay_relay::{Body, Broken};

use super::exchange::Exchange;
use super::kept::Kept;

/// A body that passes, and what was kept of it.
struct Passing {
    from: Incoming,
    /// To be told of it when it is complete.
    exchange: Option<Arc<Exchange>>,
    kept: Kept,
}

/// A body that passes as it comes; no more is kept of it than can be seen to be too long.
pub(super) fn passing(from: Incoming, exchange: Option<Arc<Exchange>>, limit: usize) -> Body {
    Box::pin(Passing {
        from,
        exchange,
        kept: Kept::new(limit.saturating_add(1)),
    })
}

impl Passing {
    fn keep(&mut self, data: &Bytes) {
        if self.exchange.is_some() {
            self.kept.add(data);
        }
    }

    fn is_complete(&mut self) {
        if let Some(exchange) = self.exchange.take() {
            exchange.request(self.kept.take());
        }
    }
}

impl hyper::body::Body for Passing {
    type Data = Bytes;
    type Error = Broken;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Broken>>> {
        let passing = self.get_mut();
        let frame = ready!(Pin::new(&mut passing.from).poll_frame(context));
        match &frame {
            Some(Ok(frame)) => {
                if let Some(data) = frame.data_ref() {
                    passing.keep(data);
                }
                // Nobody may ask again.
                if passing.from.is_end_stream() {
                    passing.is_complete();
                }
            }
            None => passing.is_complete(),
            Some(Err(_)) => passing.exchange = None,
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
