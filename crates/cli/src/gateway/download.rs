//! The body of a response on its way to the client.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use hyper::body::{Body, Frame, Incoming, SizeHint};
use tokio::time::{Instant, Sleep};

use super::exchange::Exchange;
use super::inspect::ResponseHead;
use super::stream::Stream;

/// What ends a body before its end.
pub(super) type Broken = Box<dyn std::error::Error + Send + Sync>;

/// The body of a response.
pub(super) enum Download {
    /// All of it is here.
    Whole(Option<Bytes>),
    /// It passes as it comes.
    Passing(Box<Passing>),
    /// It is a stream of events.
    Events(Box<Stream>),
}

/// A body that passes, and what was kept of it.
pub(super) struct Passing {
    from: Incoming,
    /// What came before we let it pass.
    before: VecDeque<Bytes>,
    /// To be told of it when it is complete.
    told: Option<(Arc<Exchange>, Arc<ResponseHead>)>,
    kept: Vec<u8>,
    limit: usize,
    patience: Patience,
}

impl Download {
    /// A body that is known.
    pub(super) fn whole(body: Bytes) -> Self {
        Self::Whole((!body.is_empty()).then_some(body))
    }

    /// A body that passes as it comes; no more is kept of it than can be seen to be too long.
    pub(super) fn passing(
        from: Incoming,
        told: Option<(Arc<Exchange>, Arc<ResponseHead>)>,
        limit: usize,
        timeout: Duration,
    ) -> Self {
        Self::Passing(Box::new(Passing {
            from,
            before: VecDeque::new(),
            told,
            kept: Vec::new(),
            limit: limit.saturating_add(1),
            patience: Patience::new(timeout),
        }))
    }

    /// The rest of a body, after what was held back of it.
    pub(super) fn rest(before: Vec<Bytes>, from: Incoming, timeout: Duration) -> Self {
        Self::Passing(Box::new(Passing {
            from,
            before: before.into(),
            told: None,
            kept: Vec::new(),
            limit: 0,
            patience: Patience::new(timeout),
        }))
    }
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

    fn keep(&mut self, data: &[u8]) {
        if let Some((_, head)) = &self.told {
            if self.kept.is_empty() && !may_be_message(head, data) {
                self.limit = self.limit.min(PAGE);
            }
            let room = self.limit.saturating_sub(self.kept.len());
            self.kept
                .extend_from_slice(data.get(..room).unwrap_or(data));
        }
    }

    fn is_complete(&mut self) {
        if let Some((exchange, head)) = self.told.take() {
            let body = Bytes::from(std::mem::take(&mut self.kept));
            exchange.response(head, (!body.is_empty()).then_some(body));
        }
    }
}

impl Body for Download {
    type Data = Bytes;
    type Error = Broken;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Broken>>> {
        match self.get_mut() {
            Self::Whole(body) => Poll::Ready(body.take().map(|body| Ok(Frame::data(body)))),
            Self::Passing(passing) => passing.poll(context),
            Self::Events(stream) => stream.poll(context),
        }
    }

    fn is_end_stream(&self) -> bool {
        match self {
            Self::Whole(body) => body.is_none(),
            Self::Passing(passing) => passing.before.is_empty() && passing.from.is_end_stream(),
            Self::Events(_) => false,
        }
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            Self::Whole(body) => {
                SizeHint::with_exact(body.as_ref().map_or(0, |body| body.len() as u64))
            }
            Self::Passing(passing) if passing.before.is_empty() => passing.from.size_hint(),
            Self::Passing(_) | Self::Events(_) => SizeHint::default(),
        }
    }
}

/// What is kept of a body that is no message: a file may be long.
const PAGE: usize = 64 << 10;

/// Whether a body that begins like this may be a message.
fn may_be_message(head: &ResponseHead, beginning: &[u8]) -> bool {
    let named = |(name, value): &(String, String)| {
        name == "content-type" && value.to_ascii_lowercase().contains("json")
    };
    matches!(
        beginning.trim_ascii_start().first(),
        None | Some(b'{' | b'[')
    ) || head.headers.iter().any(named)
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
