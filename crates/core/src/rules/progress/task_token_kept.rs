//! `progress/task-token-kept`

use crate::rules::prelude::*;

rule! {
    /// The progress of a task is reported under another token than that of its request.
    ///
    /// The requestor knows the task's progress by that one token, for as long as the task runs.
    ///
    /// ```mcp,good,2025-11-25
    /// === open server:{"tools":{},"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"copy","task":{},"_meta":{"progressToken":"a"}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"task":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13","status":"working","createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":60000}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"a","progress":1,"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13"}}}}
    /// ```
    /// ```mcp,bad,2025-11-25
    /// === open server:{"tools":{},"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"copy","task":{},"_meta":{"progressToken":"a"}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"task":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13","status":"working","createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":60000}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"b","progress":1,"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13"}}}}
    ///                                                                                  ^^^ the request gave another token
    /// ```
    RULE = {
        name: "progress/task-token-kept",
        layer: Session,
        level: Error,
        revisions: RevisionSet::only(Revision::V2025_11_25),
        spec: "basic/utilities/progress#behavior-requirements",
        help: "report progress of a task under the token of the request that made it",
        check: Check::Group(&super::report::GROUP),
    }
}
