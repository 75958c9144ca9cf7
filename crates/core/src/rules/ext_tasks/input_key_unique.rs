//! `ext-tasks/input-key-unique`

use crate::rules::prelude::*;

rule! {
    /// A task uses the key of an input for another question.
    ///
    /// Clients track by the key which questions the user has answered; they skip the new one, or
    /// answer it with the answer to the old one.
    ///
    /// ```mcp,good,2026-07-28
    /// === open client:{"elicitation":{},"extensions":{"io.modelcontextprotocol/tasks":{}}} server:{"tools":{},"prompts":{},"extensions":{"io.modelcontextprotocol/tasks":{}}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"copy","arguments":{"from":"a"},"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"task","taskId":"786512e2-9e0d-44bd-8f29-789f320fe840","status":"working","createdAt":"2026-07-28T10:30:00Z","lastUpdatedAt":"2026-07-28T10:30:00Z","ttlMs":60000,"_meta":{…}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tasks/get","params":{"taskId":"786512e2-9e0d-44bd-8f29-789f320fe840","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","taskId":"786512e2-9e0d-44bd-8f29-789f320fe840","status":"input_required","createdAt":"2026-07-28T10:30:00Z","lastUpdatedAt":"2026-07-28T10:30:00Z","ttlMs":60000,"inputRequests":{"name":{"method":"elicitation/create","params":{"mode":"form","message":"Your name?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}}}},"_meta":{…}}}
    /// --> {"jsonrpc":"2.0","id":3,"method":"tasks/update","params":{"taskId":"786512e2-9e0d-44bd-8f29-789f320fe840","inputResponses":{"name":{"action":"accept","content":{"name":"Ann"}}},"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":3,"result":{"resultType":"complete","_meta":{…}}}
    /// --> {"jsonrpc":"2.0","id":4,"method":"tasks/get","params":{"taskId":"786512e2-9e0d-44bd-8f29-789f320fe840","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":4,"result":{"resultType":"complete","taskId":"786512e2-9e0d-44bd-8f29-789f320fe840","status":"input_required","createdAt":"2026-07-28T10:30:00Z","lastUpdatedAt":"2026-07-28T10:30:00Z","ttlMs":60000,"inputRequests":{"seat":{"method":"elicitation/create","params":{"mode":"form","message":"Which seat?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}}}},"_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open client:{"elicitation":{},"extensions":{"io.modelcontextprotocol/tasks":{}}} server:{"tools":{},"prompts":{},"extensions":{"io.modelcontextprotocol/tasks":{}}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"copy","arguments":{"from":"a"},"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"task","taskId":"786512e2-9e0d-44bd-8f29-789f320fe840","status":"working","createdAt":"2026-07-28T10:30:00Z","lastUpdatedAt":"2026-07-28T10:30:00Z","ttlMs":60000,"_meta":{…}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tasks/get","params":{"taskId":"786512e2-9e0d-44bd-8f29-789f320fe840","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","taskId":"786512e2-9e0d-44bd-8f29-789f320fe840","status":"input_required","createdAt":"2026-07-28T10:30:00Z","lastUpdatedAt":"2026-07-28T10:30:00Z","ttlMs":60000,"inputRequests":{"name":{"method":"elicitation/create","params":{"mode":"form","message":"Your name?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}}}},"_meta":{…}}}
    /// --> {"jsonrpc":"2.0","id":3,"method":"tasks/update","params":{"taskId":"786512e2-9e0d-44bd-8f29-789f320fe840","inputResponses":{"name":{"action":"accept","content":{"name":"Ann"}}},"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":3,"result":{"resultType":"complete","_meta":{…}}}
    /// --> {"jsonrpc":"2.0","id":4,"method":"tasks/get","params":{"taskId":"786512e2-9e0d-44bd-8f29-789f320fe840","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":4,"result":{"resultType":"complete","taskId":"786512e2-9e0d-44bd-8f29-789f320fe840","status":"input_required","createdAt":"2026-07-28T10:30:00Z","lastUpdatedAt":"2026-07-28T10:30:00Z","ttlMs":60000,"inputRequests":{"name":{"method":"elicitation/create","params":{"mode":"form","message":"Which seat?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}}}},"_meta":{…}}}
    ///                                                                                                                                                                                                                                                  ^^^^^^ was `Your name?` before
    /// ```
    RULE = {
        name: "ext-tasks/input-key-unique",
        layer: Session,
        level: Error,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        party: Server,
        spec: "seps/2663-tasks-extension#task-update-requests",
        help: "give each question of a task a key of its own",
        check: Check::Group(&super::states::GROUP),
    }
}
