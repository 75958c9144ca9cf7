//! `http/sse-event-name`

use super::media;
use crate::rules::prelude::*;

rule! {
    /// An event that carries a message has another name than message.
    ///
    /// Ordinary clients of server-sent events listen for events named message, or without a name,
    /// and never see this one.
    ///
    /// ```mcp,good,2025-06-18
    /// === open server:{"tools":{}}
    /// --> POST /mcp #1
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- 200 #1 stream
    ///     …
    /// <-- event #1 id:a0
    /// <-- event #1 id:a1
    ///     {"jsonrpc":"2.0","id":1,"result":{"tools":[]}}
    /// <-- end #1
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open server:{"tools":{}}
    /// --> POST /mcp #1
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- 200 #1 stream
    ///     …
    /// <-- event #1 id:a0
    /// <-- event #1 id:a1 name:rpc
    ///     ^^^^^ clients look for `message`
    ///     {"jsonrpc":"2.0","id":1,"result":{"tools":[]}}
    /// <-- end #1
    /// ```
    /// ```mcp,good,2026-07-28
    /// === open server:{"tools":{}}
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- 200 #1 stream
    ///     …
    /// <-- event #1
    ///     {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"private","_meta":{…}}}
    /// <-- end #1
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"tools":{}}
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- 200 #1 stream
    ///     …
    /// <-- event #1 name:rpc
    ///     ^^^^^ clients look for `message`
    ///     {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"private","_meta":{…}}}
    /// ```
    RULE = {
        name: "http/sse-event-name",
        layer: Http,
        level: Note,
        revisions: RevisionSet::since(Revision::V2025_03_26),
        party: Server,
        spec: "basic/transports/streamable-http#receiving-messages",
        help: "leave the name of the event out, or write `event: message`",
        check: Check::Http(&[OnHttp::Event], check),
    }
}

fn check(transfer: &Transfer<'_>, session: &Session, findings: &mut Findings<'_>) {
    let http = &session.state.http;
    // Another rule covers the transport of 2024-11-05.
    if media::hides_message(transfer)
        && !http.has_two_endpoints()
        && !http.names_endpoint(transfer.http)
    {
        findings.head(
            Place::Event,
            "the event with this message is not named `message`",
        );
    }
}
