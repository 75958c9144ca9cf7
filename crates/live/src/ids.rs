//! The ids in messages, as JSON.

use bytes::Bytes;
use mcp_assay::syntax::{Kind, Node, Tape, scan};
use mcp_assay::{Envelope, Limits, MessageKind};

/// Whether two ids, as JSON, are the same: an answer may spell it in another way.
pub(crate) fn is_same_id(left: &[u8], right: &[u8]) -> bool {
    left == right || canonical_id(left) == canonical_id(right)
}

/// An id, as JSON, in the one spelling that all of its spellings have in common.
pub(crate) fn canonical_id(id: &[u8]) -> Vec<u8> {
    let mut tape = Tape::new();
    let Some(node) = root(id, &mut tape) else {
        return id.to_vec();
    };
    match (node.kind(), node.as_i64()) {
        (Kind::String, _) => {
            let mut text = b"\"".to_vec();
            node.text_into(&mut text);
            text
        }
        (Kind::Number, Some(number)) => number.to_string().into_bytes(),
        (Kind::Number, None) => format!("{:?}", node.as_f64()).into_bytes(),
        _ => id.to_vec(),
    }
}

/// The ids of the request, or of the batch of requests, that a body is, if they can be given back.
pub(crate) fn request_ids(body: &[u8]) -> Vec<Bytes> {
    ids(body, |kind| kind == MessageKind::Request)
}

/// The ids of the response, or of the batch of responses, that a text is.
pub(crate) fn response_ids(text: &[u8]) -> Vec<Bytes> {
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

pub(crate) fn root<'b>(body: &'b [u8], tape: &'b mut Tape) -> Option<Node<'b>> {
    scan(body, &Limits::DEFAULT.for_scan(), tape).ok()?;
    tape.root(body)
}
