//! The tools in a page of the list.

use crate::rules::prelude::*;

/// The tools in a result.
pub(super) fn tools<'a>(message: &Message<'a>) -> impl Iterator<Item = Node<'a>> + Clone + use<'a> {
    message
        .in_result("tools")
        .filter(|tools| tools.kind() == Kind::Array)
        .into_iter()
        .flat_map(Node::items)
}

/// Their names.
pub(super) fn names<'a>(message: &Message<'a>) -> impl Iterator<Item = Node<'a>> + Clone + use<'a> {
    tools(message)
        .filter_map(|tool| tool.get("name"))
        .filter(|name| name.kind() == Kind::String)
}
