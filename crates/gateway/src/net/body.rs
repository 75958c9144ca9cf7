//! Bodies that go out.

use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use hyper::body::{Frame, SizeHint};

/// The error that ends a body before its end.
pub(crate) type Broken = Box<dyn std::error::Error + Send + Sync>;

/// The body of a request or response that goes out.
pub(crate) type Body = Pin<Box<dyn hyper::body::Body<Data = Bytes, Error = Broken> + Send>>;

/// A body that is known.
pub(crate) fn whole(body: Bytes) -> Body {
    Box::pin(Whole(body))
}

/// The rest of it.
struct Whole(Bytes);

impl hyper::body::Body for Whole {
    type Data = Bytes;
    type Error = Broken;

    fn poll_frame(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Broken>>> {
        let body = std::mem::take(&mut self.get_mut().0);
        Poll::Ready((!body.is_empty()).then(|| Ok(Frame::data(body))))
    }

    fn is_end_stream(&self) -> bool {
        self.0.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.0.len() as u64)
    }
}
