//! `elicitation/url-valid`

use super::requests::GROUP;
use crate::rules::prelude::*;
use crate::rules::support::uri_fault;

rule! {
    /// The `url` of an elicitation is not a URL.
    ///
    /// The client cannot open it, and the user cannot do what the server waits for.
    ///
    /// ```mcp,good,2025-11-25
    /// === open client:{"elicitation":{"form":{},"url":{}}} server:{"tools":{}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"mode":"url","message":"Please sign in","elicitationId":"e1","url":"https://example.com/sign-in"}}
    /// ```
    /// ```mcp,bad,2025-11-25
    /// === open client:{"elicitation":{"form":{},"url":{}}} server:{"tools":{}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"mode":"url","message":"Please sign in","elicitationId":"e1","url":"click here"}}
    ///                                                                                                                                        ^^^^^^^^^^^^ not a URL
    /// ```
    ///
    /// ```mcp,good,2026-07-28
    /// === open client:{"elicitation":{"form":{},"url":{}}} server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"deploy","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"who":{"method":"elicitation/create","params":{"mode":"url","message":"Please sign in","url":"https://example.com/sign-in"}}},"_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open client:{"elicitation":{"form":{},"url":{}}} server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"deploy","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"who":{"method":"elicitation/create","params":{"mode":"url","message":"Please sign in","url":"click here"}}},"_meta":{…}}}
    ///                                                                                                                                                                                   ^^^^^^^^^^^^ not a URL
    /// ```
    RULE = {
        name: "elicitation/url-valid",
        layer: Session,
        level: Error,
        revisions: RevisionSet::since(Revision::V2025_11_25),
        party: Server,
        spec: "client/elicitation#url-mode-elicitation-requests",
        code: -32602,
        help: "give an absolute URL",
        check: Check::Group(&GROUP),
    }
}

/// Checks a URL; returns whether it is valid.
pub(super) fn check(url: Node<'_>, findings: &mut Findings<'_>) -> bool {
    let fault = uri_fault(url);
    if let Some(fault) = fault {
        findings.raise(&RULE, url, fault.text());
    }
    fault.is_none()
}
