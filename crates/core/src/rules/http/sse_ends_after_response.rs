//! `http/sse-ends-after-response`

use crate::rules::prelude::*;
use crate::session::HttpMemory;

rule! {
    /// The server goes on sending on a stream after the response that it was opened for.
    ///
    /// Clients stop to read a stream when they have the response, so whatever follows is lost.
    ///
    /// ```mcp,good,2025-06-18
    /// === open server:{"tools":{"listChanged":true}}
    /// --> POST /mcp #1
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- 200 #1 stream
    ///     …
    /// <-- event #1 id:a0
    /// <-- event #1 id:a1
    ///     {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}
    /// <-- event #1 id:a2
    ///     {"jsonrpc":"2.0","id":1,"result":{"tools":[]}}
    /// <-- end #1
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open server:{"tools":{"listChanged":true}}
    /// --> POST /mcp #1
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- 200 #1 stream
    ///     …
    /// <-- event #1 id:a0
    /// <-- event #1 id:a1
    ///     {"jsonrpc":"2.0","id":1,"result":{"tools":[]}}
    /// <-- event #1 id:a2
    ///     {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}
    ///                               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ the response was sent before
    /// <-- end #1
    /// ```
    /// ```mcp,good,2026-07-28
    /// === open server:{"tools":{}}
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// --> POST /mcp #2
    ///     …
    ///     {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- 200 #1 stream
    ///     …
    /// <-- event #1
    ///     {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"private","_meta":{…}}}
    /// <-- end #1
    /// <-- 200 #2
    ///     …
    ///     {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"private","_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"tools":{}}
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// --> POST /mcp #2
    ///     …
    ///     {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- 200 #1 stream
    ///     …
    /// <-- event #1
    ///     {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"private","_meta":{…}}}
    /// <-- event #1
    ///     {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"private","_meta":{…}}}
    ///                           ^ the response was sent before
    /// <-- end #1
    /// ```
    RULE = {
        name: "http/sse-ends-after-response",
        layer: Http,
        level: Warning,
        revisions: RevisionSet::since(Revision::V2025_03_26),
        party: Server,
        spec: "basic/transports/streamable-http#receiving-messages",
        help: "end the stream once the response was sent",
        check: Check::Http(&[OnHttp::Event], check),
    }
}

fn check(transfer: &Transfer<'_>, session: &Session, findings: &mut Findings<'_>) {
    let http = &session.state.http;
    let Some(exchange) = http.asking(transfer) else {
        return;
    };
    let is_done = exchange.answers > 0 && !HttpMemory::waits(transfer, session);
    let Some(message) = transfer.message.filter(|message| is_done && message.sound) else {
        return;
    };
    let place = match message.kind() {
        // Another rule reports late progress, and without a handshake every other notification.
        MessageKind::Notification
            if message.method() == Some("notifications/progress")
                || message.has(Fact::Stateless) =>
        {
            return;
        }
        MessageKind::Request | MessageKind::Notification => message.method_or_root(),
        // Another rule reports a response that matches no request.
        _ if message.request.is_none() => return,
        // Two swapped answers are one fault, reported at the first of them.
        _ if exchange.answered_on.is_some()
            && exchange.answered_on
                == message.request.and_then(|request| request.sent.exchange) =>
        {
            return;
        }
        _ => message.id().unwrap_or(message.root()),
    };
    findings.at(
        place,
        "the stream goes on after the response that it was opened for",
    );
}
