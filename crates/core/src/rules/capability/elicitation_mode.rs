//! `capability/elicitation-mode`

use super::client_requests::{FOR_ELICITATION, client_requests};
use crate::rules::prelude::*;

rule! {
    /// A server asks the user in a mode that the client has not declared.
    ///
    /// The client cannot show it: the user never sees the question.
    ///
    /// ```mcp,good,2025-11-25
    /// === open client:{"elicitation":{"url":{}}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"mode":"url","elicitationId":"e-1","message":"Please sign in","url":"https://example.com/sign-in"}}
    /// ```
    /// ```mcp,bad,2025-11-25
    /// === open client:{"elicitation":{}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"mode":"url","elicitationId":"e-1","message":"Please sign in","url":"https://example.com/sign-in"}}
    ///                                                                            ^^^^^ an empty object stands for forms only
    /// ```
    /// ```mcp,good,2025-11-25
    /// === open client:{"elicitation":{}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"Which branch?","requestedSchema":{"type":"object","properties":{"branch":{"type":"string"}}}}}
    /// ```
    /// ```mcp,bad,2025-11-25
    /// === open client:{"elicitation":{"url":{}}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"Which branch?","requestedSchema":{"type":"object","properties":{"branch":{"type":"string"}}}}}
    ///                                      ^^^^^^^^^^^^^^^^^^^^ a form, where the client has declared `url` only
    /// ```
    /// ```mcp,good,2026-07-28
    /// === open client:{"elicitation":{"form":{}}} server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"deploy","arguments":{},"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"who":{"method":"elicitation/create","params":{"mode":"form","message":"Which branch?","requestedSchema":{"type":"object","properties":{"branch":{"type":"string"}}}}}},"_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open client:{"elicitation":{"form":{}}} server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"deploy","arguments":{},"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"who":{"method":"elicitation/create","params":{"mode":"url","message":"Please sign in","url":"https://example.com/sign-in"}}},"_meta":{…}}}
    ///                                                                                                                                            ^^^^^ the request has declared `form` only
    /// ```
    RULE = {
        name: "capability/elicitation-mode",
        layer: Session,
        level: Error,
        revisions: RevisionSet::since(Revision::V2025_11_25),
        party: Server,
        spec: "client/elicitation#capabilities",
        code: -32602,
        help: "use a mode that the client has declared; `{}` stands for forms only",
        uses: [Receiver(ElicitationUrl)],
        check: Check::Message(FOR_ELICITATION, check),
    }
}

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    // Another rule reports a request without `elicitation`.
    let Some(declared) = session
        .declared(Party::Client, message)
        .filter(|declared| declared.has(Capability::Elicitation))
    else {
        return;
    };
    let url = declared.has(Capability::ElicitationUrl);
    let form = declared.has(Capability::ElicitationForm) || !url;
    for (method, params) in client_requests(message, "elicitation/create") {
        match params.get("mode") {
            Some(mode) if mode.is_text("url") && !url => {
                findings.at(mode, "the client has not declared the mode `url`");
            }
            Some(mode) if mode.is_text("form") && !form => {
                findings.at(mode, "the client has not declared the mode `form`");
            }
            None if !form => {
                findings.at(
                    method,
                    "a form, but the client has not declared the mode `form`",
                );
            }
            _ => {}
        }
    }
}
