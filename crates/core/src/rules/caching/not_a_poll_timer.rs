//! `caching/not-a-poll-timer`

use crate::rules::prelude::*;

rule! {
    /// A client asks for a list again and again, just when `ttlMs` is over.
    ///
    /// `ttlMs` says how long a list may be kept. Clients that use it as a timer all come at the
    /// same moment, for nothing.
    ///
    /// ```mcp,good,2026-07-28
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[{"name":"add","inputSchema":{"type":"object"}}],"ttlMs":5000,"cacheScope":"public","_meta":{…}}}
    /// === wait 8.4s
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","tools":[{"name":"add","inputSchema":{"type":"object"}}],"ttlMs":5000,"cacheScope":"public","_meta":{…}}}
    /// === wait 11.1s
    /// --> {"jsonrpc":"2.0","id":3,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":3,"result":{"resultType":"complete","tools":[{"name":"add","inputSchema":{"type":"object"}}],"ttlMs":5000,"cacheScope":"public","_meta":{…}}}
    /// === wait 13.8s
    /// --> {"jsonrpc":"2.0","id":4,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":4,"result":{"resultType":"complete","tools":[{"name":"add","inputSchema":{"type":"object"}}],"ttlMs":5000,"cacheScope":"public","_meta":{…}}}
    /// === wait 16.5s
    /// --> {"jsonrpc":"2.0","id":5,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":5,"result":{"resultType":"complete","tools":[{"name":"add","inputSchema":{"type":"object"}}],"ttlMs":5000,"cacheScope":"public","_meta":{…}}}
    /// === wait 19.2s
    /// --> {"jsonrpc":"2.0","id":6,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":6,"result":{"resultType":"complete","tools":[{"name":"add","inputSchema":{"type":"object"}}],"ttlMs":5000,"cacheScope":"public","_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[{"name":"add","inputSchema":{"type":"object"}}],"ttlMs":5000,"cacheScope":"public","_meta":{…}}}
    /// === wait 5s
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","tools":[{"name":"add","inputSchema":{"type":"object"}}],"ttlMs":5000,"cacheScope":"public","_meta":{…}}}
    /// === wait 5s
    /// --> {"jsonrpc":"2.0","id":3,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":3,"result":{"resultType":"complete","tools":[{"name":"add","inputSchema":{"type":"object"}}],"ttlMs":5000,"cacheScope":"public","_meta":{…}}}
    /// === wait 5s
    /// --> {"jsonrpc":"2.0","id":4,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":4,"result":{"resultType":"complete","tools":[{"name":"add","inputSchema":{"type":"object"}}],"ttlMs":5000,"cacheScope":"public","_meta":{…}}}
    /// === wait 5s
    /// --> {"jsonrpc":"2.0","id":5,"method":"tools/list","params":{"_meta":{…}}}
    ///                                      ^^^^^^^^^^^^ the fourth time just when the list went stale
    /// <-- {"jsonrpc":"2.0","id":5,"result":{"resultType":"complete","tools":[{"name":"add","inputSchema":{"type":"object"}}],"ttlMs":5000,"cacheScope":"public","_meta":{…}}}
    /// === wait 5s
    /// --> {"jsonrpc":"2.0","id":6,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":6,"result":{"resultType":"complete","tools":[{"name":"add","inputSchema":{"type":"object"}}],"ttlMs":5000,"cacheScope":"public","_meta":{…}}}
    /// ```
    RULE = {
        name: "caching/not-a-poll-timer",
        layer: Session,
        level: Warning,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        party: Client,
        spec: "server/utilities/caching#freshness-calculation",
        help: "fetch a stale list when it is needed; to poll, add jitter and back off",
        check: Check::Message(
            &[
                On::Call("tools/list"),
                On::Call("prompts/list"),
                On::Call("resources/list"),
                On::Call("resources/templates/list"),
            ],
            check,
        ),
    }
}

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    if message.param("cursor").is_none() && session.state.lists.polls_by_ttl(message, session) {
        findings.at(
            message.method_or_root(),
            "four times in a row the list is asked for just when `ttlMs` is over, and nothing else",
        );
    }
}
