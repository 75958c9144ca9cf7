//! `ext-tasks/empty-ack`

use crate::rules::prelude::*;

rule! {
    /// The acknowledgment of `tasks/update` or `tasks/cancel` is not empty.
    ///
    /// It only says that the wish arrived. A state in it is out of date at once, and clients that
    /// read it act on it too early.
    ///
    /// ```mcp,good,2026-07-28
    /// === open client:{"elicitation":{},"extensions":{"io.modelcontextprotocol/tasks":{}}} server:{"tools":{},"prompts":{},"extensions":{"io.modelcontextprotocol/tasks":{}}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"copy","arguments":{"from":"a"},"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"task","taskId":"786512e2-9e0d-44bd-8f29-789f320fe840","status":"working","createdAt":"2026-07-28T10:30:00Z","lastUpdatedAt":"2026-07-28T10:30:00Z","ttlMs":60000,"_meta":{…}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tasks/cancel","params":{"taskId":"786512e2-9e0d-44bd-8f29-789f320fe840","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open client:{"elicitation":{},"extensions":{"io.modelcontextprotocol/tasks":{}}} server:{"tools":{},"prompts":{},"extensions":{"io.modelcontextprotocol/tasks":{}}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"copy","arguments":{"from":"a"},"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"task","taskId":"786512e2-9e0d-44bd-8f29-789f320fe840","status":"working","createdAt":"2026-07-28T10:30:00Z","lastUpdatedAt":"2026-07-28T10:30:00Z","ttlMs":60000,"_meta":{…}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tasks/cancel","params":{"taskId":"786512e2-9e0d-44bd-8f29-789f320fe840","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","taskId":"786512e2-9e0d-44bd-8f29-789f320fe840","status":"working","createdAt":"2026-07-28T10:30:00Z","lastUpdatedAt":"2026-07-28T10:30:00Z","ttlMs":60000,"_meta":{…}}}
    ///                                                               ^^^^^^^^ not the place for the task
    /// ```
    ///
    /// ```mcp,good,2026-07-28
    /// === open client:{"elicitation":{},"extensions":{"io.modelcontextprotocol/tasks":{}}} server:{"tools":{},"prompts":{},"extensions":{"io.modelcontextprotocol/tasks":{}}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"copy","arguments":{"from":"a"},"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"task","taskId":"786512e2-9e0d-44bd-8f29-789f320fe840","status":"working","createdAt":"2026-07-28T10:30:00Z","lastUpdatedAt":"2026-07-28T10:30:00Z","ttlMs":60000,"_meta":{…}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tasks/get","params":{"taskId":"786512e2-9e0d-44bd-8f29-789f320fe840","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","taskId":"786512e2-9e0d-44bd-8f29-789f320fe840","status":"input_required","createdAt":"2026-07-28T10:30:00Z","lastUpdatedAt":"2026-07-28T10:30:00Z","ttlMs":60000,"inputRequests":{"name":{"method":"elicitation/create","params":{"mode":"form","message":"Your name?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}}}},"_meta":{…}}}
    /// --> {"jsonrpc":"2.0","id":3,"method":"tasks/update","params":{"taskId":"786512e2-9e0d-44bd-8f29-789f320fe840","inputResponses":{"name":{"action":"accept","content":{"name":"Ann"}}},"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":3,"result":{"resultType":"complete","_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open client:{"elicitation":{},"extensions":{"io.modelcontextprotocol/tasks":{}}} server:{"tools":{},"prompts":{},"extensions":{"io.modelcontextprotocol/tasks":{}}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"copy","arguments":{"from":"a"},"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"task","taskId":"786512e2-9e0d-44bd-8f29-789f320fe840","status":"working","createdAt":"2026-07-28T10:30:00Z","lastUpdatedAt":"2026-07-28T10:30:00Z","ttlMs":60000,"_meta":{…}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tasks/get","params":{"taskId":"786512e2-9e0d-44bd-8f29-789f320fe840","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","taskId":"786512e2-9e0d-44bd-8f29-789f320fe840","status":"input_required","createdAt":"2026-07-28T10:30:00Z","lastUpdatedAt":"2026-07-28T10:30:00Z","ttlMs":60000,"inputRequests":{"name":{"method":"elicitation/create","params":{"mode":"form","message":"Your name?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}}}},"_meta":{…}}}
    /// --> {"jsonrpc":"2.0","id":3,"method":"tasks/update","params":{"taskId":"786512e2-9e0d-44bd-8f29-789f320fe840","inputResponses":{"name":{"action":"accept","content":{"name":"Ann"}}},"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":3,"result":{"resultType":"complete","accepted":true,"_meta":{…}}}
    ///                                                               ^^^^^^^^^^ has no meaning
    /// ```
    RULE = {
        name: "ext-tasks/empty-ack",
        layer: Session,
        level: Error,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        party: Server,
        spec: "seps/2663-tasks-extension#task-update-requests",
        help: "answer with `resultType` and `_meta` only",
        check: Check::Message(&[On::Result("tasks/update"), On::Result("tasks/cancel")], check),
    }
}

fn check(message: &Message<'_>, _: &Session, findings: &mut Findings<'_>) {
    let mut members = message.result().into_iter().flat_map(Node::members);
    let more = members.find(|(key, _)| !key.is_text("resultType") && !key.is_text("_meta"));
    if let Some((key, _)) = more {
        findings.at(key, "an acknowledgment has `resultType` and `_meta` only");
    }
}
