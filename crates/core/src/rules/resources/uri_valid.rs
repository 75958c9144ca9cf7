//! `resources/uri-valid`

use crate::rules::prelude::*;
use crate::rules::support::{each_resource_uri, uri_fault};

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
        spec: "server/resources#custom-uri-schemes",
        code: -32602,
        help: "write an absolute URI with a scheme, and percent-encode what URIs do not allow",
        hidden_by: [rules::http::MCP_NAME_MATCHES_BODY],
        // A filter of subscriptions lists URIs without a key of their own.
        check: Check::Keyed(
            &["uri", "resourceSubscriptions"],
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
    each_resource_uri(message, |uri| {
        if let Some(fault) = uri_fault(uri) {
            findings.at(uri, fault.text());
        }
    });
}
