//! `ext-tasks/declared`

use crate::rules::prelude::*;

rule! {
    /// A task is returned to a request that did not declare the tasks extension.
    ///
    /// The client does not know what to do with a task and takes it for a broken result. What
    /// earlier requests declared does not count.
    ///
    /// ```mcp,good,2026-07-28
    /// === open client:{"elicitation":{},"extensions":{"io.modelcontextprotocol/tasks":{}}} server:{"tools":{},"prompts":{},"extensions":{"io.modelcontextprotocol/tasks":{}}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"copy","arguments":{"from":"a"},"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"task","taskId":"786512e2-9e0d-44bd-8f29-789f320fe840","status":"working","createdAt":"2026-07-28T10:30:00Z","lastUpdatedAt":"2026-07-28T10:30:00Z","ttlMs":60000,"_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open client:{} server:{"tools":{},"extensions":{"io.modelcontextprotocol/tasks":{}}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"copy","arguments":{"from":"a"},"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"task","taskId":"786512e2-9e0d-44bd-8f29-789f320fe840","status":"working","createdAt":"2026-07-28T10:30:00Z","lastUpdatedAt":"2026-07-28T10:30:00Z","ttlMs":60000,"_meta":{…}}}
    ///                                                    ^^^^^^ the client does not know tasks
    /// ```
    RULE = {
        name: "ext-tasks/declared",
        layer: Session,
        level: Error,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        party: Server,
        spec: "seps/2663-tasks-extension#capability-negotiation",
        help: "return a task only if this request declares `io.modelcontextprotocol/tasks` among its extensions",
        check: Check::Group(&super::results::GROUP),
    }
}
