//! `tasks/result-exact`

use crate::rules::prelude::*;

rule! {
    /// The answer to `tasks/result` is not what the original request would have returned.
    ///
    /// The requestor looks for the content of a tool, a message or an elicitation, and does not
    /// find it.
    ///
    /// ```mcp,good,2025-11-25
    /// === open server:{"tools":{},"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"copy","task":{}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"task":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13","status":"working","createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":60000}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/tasks/status","params":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13","status":"completed","createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":60000}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tasks/result","params":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13"}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"content":[],"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13"}}}}
    /// ```
    /// ```mcp,bad,2025-11-25
    /// === open server:{"tools":{},"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"copy","task":{}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"task":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13","status":"working","createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":60000}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/tasks/status","params":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13","status":"completed","createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":60000}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tasks/result","params":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13"}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13","status":"completed","createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":60000}}
    ///                                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ the task, not the result of the tool
    /// ```
    RULE = {
        name: "tasks/result-exact",
        layer: Session,
        level: Error,
        revisions: RevisionSet::only(Revision::V2025_11_25),
        spec: "basic/utilities/tasks#result-retrieval",
        help: "answer `tasks/result` with what the request would have returned without a task",
        check: Check::Group(&super::payload::GROUP),
    }
}
