//! One recorded HTTP exchange, and the messages in its request.

use std::borrow::Cow;
use std::collections::HashSet;

use mcp_assay::syntax::{Node, Tape, scan};
use mcp_assay::{Limits, method_named};
use memchr::memmem;

use super::broken::Broken;
use super::coding;
use super::http::{Headers, RequestHead, ResponseHead, is_json};
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
    /// The number of bytes in the bodies of request and response, where the source states it.
    pub(super) sizes: [Option<f64>; 2],
    /// Whether the request had a body that was not recorded.
    pub(super) request_lost: bool,
    /// Whether the response had a body that was not recorded, or not to its end.
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
            sizes: [None; 2],
            request_lost: false,
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

    /// Whether any body was recorded.
    pub(super) fn has_body(&self) -> bool {
        self.request_body.is_some() || self.response_body.is_some() || !self.events.is_empty()
    }

    /// Looks into the bodies, and determines which of them were not recorded. `budget` is the
    /// number of bytes that may still be unpacked.
    pub(super) fn look(&mut self, budget: &mut usize) -> Result<(), Broken> {
        let request = self.look_at_request(budget);
        let response = self.look_at_response(budget);
        request.and(response)
    }

    fn look_at_request(&mut self, budget: &mut usize) -> Result<(), Broken> {
        let headers = &self.request.headers;
        let read = readable(self.request_body.take(), headers, budget);
        self.request_lost = match &read {
            Ok(body) => body.is_none() && self.posts_body(),
            Err(_) => true,
        };
        self.request_body = read?;
        if is_cut(self.request_body.as_ref(), self.sizes[0]) {
            self.request_body = None;
            self.request_lost = true;
        }
        if let Some(body) = &self.request_body {
            self.sent = labels(body.bytes(&mut Vec::new())?);
        }
        Ok(())
    }

    fn look_at_response(&mut self, budget: &mut usize) -> Result<(), Broken> {
        let Some(head) = &self.response else {
            return Ok(());
        };
        let read = readable(self.response_body.take(), &head.headers, budget);
        self.body_lost = match &read {
            Ok(body) => body.is_none() && self.answers_with_body(head),
            Err(_) => true,
        };
        self.response_body = read?;
        if !self.is_streamed() {
            if is_cut(self.response_body.as_ref(), self.sizes[1]) {
                self.response_body = None;
                self.body_lost = true;
            }
        } else if let Some(body) = self.response_body.take() {
            let found = sse::events(body.bytes(&mut Vec::new())?);
            (self.events, self.cut) = (found.whole, found.cut);
            // The recording of a stream may end before the stream does.
            self.body_lost |= !self.is_answered();
        }
        Ok(())
    }

    /// Whether a request without a recorded body had one.
    fn posts_body(&self) -> bool {
        self.is("POST") && !is_bare(&self.request.headers) && self.sizes[0] != Some(0.0)
    }

    /// Whether a response without a recorded body had one that may have held messages.
    fn answers_with_body(&self, head: &ResponseHead<'_>) -> bool {
        let never = matches!(head.status, Some(100..200 | 202 | 204 | 205 | 300..400));
        if never || is_bare(&head.headers) {
            return false;
        }
        let is_json = head.headers.media_type().is_some_and(is_json);
        let is_sized = self.sizes[1].is_some_and(|size| size > 0.0);
        head.streamed || (self.is("POST") && (is_json || is_sized))
    }

    /// Whether the events hold the answers to all requests that were posted.
    fn is_answered(&self) -> bool {
        let mut buffer = Vec::new();
        let mut answered = HashSet::new();
        for event in &self.events {
            let data = event.message().map(|data| data.bytes(&mut buffer));
            let found = data.and_then(Result::ok).map(labels).unwrap_or_default();
            let answers = found.into_iter().filter(|label| label.method.is_none());
            answered.extend(answers.filter_map(|label| label.id));
        }
        let asked = self.sent.iter().filter(|label| label.method.is_some());
        let mut ids = asked.filter_map(|label| label.id.as_ref());
        ids.all(|id| answered.contains(id))
    }
}

/// A body in its identity coding; nothing for one without a byte, which is a way to write that it
/// was not recorded.
fn readable<'a>(
    body: Option<Payload<'a>>,
    headers: &Headers<'_>,
    budget: &mut usize,
) -> Result<Option<Payload<'a>>, Broken> {
    let Some(body) = body else {
        return Ok(None);
    };
    let mut buffer = Vec::new();
    let bytes = body.bytes(&mut buffer)?;
    if bytes.is_empty() {
        return Ok(None);
    }
    let decoded = coding::decode(bytes, headers.get("content-encoding"), budget)?;
    Ok(Some(decoded.map_or(body, |decoded| {
        Payload::Bytes(Cow::Owned(decoded))
    })))
}

/// Whether headers say that there is no body.
fn is_bare(headers: &Headers<'_>) -> bool {
    headers
        .get("content-length")
        .is_some_and(|length| length.trim() == "0")
}

/// Whether a recorder kept no more than the beginning of a body: the source states more bytes, and
/// the text is no JSON.
fn is_cut(body: Option<&Payload<'_>>, size: Option<f64>) -> bool {
    let (Some(body), Some(size)) = (body, size) else {
        return false;
    };
    let mut buffer = Vec::new();
    let Ok(bytes) = body.bytes(&mut buffer) else {
        return false;
    };
    #[expect(clippy::cast_precision_loss, reason = "no body has so many bytes")]
    let is_shorter = (bytes.len() as f64) < size;
    let mut limits = Limits::DEFAULT;
    limits.bytes = limits.bytes.max(bytes.len());
    is_shorter && scan(bytes, &limits.for_scan(), &mut Tape::new()).is_err()
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
