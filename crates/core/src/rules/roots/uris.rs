//! The roots of a client: in the answer to a request, or in a repeated request.

use super::{file_uri, no_traversal};
use crate::rules::prelude::*;
use crate::rules::support::{Uri, is_parent_segment};
use crate::session::message::input_responses;

pub(super) static GROUP: Group = Group {
    keys: &["roots"],
    on: &[
        On::Result("roots/list"),
        On::Call("tools/call"),
        On::Call("prompts/get"),
        On::Call("resources/read"),
        On::Call("tasks/update"),
    ],
    check,
};

fn check(message: &Message<'_>, _: &Session, findings: &mut Findings<'_>) {
    if let Some(result) = message.result() {
        check_node(result, findings);
        return;
    }
    let responses = input_responses(message);
    for (_, response) in responses.into_iter().flat_map(Node::members) {
        check_node(response, findings);
    }
}

fn check_node(holder: Node<'_>, findings: &mut Findings<'_>) {
    let roots = holder.get("roots").into_iter().flat_map(Node::items);
    for uri in roots.filter_map(|root| root.get("uri")) {
        let Some(text) = uri.text() else {
            continue;
        };
        match Uri::parse(text.as_bytes()) {
            Err(fault) => findings.raise(&file_uri::RULE, uri, fault.text()),
            Ok(parsed) if !parsed.has_scheme("file") || parsed.authority.is_none() => {
                findings.raise(
                    &file_uri::RULE,
                    uri,
                    "the URI does not begin with `file://`",
                );
            }
            Ok(parsed) if parsed.segments().any(is_parent_segment) => {
                findings.raise(&no_traversal::RULE, uri, "the path has a segment `..`");
            }
            Ok(_) => {}
        }
    }
}
