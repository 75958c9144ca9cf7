//! `response/no-client-responses`

use crate::rules::prelude::*;

rule! {
    /// The client sends a response, although servers send no requests.
    ///
    /// A server asks for input in its results, and the answer belongs in a new request; a response
    /// is dropped.
    ///
    /// ```mcp,good,2026-07-28
    /// === open client:{"elicitation":{}} server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{…},"name":"add"}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"q":{"method":"elicitation/create","params":{"mode":"form","message":"Which unit?","requestedSchema":{"type":"object","properties":{"unit":{"type":"string"}}}}}},"_meta":{…}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"_meta":{…},"name":"add","inputResponses":{"q":{"action":"decline"}}}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","content":[],"_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open client:{"elicitation":{}} server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{…},"name":"add"}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"q":{"method":"elicitation/create","params":{"mode":"form","message":"Which unit?","requestedSchema":{"type":"object","properties":{"unit":{"type":"string"}}}}}},"_meta":{…}}}
    /// --> {"jsonrpc":"2.0","id":"q","result":{"action":"decline"}}
    ///     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ nothing was asked with an id
    /// ```
    RULE = {
        name: "response/no-client-responses",
        layer: Session,
        level: Error,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        party: Client,
        spec: "basic/transports/stdio#sending-messages",
        covers: ["http/body-no-response"],
        help: "send what a server asks for in a retry of the request, under `inputResponses`",
        check: Check::Message(&[On::AnyResult, On::AnyError], check),
    }
}

fn check(message: &Message<'_>, _: &Session, findings: &mut Findings<'_>) {
    // A server that sends requests is at fault itself.
    if message.direction() == Some(Direction::ClientToServer) && message.request.is_none() {
        findings.at(
            message.root(),
            "the client sends a response, but servers send no requests",
        );
    }
}
