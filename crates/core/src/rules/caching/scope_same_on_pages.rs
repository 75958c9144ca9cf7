//! `caching/scope-same-on-pages`

use crate::rules::prelude::*;
use crate::session::{CacheScope, Lists};

rule! {
    /// Pages of one list differ in `cacheScope`.
    ///
    /// The pages are one list. A cache that shares one and not the other shows users lists that
    /// never were.
    ///
    /// ```mcp,good,2026-07-28
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[{"name":"add","inputSchema":{"type":"object"}}],"nextCursor":"a","ttlMs":0,"cacheScope":"private","_meta":{…}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":"a","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","tools":[{"name":"sub","inputSchema":{"type":"object"}}],"ttlMs":0,"cacheScope":"private","_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[{"name":"add","inputSchema":{"type":"object"}}],"nextCursor":"a","ttlMs":0,"cacheScope":"public","_meta":{…}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":"a","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","tools":[{"name":"sub","inputSchema":{"type":"object"}}],"ttlMs":0,"cacheScope":"private","_meta":{…}}}
    ///                                                                                                                                               ^^^^^^^^^ the page before is public
    /// ```
    RULE = {
        name: "caching/scope-same-on-pages",
        layer: Session,
        level: Error,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        party: Server,
        spec: "server/utilities/caching#interaction-with-pagination",
        help: "give all pages of a list the same `cacheScope`",
        check: Check::Message(
            &[
                On::Result("tools/list"),
                On::Result("prompts/list"),
                On::Result("resources/list"),
                On::Result("resources/templates/list"),
            ],
            check,
        ),
    }
}

fn check(message: &Message<'_>, _: &Session, findings: &mut Findings<'_>) {
    let Some(before) = Lists::before(message).and_then(|walk| walk.scope) else {
        return;
    };
    let Some(scope) = message.in_result("cacheScope") else {
        return;
    };
    if CacheScope::read(scope).is_some_and(|now| now != before) {
        findings.at(scope, "the page before has another `cacheScope`");
    }
}
