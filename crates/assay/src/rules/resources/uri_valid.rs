//! `resources/uri-valid`

use crate::RevisionSet;
use crate::message::Message;
use crate::rules::check::{Check, Findings, On};
use crate::rules::rule::{Parties, rule};
use crate::rules::support::uri_fault;
use crate::session::Session;
use crate::syntax::Node;

rule! {
    /// The URI of a resource is not an absolute URI.
    ///
    /// It names no resource: the other side refuses it, or takes it for something else.
    ///
    /// ```mcp,good,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"file:///my%20notes.txt"}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"not a uri"}}
    ///                                                                       ^^^^^^^^^^^ no scheme
    /// ```
    /// ```mcp,good,2025-06-18
    /// === open server:{"resources":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"resources/list"}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resources":[{"uri":"file:///a.txt","name":"a.txt"}]}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open server:{"resources":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"resources/list"}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resources":[{"uri":"file:///my notes.txt","name":"notes"}]}}
    ///                                                           ^^^^^^^^^^^^^^^^^^^^^^ a blank must be percent-encoded
    /// ```
    /// ```mcp,good,2026-07-28
    /// --> {"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"db://users/7","_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// --> {"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"users/7","_meta":{…}}}
    ///                                                                       ^^^^^^^^^ no scheme
    /// ```
    RULE = {
        name: "resources/uri-valid",
        layer: Session,
        level: Error,
        revisions: RevisionSet::ALL,
        party: Parties::Both,
        spec: "server/resources#custom-uri-schemes",
        code: -32602,
        covers: [],
        help: "write an absolute URI with a scheme, and percent-encode what URIs do not allow",
        check: Check::Message(
            &[
                On::Call("resources/read"),
                On::Call("resources/subscribe"),
                On::Call("resources/unsubscribe"),
                On::Call("notifications/resources/updated"),
                On::Call("subscriptions/listen"),
                On::Result("resources/list"),
                On::Result("resources/read"),
                On::Result("tools/call"),
                On::Result("prompts/get"),
            ],
            check,
        ),
    }
}

fn check(message: &Message<'_>, _: &Session, findings: &mut Findings<'_>) {
    let Some(result) = message.result() else {
        if let Some(params) = message.params() {
            look_at(params.get("uri"), findings);
            let watched = params
                .get("notifications")
                .and_then(|filter| filter.get("resourceSubscriptions"));
            for uri in items(watched) {
                look_at(Some(uri), findings);
            }
        }
        return;
    };
    for resource in items(result.get("resources")).chain(items(result.get("contents"))) {
        look_at(resource.get("uri"), findings);
    }
    let of_prompts = items(result.get("messages")).filter_map(|message| message.get("content"));
    for block in items(result.get("content")).chain(of_prompts) {
        let Some(kind) = block.get("type") else {
            continue;
        };
        if kind.is_text("resource") {
            look_at(
                block
                    .get("resource")
                    .and_then(|resource| resource.get("uri")),
                findings,
            );
        } else if kind.is_text("resource_link") {
            look_at(block.get("uri"), findings);
        }
    }
}

fn items(list: Option<Node<'_>>) -> impl Iterator<Item = Node<'_>> {
    list.into_iter().flat_map(Node::items)
}

fn look_at(uri: Option<Node<'_>>, findings: &mut Findings<'_>) {
    if let Some(uri) = uri
        && let Some(fault) = uri_fault(uri)
    {
        findings.at(uri, fault.text());
    }
}
