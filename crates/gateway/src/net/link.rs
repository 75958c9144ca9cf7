//! A connection to a server, driven by whoever waits for its answer: a task of its own would have
//! to be woken twice for each.

use std::pin::Pin;
use std::task::{Context, Poll};

use hyper::client::conn::http1::{Builder, Connection, SendRequest};
use hyper_util::rt::TokioIo;
use tokio::time::{Instant, Sleep, sleep_until};

use super::body::Body;
use super::wire::{MAX_BUFFER, Wire};

/// A connection to a server.
pub(crate) struct Link {
    pub(crate) sender: SendRequest<Body>,
    /// `None` when it is over.
    connection: Option<Connection<TokioIo<Wire>, Body>>,
    /// Set later for each request: that costs less than a new timer.
    deadline: Pin<Box<Sleep>>,
}

impl Link {
    pub(crate) async fn new(wire: Wire, deadline: Instant) -> hyper::Result<Box<Self>> {
        let (sender, connection) = Builder::new()
            .max_buf_size(MAX_BUFFER)
            .preserve_header_case(true)
            .handshake(TokioIo::new(wire))
            .await?;
        Ok(Box::new(Self {
            sender,
            connection: Some(connection),
            deadline: Box::pin(sleep_until(deadline)),
        }))
    }

    /// Reads and writes what can be; says whether the connection is over.
    pub(crate) fn drive(&mut self, context: &mut Context<'_>) -> bool {
        let Some(connection) = &mut self.connection else {
            return true;
        };
        match Pin::new(connection).poll(context) {
            // How it ended is told to whoever waits for an answer.
            Poll::Ready(_) => self.connection = None,
            Poll::Pending => return false,
        }
        true
    }

    /// Until when its answer may be waited for.
    pub(crate) fn wait_until(&mut self, deadline: Instant) {
        self.deadline.as_mut().reset(deadline);
    }

    /// Whether the answer was waited for long enough.
    pub(crate) fn is_late(&mut self, context: &mut Context<'_>) -> bool {
        self.deadline.as_mut().poll(context).is_ready()
    }

    /// Whether nothing is left of the last request and its answer, and another can be sent.
    pub(crate) fn is_free(&self) -> bool {
        self.connection.is_some() && self.sender.is_ready()
    }
}
