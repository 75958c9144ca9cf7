//! The body of a response on its way to the client.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http::header::CONTENT_TYPE;
use hyper::body::{Body as _, Frame, Incoming, SizeHint};
use mcp_assay_relay::{Body, Broken};
use tokio::time::{Instant, Sleep};

use super::exchange::Exchange;
use super::inspect::ResponseHead;
use super::kept::Kept;

/// A body that passes, and what was kept of it.
struct Passing {
    from: Incoming,
    /// What came before we let it pass.
    before: VecDeque<Bytes>,
    /// To be told of it when it is complete.
    told: Option<(Arc<Exchange>, Box<ResponseHead>)>,
    kept: Kept,
    patience: Patience,
}

/// A body that passes as it comes; no more is kept of it than can be seen to be too long.
pub(super) fn passing(
    from: Incoming,
    told: Option<(Arc<Exchange>, Box<ResponseHead>)>,
    limit: usize,
    timeout: Duration,
) -> Body {
    Box::pin(Passing {
        from,
        before: VecDeque::new(),
        told,
        kept: Kept::new(limit.saturating_add(1)),
        patience: Patience::new(timeout),
    })
}

/// The rest of a body, after what was held back of it.
pub(super) fn rest(before: Vec<Bytes>, from: Incoming, timeout: Duration) -> Body {
    Box::pin(Passing {
        from,
        before: before.into(),
        told: None,
        kept: Kept::new(0),
        patience: Patience::new(timeout),
    })
}

impl Passing {
    fn poll(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Broken>>> {
        if let Some(data) = self.before.pop_front() {
            return Poll::Ready(Some(Ok(Frame::data(data))));
        }
        let Poll::Ready(frame) = Pin::new(&mut self.from).poll_frame(context) else {
            return match self.patience.poll(context) {
                Poll::Ready(()) => Poll::Ready(Some(Err("the server does not go on".into()))),
                Poll::Pending => Poll::Pending,
            };
        };
        self.patience.reset();
        match &frame {
            Some(Ok(frame)) => {
                if let Some(data) = frame.data_ref() {
                    self.keep(data);
                }
                // Nobody may ask again.
                if self.from.is_end_stream() {
                    self.is_complete();
                }
            }
            None => self.is_complete(),
            Some(Err(_)) => {}
        }
        Poll::Ready(frame.map(|frame| frame.map_err(Into::into)))
    }

    fn keep(&mut self, data: &Bytes) {
        if let Some((_, head)) = &self.told {
            if self.kept.is_empty() && !may_be_message(head, data) {
                self.kept.limit(PAGE);
            }
            self.kept.add(data);
        }
    }

    fn is_complete(&mut self) {
        if let Some((exchange, head)) = self.told.take() {
            let body = self.kept.take();
            exchange.response(head, (!body.is_empty()).then_some(body));
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

/// What is kept of a body that is no message: a file may be long.
const PAGE: usize = 64 << 10;

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

/// How long a body may say nothing.
struct Patience {
    timeout: Duration,
    /// Made when it is first waited for: most bodies are here at once.
    sleep: Option<Pin<Box<Sleep>>>,
}

impl Patience {
    fn new(timeout: Duration) -> Self {
        Self {
            timeout,
            sleep: None,
        }
    }

    fn reset(&mut self) {
        if let Some(sleep) = &mut self.sleep {
            sleep.as_mut().reset(Instant::now() + self.timeout);
        }
    }

    fn poll(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let timeout = self.timeout;
        let sleep = self
            .sleep
            .get_or_insert_with(|| Box::pin(tokio::time::sleep(timeout)));
        sleep.as_mut().poll(context)
    }
}
