//! The requests of an exchange that wait for a response.

use bytes::Bytes;
use mcp_assay::syntax::{Kind, Node, Tape, scan};
use mcp_assay::{Envelope, Limits, MessageKind};

/// The longest body that is held until its ids are needed.
const MAX_BODY: usize = 64 << 10;

/// The ids of the requests in a body. They are read when they are needed, which is seldom.
#[derive(Debug, Default)]
pub(super) struct Awaited {
    /// The body of the request, until its ids are read.
    body: Bytes,
    /// The ids, as JSON.
    ids: Vec<Bytes>,
}

impl Awaited {
    pub(super) fn new(body: Bytes) -> Self {
        Self {
            body,
            ids: Vec::new(),
        }
    }

    /// Bounds the memory while the response is on its way: of a long body only the ids are held.
    pub(super) fn shorten(&mut self) {
        if self.body.len() > MAX_BODY {
            self.ids();
        }
    }

    /// The ids that still wait. From here on the body is not held.
    pub(super) fn ids(&mut self) -> &[Bytes] {
        if !self.body.is_empty() {
            self.ids = request_ids(&std::mem::take(&mut self.body));
        }
        &self.ids
    }

    /// Closes the requests that these responses answer.
    pub(super) fn close(&mut self, answers: &[Bytes]) {
        if !answers.is_empty() {
            self.ids();
            self.ids.retain(|id| !answers.contains(id));
        }
    }
}

/// Whether a body is the request that opens a session.
pub(super) fn opens_session(body: &[u8]) -> bool {
    if memchr::memmem::find(body, b"\"initialize\"").is_none() {
        return false;
    }
    let mut tape = Tape::new();
    root(body, &mut tape).is_some_and(|root| {
        root.kind() == Kind::Object
            && Envelope::read(root)
                .method()
                .is_some_and(|method| method.is_text("initialize"))
    })
}

/// The ids of the request, or of the batch of requests, that a body is, if they can be given back.
fn request_ids(body: &[u8]) -> Vec<Bytes> {
    ids(body, |kind| kind == MessageKind::Request)
}

/// The ids of the response, or of the batch of responses, that a text is.
pub(super) fn response_ids(text: &[u8]) -> Vec<Bytes> {
    ids(text, |kind| {
        matches!(kind, MessageKind::Response | MessageKind::Error)
    })
}

fn ids(text: &[u8], is_wanted: impl Fn(MessageKind) -> bool) -> Vec<Bytes> {
    let mut tape = Tape::new();
    let Some(root) = root(text, &mut tape) else {
        return Vec::new();
    };
    let id = |message: Node<'_>| {
        let message = (message.kind() == Kind::Object).then(|| Envelope::read(message))?;
        let id = message.id().filter(|_| is_wanted(message.kind))?;
        matches!(id.kind(), Kind::String | Kind::Number).then(|| Bytes::copy_from_slice(id.raw()))
    };
    match root.kind() {
        Kind::Array => root.items().filter_map(id).collect(),
        _ => id(root).into_iter().collect(),
    }
}

fn root<'b>(body: &'b [u8], tape: &'b mut Tape) -> Option<Node<'b>> {
    scan(body, &Limits::DEFAULT.for_scan(), tape).ok()?;
    tape.root(body)
}
