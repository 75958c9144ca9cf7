//! `capability/sampling-tools`

use super::client_requests::{FOR_SAMPLING, client_requests};
use crate::rules::prelude::*;

rule! {
    /// A server offers tools to the model of a client that has not declared `sampling.tools`.
    ///
    /// The client has to refuse the request, and the work that waits for the answer fails.
    ///
    /// ```mcp,good,2025-11-25
    /// === open client:{"sampling":{"tools":{}}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"text","text":"1+1?"}}],"maxTokens":100,"tools":[{"name":"add","inputSchema":{"type":"object"}}]}}
    /// ```
    /// ```mcp,bad,2025-11-25
    /// === open client:{"sampling":{}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"text","text":"1+1?"}}],"maxTokens":100,"tools":[{"name":"add","inputSchema":{"type":"object"}}]}}
    ///                                                                                                                                                                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ the client has not declared `sampling.tools`
    /// ```
    /// ```mcp,good,2025-11-25
    /// === open client:{"sampling":{}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"text","text":"1+1?"}}],"maxTokens":100}}
    /// ```
    /// ```mcp,bad,2025-11-25
    /// === open client:{"sampling":{}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"text","text":"1+1?"}}],"maxTokens":100,"toolChoice":{"mode":"none"}}}
    ///                                                                                                                                                                           ^^^^^^^^^^^^^^^ a choice among tools, of which there are none
    /// ```
    RULE = {
        name: "capability/sampling-tools",
        layer: Session,
        level: Error,
        revisions: RevisionSet::since(Revision::V2025_11_25),
        party: Server,
        spec: "client/sampling#tools-in-sampling",
        code: -32602,
        help: "leave out `tools` and `toolChoice` where the client has not declared `sampling.tools`",
        uses: [Receiver(SamplingTools)],
        check: Check::Message(FOR_SAMPLING, check),
    }
}

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    // Another rule reports a request without `sampling`.
    let unable = session
        .declared(Party::Client, message)
        .is_some_and(|declared| {
            declared.has(Capability::Sampling) && !declared.has(Capability::SamplingTools)
        });
    if !unable {
        return;
    }
    for (_, params) in client_requests(message, "sampling/createMessage") {
        if let Some(tools) = params.get("tools").or_else(|| params.get("toolChoice")) {
            findings.at(tools, "the client has not declared `sampling.tools`");
        }
    }
}
