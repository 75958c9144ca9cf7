//! `capability/sampling-context`

use super::client_requests::{FOR_SAMPLING, client_requests};
use crate::rules::prelude::*;

rule! {
    /// A server asks a client that has not declared `sampling.context` for the context of servers.
    ///
    /// The client does not include any context: the model answers without what the server counts
    /// on.
    ///
    /// ```mcp,good,2025-11-25
    /// === open client:{"sampling":{}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"text","text":"1+1?"}}],"maxTokens":100,"includeContext":"none"}}
    /// ```
    /// ```mcp,bad,2025-11-25
    /// === open client:{"sampling":{}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"text","text":"1+1?"}}],"maxTokens":100,"includeContext":"allServers"}}
    ///                                                                                                                                                                               ^^^^^^^^^^^^ the client has not declared `sampling.context`
    /// ```
    RULE = {
        name: "capability/sampling-context",
        layer: Session,
        level: Warning,
        revisions: RevisionSet::since(Revision::V2025_11_25),
        party: Server,
        spec: "client/sampling#capabilities",
        code: -32602,
        help: "leave out `includeContext` where the client has not declared `sampling.context`",
        uses: [Receiver(SamplingContext)],
        check: Check::Message(FOR_SAMPLING, check),
    }
}

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    // Another rule reports a request without `sampling`.
    let unable = session
        .declared(Party::Client, message)
        .is_some_and(|declared| {
            declared.has(Capability::Sampling) && !declared.has(Capability::SamplingContext)
        });
    if !unable {
        return;
    }
    for (_, params) in client_requests(message, "sampling/createMessage") {
        let wanted = params
            .get("includeContext")
            .filter(|context| context.is_text("thisServer") || context.is_text("allServers"));
        if let Some(context) = wanted {
            findings.at(context, "the client has not declared `sampling.context`");
        }
    }
}
