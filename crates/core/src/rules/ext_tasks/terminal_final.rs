//! `ext-tasks/terminal-final`

use crate::rules::prelude::*;

rule! {
    /// A task leaves a final state.
    ///
    /// Clients stop polling once a task is `completed`, `failed` or `cancelled`, and never learn of
    /// what comes after.
    ///
    /// ```mcp,good,2026-07-28
    /// === open client:{"elicitation":{},"extensions":{"io.modelcontextprotocol/tasks":{}}} server:{"tools":{},"prompts":{},"extensions":{"io.modelcontextprotocol/tasks":{}}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"copy","arguments":{"from":"a"},"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"task","taskId":"786512e2-9e0d-44bd-8f29-789f320fe840","status":"working","createdAt":"2026-07-28T10:30:00Z","lastUpdatedAt":"2026-07-28T10:30:00Z","ttlMs":60000,"_meta":{…}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tasks/get","params":{"taskId":"786512e2-9e0d-44bd-8f29-789f320fe840","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","taskId":"786512e2-9e0d-44bd-8f29-789f320fe840","status":"cancelled","createdAt":"2026-07-28T10:30:00Z","lastUpdatedAt":"2026-07-28T10:30:00Z","ttlMs":60000,"_meta":{…}}}
    /// --> {"jsonrpc":"2.0","id":3,"method":"tasks/get","params":{"taskId":"786512e2-9e0d-44bd-8f29-789f320fe840","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":3,"result":{"resultType":"complete","taskId":"786512e2-9e0d-44bd-8f29-789f320fe840","status":"cancelled","createdAt":"2026-07-28T10:30:00Z","lastUpdatedAt":"2026-07-28T10:30:00Z","ttlMs":60000,"_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open client:{"elicitation":{},"extensions":{"io.modelcontextprotocol/tasks":{}}} server:{"tools":{},"prompts":{},"extensions":{"io.modelcontextprotocol/tasks":{}}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"copy","arguments":{"from":"a"},"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"task","taskId":"786512e2-9e0d-44bd-8f29-789f320fe840","status":"working","createdAt":"2026-07-28T10:30:00Z","lastUpdatedAt":"2026-07-28T10:30:00Z","ttlMs":60000,"_meta":{…}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tasks/get","params":{"taskId":"786512e2-9e0d-44bd-8f29-789f320fe840","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","taskId":"786512e2-9e0d-44bd-8f29-789f320fe840","status":"cancelled","createdAt":"2026-07-28T10:30:00Z","lastUpdatedAt":"2026-07-28T10:30:00Z","ttlMs":60000,"_meta":{…}}}
    /// --> {"jsonrpc":"2.0","id":3,"method":"tasks/get","params":{"taskId":"786512e2-9e0d-44bd-8f29-789f320fe840","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":3,"result":{"resultType":"complete","taskId":"786512e2-9e0d-44bd-8f29-789f320fe840","status":"working","createdAt":"2026-07-28T10:30:00Z","lastUpdatedAt":"2026-07-28T10:30:00Z","ttlMs":60000,"_meta":{…}}}
    ///                                                                                                                        ^^^^^^^^^ was `cancelled`
    /// ```
    RULE = {
        name: "ext-tasks/terminal-final",
        layer: Session,
        level: Error,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        party: Server,
        spec: "seps/2663-tasks-extension#task-status",
        help: "keep a task in its final state",
        check: Check::Group(&super::states::GROUP),
    }
}
