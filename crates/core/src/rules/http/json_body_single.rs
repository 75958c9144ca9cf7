//! `http/json-body-single`

use crate::rules::prelude::*;

rule! {
    /// A JSON answer is not the one response to the request that was posted.
    ///
    /// The client looks for the answer to its request in the answer to its POST, and finds
    /// something else.
    ///
    /// ```mcp,good,2025-06-18
    /// === open server:{"tools":{}}
    /// --> POST /mcp #1
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// --> POST /mcp #2
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    ///     {"jsonrpc":"2.0","id":2,"method":"ping"}
    /// <-- 200 #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"result":{"tools":[]}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open server:{"tools":{}}
    /// --> POST /mcp #1
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// --> POST /mcp #2
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    ///     {"jsonrpc":"2.0","id":2,"method":"ping"}
    /// <-- 200 #1
    ///     …
    ///     {"jsonrpc":"2.0","id":2,"result":{}}
    ///                           ^ the request that was posted here is another one
    /// ```
    /// ```mcp,good,2026-07-28
    /// === open server:{"tools":{}}
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// --> POST /mcp #2
    ///     …
    ///     {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- 200 #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"private","_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"tools":{}}
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// --> POST /mcp #2
    ///     …
    ///     {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- 200 #1
    ///     …
    ///     {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"private","_meta":{…}}}
    ///                           ^ the request that was posted here is another one
    /// ```
    /// ```mcp,good,2025-06-18
    /// === open server:{"tools":{"listChanged":true}}
    /// --> POST /mcp #1
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- 200 #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"result":{"tools":[]}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open server:{"tools":{"listChanged":true}}
    /// --> POST /mcp #1
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- 200 #1
    ///     …
    ///     {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}
    ///                               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ no response
    /// ```
    RULE = {
        name: "http/json-body-single",
        layer: Http,
        level: Error,
        revisions: RevisionSet::since(Revision::V2025_06_18),
        party: Server,
        spec: "basic/transports/streamable-http#sending-messages",
        help: "answer with exactly the response to the posted request, or open a stream",
        check: Check::Http(&[OnHttp::Response], check),
    }
}

fn check(transfer: &Transfer<'_>, session: &Session, findings: &mut Findings<'_>) {
    let Some(message) = transfer.message.filter(|message| message.sound) else {
        return;
    };
    let Part::Response { status: 200, .. } = transfer.http.part else {
        return;
    };
    // A server that could not read an id in the posted body cannot answer with it.
    let unidentified = session.state.requests.unidentified[Direction::ClientToServer as usize];
    if session.state.http.asking(transfer).is_none() || unidentified > 0 {
        return;
    }
    match message.kind() {
        MessageKind::Request | MessageKind::Notification => findings.at(
            message.method_or_root(),
            "the body is no response; only a stream carries other messages",
        ),
        _ => {
            let answered = message.request.and_then(|request| request.sent.exchange);
            if answered.is_some_and(|exchange| Some(exchange) != transfer.http.exchange) {
                findings.at(
                    message.id().unwrap_or(message.root()),
                    "the body answers another request than the one that was posted",
                );
            }
        }
    }
}
