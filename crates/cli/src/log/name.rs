//! Names of the traffic in a log: short enough to be names.

use std::borrow::Cow;

use mcp_assay::Limits;
use mcp_assay::syntax::{Kind, Node, Tape};

use crate::json;

/// The length of a name in characters: a log has no bodies, even if they are sent as names.
const MAX_NAME: usize = 256;

/// A name, cut to its limit.
pub(super) fn short(name: &str) -> Cow<'_, str> {
    // Few characters have few bytes.
    let long = (name.len() > MAX_NAME).then(|| name.char_indices().nth(MAX_NAME));
    match long.flatten() {
        Some((end, _)) => format!("{}…", &name[..end]).into(),
        None => name.into(),
    }
}

/// An id as JSON; `null` if it is no string or number.
pub(super) fn id(node: Option<Node<'_>>) -> String {
    match node {
        Some(id) if id.kind() == Kind::String => quoted(&short(&id.text().unwrap_or_default())),
        Some(id) if id.kind() == Kind::Number && id.raw().len() <= MAX_NAME => {
            json::scalar(id).into_owned()
        }
        _ => "null".to_owned(),
    }
}

/// The same for an id that is a text of JSON.
pub(super) fn id_text(text: &str) -> String {
    let mut tape = Tape::new();
    let node = json::read(text.as_bytes(), &Limits::DEFAULT, &mut tape);
    id(node.ok().flatten())
}

/// A text as JSON.
pub(super) fn quoted(text: &str) -> String {
    let mut out = Vec::with_capacity(text.len() + 2);
    json::push_text(text, &mut out);
    // It was made of a text.
    String::from_utf8_lossy(&out).into_owned()
}

/// A text as JSON, or `null`.
pub(super) fn quoted_or_null(text: Option<&str>) -> String {
    text.map_or_else(|| "null".to_owned(), quoted)
}
