//! `ext-tasks/failed-is-jsonrpc`

use crate::rules::prelude::*;

rule! {
    /// A task counts as failed although its tool has returned a result.
    ///
    /// The result of a failed tool is meant for the model. After `failed` clients look for a
    /// JSON-RPC error and do not read the result.
    ///
    /// ```mcp,good,2026-07-28
    /// === open client:{"elicitation":{},"extensions":{"io.modelcontextprotocol/tasks":{}}} server:{"tools":{},"prompts":{},"extensions":{"io.modelcontextprotocol/tasks":{}}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"copy","arguments":{"from":"a"},"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"task","taskId":"786512e2-9e0d-44bd-8f29-789f320fe840","status":"working","createdAt":"2026-07-28T10:30:00Z","lastUpdatedAt":"2026-07-28T10:30:00Z","ttlMs":60000,"_meta":{…}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tasks/get","params":{"taskId":"786512e2-9e0d-44bd-8f29-789f320fe840","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","taskId":"786512e2-9e0d-44bd-8f29-789f320fe840","status":"completed","createdAt":"2026-07-28T10:30:00Z","lastUpdatedAt":"2026-07-28T10:30:00Z","ttlMs":60000,"result":{"resultType":"complete","content":[{"type":"text","text":"no space left"}],"isError":true},"_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open client:{"elicitation":{},"extensions":{"io.modelcontextprotocol/tasks":{}}} server:{"tools":{},"prompts":{},"extensions":{"io.modelcontextprotocol/tasks":{}}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"copy","arguments":{"from":"a"},"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"task","taskId":"786512e2-9e0d-44bd-8f29-789f320fe840","status":"working","createdAt":"2026-07-28T10:30:00Z","lastUpdatedAt":"2026-07-28T10:30:00Z","ttlMs":60000,"_meta":{…}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tasks/get","params":{"taskId":"786512e2-9e0d-44bd-8f29-789f320fe840","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","taskId":"786512e2-9e0d-44bd-8f29-789f320fe840","status":"failed","createdAt":"2026-07-28T10:30:00Z","lastUpdatedAt":"2026-07-28T10:30:00Z","ttlMs":60000,"result":{"resultType":"complete","content":[{"type":"text","text":"no space left"}],"isError":true},"_meta":{…}}}
    ///                                                                                                                        ^^^^^^^^ the tool has answered
    /// ```
    RULE = {
        name: "ext-tasks/failed-is-jsonrpc",
        layer: Session,
        level: Error,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        party: Server,
        spec: "seps/2663-tasks-extension#task-execution-errors",
        help: "report the result of a tool as `completed`, with `isError` if it failed",
        check: Check::Group(&super::states::GROUP),
    }
}
