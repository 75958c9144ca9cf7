//! `progress/task-stops-at-terminal`

use crate::rules::prelude::*;

rule! {
    /// Progress is reported for a task that has ended.
    ///
    /// The token is forgotten when the task is over, so the notification belongs to nothing any
    /// more.
    ///
    /// ```mcp,good,2025-11-25
    /// === open server:{"tools":{},"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"copy","task":{},"_meta":{"progressToken":"a"}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"task":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13","status":"working","createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":60000}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"a","progress":1,"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13"}}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/tasks/status","params":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13","status":"completed","createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":60000}}
    /// ```
    /// ```mcp,bad,2025-11-25
    /// === open server:{"tools":{},"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"copy","task":{},"_meta":{"progressToken":"a"}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"task":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13","status":"working","createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":60000}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/tasks/status","params":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13","status":"completed","createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":60000}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"a","progress":1,"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13"}}}}
    ///                                                                                  ^^^ the task has ended
    /// ```
    RULE = {
        name: "progress/task-stops-at-terminal",
        layer: Session,
        level: Error,
        revisions: RevisionSet::only(Revision::V2025_11_25),
        spec: "basic/utilities/progress#behavior-requirements",
        help: "send the last progress notification before the task is reported as completed, failed or cancelled",
        check: Check::Group(&super::report::GROUP),
    }
}
