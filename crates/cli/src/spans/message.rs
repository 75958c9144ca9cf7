//! The input of a span: messages, the items of batches, and our own answers.

use mcp_assay::syntax::{Kind, Node, Tape, scan};
use mcp_assay::{Checked, Envelope, Headers, Limits, MessageKind};

/// A message, or an item of a batch.
pub(super) struct Message<'a> {
    pub(super) kind: MessageKind,
    pub(super) root: Node<'a>,
    /// The method that it calls.
    pub(super) method: Option<String>,
    /// Its id, if it is one.
    pub(super) id: Option<Node<'a>>,
}

/// The messages in a message: itself, or the items of a batch.
pub(super) fn messages<'a>(checked: &Checked<'a>) -> Vec<Message<'a>> {
    match (checked.kind(), checked.root()) {
        (MessageKind::Batch, Some(root)) => root.items().filter_map(Message::read).collect(),
        (_, Some(root)) => Message::read(root).into_iter().collect(),
        (_, None) => Vec::new(),
    }
}

impl<'a> Message<'a> {
    fn read(root: Node<'a>) -> Option<Self> {
        if root.kind() != Kind::Object {
            return None;
        }
        let envelope = Envelope::read(root);
        Some(Self {
            kind: envelope.kind,
            root,
            method: envelope
                .method()
                .and_then(|method| Some(method.text()?.into_owned())),
            id: envelope.id().filter(|id| is_id(*id)),
        })
    }

    pub(super) fn is_tool_call(&self) -> bool {
        self.method.as_deref() == Some("tools/call")
    }

    /// A text in its params.
    pub(super) fn param(&self, name: &str) -> Option<String> {
        text(self.params()?.get(name)?)
    }

    /// A text in the `_meta` of its params.
    pub(super) fn meta(&self, name: &str) -> Option<String> {
        text(self.params()?.get("_meta")?.get(name)?)
    }

    /// The id of the request that it cancels.
    pub(super) fn cancelled(&self) -> Option<Node<'a>> {
        self.params()?.get("requestId").filter(|id| is_id(*id))
    }

    fn params(&self) -> Option<Node<'a>> {
        self.root.get("params")
    }
}

pub(super) fn text(node: Node<'_>) -> Option<String> {
    Some(node.text()?.into_owned())
}

fn is_id(id: Node<'_>) -> bool {
    matches!(id.kind(), Kind::String | Kind::Number)
}

/// Returns the id and the code of each error that we answered with ourselves.
pub(super) fn own_answers(answer: &[u8], mut give: impl FnMut(Node<'_>, i64)) {
    let mut tape = Tape::new();
    let is_json = scan(answer, &Limits::DEFAULT.for_scan(), &mut tape).is_ok();
    let Some(root) = tape.root(answer).filter(|_| is_json) else {
        return;
    };
    let mut one = |node: Node<'_>| {
        let code = node.get("error").and_then(|error| error.get("code"));
        if let (Some(id), Some(code)) = (
            node.get("id").filter(|id| is_id(*id)),
            code.and_then(Node::as_i64),
        ) {
            give(id, code);
        }
    };
    if root.kind() == Kind::Array {
        root.items().for_each(one);
    } else {
        one(root);
    }
}

/// The value of a header.
pub(super) fn header<'a>(headers: Headers<'a>, wanted: &str) -> Option<&'a str> {
    headers
        .iter()
        .find_map(|(_, name, value)| name.eq_ignore_ascii_case(wanted).then_some(value))
}
