//! The body of a request on its way to the server.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use hyper::body::{Body, Frame, Incoming, SizeHint};

use super::exchange::Exchange;

/// The body of a request.
pub(super) enum Upload {
    /// All of it is here.
    Whole(Option<Bytes>),
    /// It passes as it comes.
    Passing(Passing),
}

/// A body that passes, and what was kept of it.
pub(super) struct Passing {
    from: Incoming,
    /// To be told of it when it is complete.
    exchange: Option<Arc<Exchange>>,
    kept: Vec<u8>,
    limit: usize,
}

impl Upload {
    /// A body that is known.
    pub(super) fn whole(body: Bytes) -> Self {
        Self::Whole((!body.is_empty()).then_some(body))
    }

    /// A body that passes as it comes; no more is kept of it than can be seen to be too long.
    pub(super) fn passing(from: Incoming, exchange: Option<Arc<Exchange>>, limit: usize) -> Self {
        Self::Passing(Passing {
            from,
            exchange,
            kept: Vec::new(),
            limit: limit.saturating_add(1),
        })
    }
}

impl Passing {
    fn keep(&mut self, data: &[u8]) {
        if self.exchange.is_some() {
            let room = self.limit.saturating_sub(self.kept.len());
            self.kept
                .extend_from_slice(data.get(..room).unwrap_or(data));
        }
    }

    fn is_complete(&mut self) {
        if let Some(exchange) = self.exchange.take() {
            exchange.request(std::mem::take(&mut self.kept).into());
        }
    }
}

impl Body for Upload {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let passing = match self.get_mut() {
            Self::Whole(body) => return Poll::Ready(body.take().map(|body| Ok(Frame::data(body)))),
            Self::Passing(passing) => passing,
        };
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
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        match self {
            Self::Whole(body) => body.is_none(),
            Self::Passing(passing) => passing.from.is_end_stream(),
        }
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            Self::Whole(body) => {
                SizeHint::with_exact(body.as_ref().map_or(0, |body| body.len() as u64))
            }
            Self::Passing(passing) => passing.from.size_hint(),
        }
    }
}
