//! `cancel/not-for-tasks`

use crate::rules::prelude::*;

rule! {
    /// `notifications/cancelled` is sent for a request that has become a task.
    ///
    /// The request was answered with the task, so there is no request left to cancel: the task goes
    /// on.
    ///
    /// ```mcp,good,2025-11-25
    /// === open server:{"tools":{},"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"copy","task":{}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"task":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13","status":"working","createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":60000}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tasks/get","params":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13"}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13","status":"working","createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":60000}}
    /// --> {"jsonrpc":"2.0","id":3,"method":"tasks/cancel","params":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13"}}
    /// <-- {"jsonrpc":"2.0","id":3,"result":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13","status":"cancelled","createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":60000}}
    /// ```
    /// ```mcp,bad,2025-11-25
    /// === open server:{"tools":{},"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"copy","task":{}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"task":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13","status":"working","createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":60000}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tasks/get","params":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13"}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13","status":"working","createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":60000}}
    /// --> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}
    ///                                                                               ^ this request has become a task
    /// ```
    RULE = {
        name: "cancel/not-for-tasks",
        layer: Session,
        level: Error,
        revisions: RevisionSet::only(Revision::V2025_11_25),
        spec: "basic/utilities/cancellation#behavior-requirements",
        help: "send `tasks/cancel` with the id of the task",
        check: Check::Group(&super::notice::GROUP),
    }
}
