//! `http/sse-deprecated`

use crate::rules::prelude::*;
use crate::session::Phase;

rule! {
    /// The transport of 2024-11-05 is used under a later revision.
    ///
    /// Streamable HTTP replaced it: peers that know only the new transport cannot be reached, and
    /// support for the old one goes away.
    ///
    /// ```mcp,good,2025-06-18
    /// === open server:{"tools":{}}
    /// --> POST /mcp #1
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- 200 #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"result":{"tools":[]}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> GET /sse #1
    ///     …
    /// <-- 200 #1 stream
    ///     …
    /// <-- event #1 name:endpoint
    ///     ^^^^^ only the transport of 2024-11-05 has it
    ///     /messages?session=8b1a9953
    /// ```
    /// ```mcp,good,2026-07-28
    /// === open server:{"tools":{}}
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- 200 #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"private","_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// --> GET /sse #1
    ///     …
    /// <-- 200 #1 stream
    ///     …
    /// <-- event #1 name:endpoint
    ///     ^^^^^ only the transport of 2024-11-05 has it
    ///     /messages?session=8b1a9953
    /// ```
    RULE = {
        name: "http/sse-deprecated",
        layer: Http,
        level: Warning,
        revisions: RevisionSet::since(Revision::V2025_03_26),
        spec: "deprecated#deprecated",
        help: "offer Streamable HTTP, and use it where it is offered",
        needs: [AgreedRevision],
        once: [PerSession],
        check: Check::Http(&[OnHttp::Event], check),
    }
}

fn check(transfer: &Transfer<'_>, session: &Session, findings: &mut Findings<'_>) {
    let http = &session.state.http;
    // Until a revision is agreed on, the other side may support only an older one.
    let phase = session.handshake.phase;
    let agrees = transfer
        .message
        .is_some_and(|message| message.sound && message.result().is_some());
    if matches!(phase, Phase::Pending | Phase::Refused) && !agrees {
        return;
    }
    if http.has_two_endpoints() || http.names_endpoint(transfer.http) {
        findings.head(
            Place::Event,
            "this is the transport of 2024-11-05, which Streamable HTTP has replaced",
        );
    }
}
