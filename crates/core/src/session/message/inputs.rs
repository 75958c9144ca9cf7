//! Requests for input that a server embeds in a result or in a notification of a task, and the
//! answers of the client.

use crate::model::Fact;
use crate::session::message::Message;
use crate::syntax::{Kind, Node};

/// A request for input: an entry of `inputRequests`. Only the types of its fields are checked, not
/// their shapes.
#[derive(Clone, Copy)]
pub(crate) struct Input<'a> {
    /// The key that the server chose for it.
    pub(crate) key: Node<'a>,
    /// The whole entry, an object.
    pub(crate) entry: Node<'a>,
    /// Its method, a string.
    pub(crate) method: Node<'a>,
    /// Its params, if they are an object.
    pub(crate) params: Option<Node<'a>>,
}

impl<'a> Input<'a> {
    fn read(key: Node<'a>, entry: Node<'a>) -> Option<Self> {
        let method = entry.get("method")?;
        (method.kind() == Kind::String).then(|| Self {
            key,
            entry,
            method,
            params: entry
                .get("params")
                .filter(|params| params.kind() == Kind::Object),
        })
    }

    /// Whether it has this method.
    pub(crate) fn asks(&self, method: &str) -> bool {
        self.method.is_text(method)
    }
}

/// The requests for input in a message: in an `input_required` result, or in a task of a result or
/// notification.
pub(crate) fn inputs<'a>(message: &Message<'a>) -> impl Iterator<Item = Input<'a>> + use<'a> {
    input_requests(message)
        .into_iter()
        .flat_map(Node::members)
        .filter_map(|(key, entry)| Input::read(key, entry))
}

/// The `inputRequests` of such a message, if they are an object.
pub(crate) fn input_requests<'a>(message: &Message<'a>) -> Option<Node<'a>> {
    if !message.has(Fact::InputRequests) {
        return None;
    }
    if !message.mentions("inputRequests") {
        return None;
    }
    let holder = match message.result() {
        Some(result) if wants_input(result) || message.method() == Some("tasks/get") => result,
        None if message.method() == Some("notifications/tasks") => message.params()?,
        _ => return None,
    };
    object(holder, "inputRequests")
}

/// Whether a result demands more input.
pub(crate) fn wants_input(result: Node<'_>) -> bool {
    result
        .get("resultType")
        .is_some_and(|kind| kind.is_text("input_required"))
}

/// The keys of the `inputRequests` of a result that demands more input, by token, in order.
pub(crate) fn input_keys(root: Node<'_>) -> Vec<u32> {
    root.get("result")
        .filter(|result| wants_input(*result))
        .and_then(|result| object(result, "inputRequests"))
        .into_iter()
        .flat_map(Node::members)
        .map(|(key, _)| key.index())
        .collect()
}

/// The `inputResponses` of a request, if they are an object.
pub(crate) fn input_responses<'a>(message: &Message<'a>) -> Option<Node<'a>> {
    if !message.mentions("inputResponses") {
        return None;
    }
    object(message.params()?, "inputResponses")
}

#[inline(always)]
fn object<'a>(holder: Node<'a>, name: &str) -> Option<Node<'a>> {
    holder
        .get(name)
        .filter(|value| value.kind() == Kind::Object)
}
