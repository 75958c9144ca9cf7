//! A connection to a server, driven by whoever waits for its answer: a task of its own would have to be woken twice for each.

use std::pin::Pin;
use std::task::{Context, Poll};

use hyper::client::conn::http1::{Builder, Connection, SendRequest};
use hyper_util::rt::TokioIo;

use crate::Body;
use crate::wire::Wire;

/// A connection to a server.
pub(crate) struct Link {
    pub(crate) sender: SendRequest<Body>,
    /// `None` when it is over.
    connection: Option<Connection<TokioIo<Wire>, Body>>,
}

impl Link {
    pub(crate) async fn new(wire: Wire) -> hyper::Result<Box<Self>> {
        let (sender, connection) = Builder::new()
            .preserve_header_case(true)
            .handshake(TokioIo::new(wire))
            .await?;
        Ok(Box::new(Self {
            sender,
            connection: Some(connection),
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

    /// Whether nothing is left of the last request and its answer, and another can be sent.
    pub(crate) fn is_free(&self) -> bool {
        self.connection.is_some() && self.sender.is_ready()
    }
}
