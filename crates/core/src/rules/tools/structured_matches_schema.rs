//! `tools/structured-matches-schema`

use super::results::finished;
use crate::rules::prelude::*;

rule! {
    /// A structured result does not fit the `outputSchema` of its tool.
    ///
    /// Clients that check results refuse it; the others compute with values of another type than
    /// they were promised.
    ///
    /// ```mcp,good,2025-06-18
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"weather","inputSchema":{"type":"object"},"outputSchema":{"type":"object","properties":{"celsius":{"type":"number"}},"required":["celsius"]}}]}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"weather"}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"{\"celsius\":22}"}],"structuredContent":{"celsius":22}}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"weather","inputSchema":{"type":"object"},"outputSchema":{"type":"object","properties":{"celsius":{"type":"number"}},"required":["celsius"]}}]}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"weather"}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"{\"celsius\":\"22\"}"}],"structuredContent":{"celsius":"22"}}}
    ///                                                                                                                                ^^^^ a number is promised
    /// ```
    ///
    /// ```mcp,good,2026-07-28
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[{"name":"weather","inputSchema":{"type":"object"},"outputSchema":{"type":"object","properties":{"celsius":{"type":"number"}},"required":["celsius"]}}],"ttlMs":0,"cacheScope":"public","_meta":{…}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"weather","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","content":[{"type":"text","text":"{\"celsius\":22}"}],"structuredContent":{"celsius":22},"_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[{"name":"weather","inputSchema":{"type":"object"},"outputSchema":{"type":"object","properties":{"celsius":{"type":"number"}},"required":["celsius"]}}],"ttlMs":0,"cacheScope":"public","_meta":{…}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"weather","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","content":[{"type":"text","text":"{\"celsius\":\"22\"}"}],"structuredContent":{"celsius":"22"},"_meta":{…}}}
    ///                                                                                                                                                        ^^^^ a number is promised
    /// ```
    ///
    /// The result of a task is checked like that of a call.
    ///
    /// ```mcp,good,2025-11-25,only
    /// === open server:{"tools":{},"tasks":{"requests":{"tools":{"call":{}}}}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"weather","inputSchema":{"type":"object"},"outputSchema":{"type":"object","properties":{"celsius":{"type":"number"}},"required":["celsius"]},"execution":{"taskSupport":"optional"}}]}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"weather","task":{}}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"task":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13","status":"working","createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":60000}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/tasks/status","params":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13","status":"completed","createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":60000}}
    /// --> {"jsonrpc":"2.0","id":3,"method":"tasks/result","params":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13"}}
    /// <-- {"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"{\"celsius\":22}"}],"structuredContent":{"celsius":22},"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13"}}}}
    /// ```
    /// ```mcp,bad,2025-11-25,only
    /// === open server:{"tools":{},"tasks":{"requests":{"tools":{"call":{}}}}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"weather","inputSchema":{"type":"object"},"outputSchema":{"type":"object","properties":{"celsius":{"type":"number"}},"required":["celsius"]},"execution":{"taskSupport":"optional"}}]}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"weather","task":{}}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"task":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13","status":"working","createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":60000}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/tasks/status","params":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13","status":"completed","createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":60000}}
    /// --> {"jsonrpc":"2.0","id":3,"method":"tasks/result","params":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13"}}
    /// <-- {"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"{\"celsius\":\"22\"}"}],"structuredContent":{"celsius":"22"},"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13"}}}}
    ///                                                                                                                                ^^^^ a number is promised
    /// ```
    RULE = {
        name: "tools/structured-matches-schema",
        layer: Tools,
        level: Error,
        revisions: RevisionSet::since(Revision::V2025_06_18),
        party: Server,
        spec: "server/tools#output-schema",
        help: "return what `outputSchema` promises, or correct the schema",
        check: Check::Keyed(
            &["structuredContent"],
            &[On::Result("tools/call"), On::Result("tasks/result")],
            check,
        ),
    }
}

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    if let Some(structured) = message.in_result("structuredContent")
        && let Some((_, tool)) = finished(message, session)
        && let Some(schema) = tool.output(message)
    {
        schema.check(structured, |at, keyword, place| {
            let text = "does not fit `{}` of the tool's `outputSchema`";
            findings.by_keyword(at, text, ("outputSchema", place, keyword));
        });
    }
}
