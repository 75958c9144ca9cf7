//! One recorded HTTP exchange, and the messages in its request.

use std::borrow::Cow;

use mcp_assay::syntax::{Node, Tape, scan};
use mcp_assay::{Limits, method_named};
use memchr::memmem;

use super::broken::Broken;
use super::http::{RequestHead, ResponseHead};
use super::record::{Event, Payload};
use super::sse;

/// A request and what answered it.
pub(super) struct Exchange<'a> {
    pub(super) line: u64,
    /// The time when it began, in seconds.
    pub(super) start: Option<f64>,
    /// Seconds until the head of the response.
    pub(super) head_after: f64,
    /// Seconds until the end of the response.
    pub(super) duration: f64,
    pub(super) url: Cow<'a, str>,
    pub(super) request: RequestHead<'a>,
    pub(super) request_body: Option<Payload<'a>>,
    pub(super) response: Option<ResponseHead<'a>>,
    pub(super) response_body: Option<Payload<'a>>,
    /// The response had a body that was not recorded.
    pub(super) body_lost: bool,
    /// The messages in the request.
    pub(super) sent: Vec<Label>,
    /// The events of a streamed response.
    pub(super) events: Vec<Event<'static>>,
    /// The recording ends within an event.
    pub(super) cut: bool,
}

/// The role of a message in a conversation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Label {
    /// The id, as it is spelt.
    pub(super) id: Option<Vec<u8>>,
    /// The method.
    pub(super) method: Option<String>,
}

impl<'a> Exchange<'a> {
    pub(super) fn new(line: u64, url: Cow<'a, str>) -> Self {
        Self {
            line,
            start: None,
            head_after: 0.0,
            duration: 0.0,
            url,
            request: RequestHead::default(),
            request_body: None,
            response: None,
            response_body: None,
            body_lost: false,
            sent: Vec::new(),
            events: Vec::new(),
            cut: false,
        }
    }

    /// Whether the request is of this method.
    pub(super) fn is(&self, method: &str) -> bool {
        let actual = self.request.method.as_deref();
        actual.is_some_and(|actual| actual.eq_ignore_ascii_case(method))
    }

    fn is_streamed(&self) -> bool {
        self.response.as_ref().is_some_and(|head| head.streamed)
    }

    /// Whether something in it is MCP beyond doubt; others speak JSON-RPC too.
    pub(super) fn is_mcp(&self) -> bool {
        let headers = self.request.headers.0.iter();
        let mut names = headers.map(|(name, _)| name.as_bytes());
        names.any(|name| name.len() > 4 && name[..4].eq_ignore_ascii_case(b"mcp-"))
            || self.sent.iter().any(|message| {
                let method = message.method.as_deref();
                method.is_some_and(|method| method_named(method.as_bytes()).is_some())
            })
    }

    /// Looks into the bodies.
    pub(super) fn look(&mut self) -> Result<(), Broken> {
        let mut buffer = Vec::new();
        if let Some(body) = &self.request_body {
            self.sent = labels(body.bytes(&mut buffer)?);
        }
        if self.is_streamed()
            && let Some(body) = self.response_body.take()
        {
            let found = sse::events(body.bytes(&mut buffer)?);
            (self.events, self.cut) = (found.whole, found.cut);
        } else if self.is_streamed() {
            self.body_lost = true;
        }
        Ok(())
    }
}

/// The messages in a body, or none if it has none.
pub(super) fn labels(body: &[u8]) -> Vec<Label> {
    if memmem::find(body, b"\"jsonrpc\"").is_none() {
        return Vec::new();
    }
    let mut tape = Tape::new();
    if scan(body, &Limits::DEFAULT.for_scan(), &mut tape).is_err() {
        return Vec::new();
    }
    let label = |message: Node<'_>| Label {
        id: message.get("id").map(|id| id.raw().to_vec()),
        method: message
            .get("method")
            .and_then(Node::text)
            .map(Cow::into_owned),
    };
    match tape.root(body) {
        Some(root) => {
            let batch: Vec<_> = root.items().map(label).collect();
            if batch.is_empty() {
                vec![label(root)]
            } else {
                batch
            }
        }
        None => Vec::new(),
    }
}
