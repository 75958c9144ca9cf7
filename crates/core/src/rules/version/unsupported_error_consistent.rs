//! `version/unsupported-error-consistent`

use crate::rules::prelude::*;

rule! {
    /// The unsupported-version error contradicts the request or itself.
    ///
    /// The client picks its next version from this list: it tries the refused one again, or gives
    /// up for no reason.
    ///
    /// ```mcp,good,2026-07-28,without:version/known-revision
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"1900-01-01","io.modelcontextprotocol/clientInfo":{"name":"client","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}},"name":"add"}}
    /// <-- {"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"unsupported version","data":{"supported":["2026-07-28"],"requested":"1900-01-01"}}}
    /// ```
    /// ```mcp,bad,2026-07-28,without:version/known-revision
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"1900-01-01","io.modelcontextprotocol/clientInfo":{"name":"client","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}},"name":"add"}}
    /// <-- {"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"unsupported version","data":{"supported":["2025-11-25"],"requested":"2026-07-28"}}}
    ///                                                                                                                                   ^^^^^^^^^^^^ the request names another version
    /// ```
    ///
    /// ```mcp,good,2026-07-28,without:version/known-revision
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"1900-01-01","io.modelcontextprotocol/clientInfo":{"name":"client","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}},"name":"add"}}
    /// <-- {"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"unsupported version","data":{"supported":["2026-07-28","2025-11-25"],"requested":"1900-01-01"}}}
    /// ```
    /// ```mcp,bad,2026-07-28,without:version/known-revision
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"client","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}},"name":"add"}}
    /// <-- {"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"unsupported version","data":{"supported":["2026-07-28"],"requested":"2026-07-28"}}}
    ///                                                                                                         ^^^^^^^^^^^^ this is the version that is refused
    /// ```
    RULE = {
        name: "version/unsupported-error-consistent",
        layer: Session,
        level: Error,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        party: Server,
        spec: "schema#unsupportedprotocolversionerror",
        help: "repeat the version of the request in `requested`, and list only others in `supported`",
        check: Check::Message(&[On::AnyError], check),
    }
}

fn check(message: &Message<'_>, _: &Session, findings: &mut Findings<'_>) {
    if message.error_code() != Some(-32022) {
        return;
    }
    let Some(data) = message.exchange.envelope.error_data() else {
        return;
    };
    let requested = data.get("requested");
    let named = message
        .request
        .and_then(|request| request.data()?.version.as_ref());
    let is_refused = |version: Node<'_>| match named {
        Some(named) => named.is(version),
        None => requested.is_some_and(|requested| is_same(requested, version)),
    };
    let supported = data.get("supported").into_iter().flat_map(Node::items);
    if let Some(refused) = supported.clone().find(|version| is_refused(*version)) {
        findings.at(refused, "`supported` lists the version that is refused");
    } else if let (Some(named), Some(requested)) = (named, requested)
        && requested.kind() == Kind::String
        && !named.is(requested)
    {
        findings.at(
            requested,
            "`requested` is not the version that the request names",
        );
    }
}

fn is_same(left: Node<'_>, right: Node<'_>) -> bool {
    left.text().is_some_and(|text| right.is_text(&text))
}
