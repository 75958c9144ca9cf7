//! `ext-tasks/legacy-gone`

use crate::rules::prelude::*;

rule! {
    /// A message uses tasks in the way of 2025-11-25.
    ///
    /// In this revision tasks are an extension, and the server alone decides which requests become
    /// one. Members of the old way are ignored, so the sender waits for a task that never comes.
    ///
    /// ```mcp,good,2026-07-28
    /// === open client:{"elicitation":{},"extensions":{"io.modelcontextprotocol/tasks":{}}} server:{"tools":{},"prompts":{},"extensions":{"io.modelcontextprotocol/tasks":{}}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"copy","arguments":{"from":"a"},"_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open client:{"elicitation":{},"extensions":{"io.modelcontextprotocol/tasks":{}}} server:{"tools":{},"prompts":{},"extensions":{"io.modelcontextprotocol/tasks":{}}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"copy","arguments":{"from":"a"},"task":{"ttl":60000},"_meta":{…}}}
    ///                                                                                                           ^^^^^^^^^^^^^ the server decides
    /// ```
    ///
    /// ```mcp,good,2026-07-28
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"YYYY-MM-DD","io.modelcontextprotocol/clientInfo":{"name":"client","version":"1"},"io.modelcontextprotocol/clientCapabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}}}}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"YYYY-MM-DD","io.modelcontextprotocol/clientInfo":{"name":"client","version":"1"},"io.modelcontextprotocol/clientCapabilities":{"tasks":{}}}}}
    ///                                                                                                                                                                                                                                                        ^^ is an extension now
    /// ```
    ///
    /// ```mcp,good,2026-07-28
    /// --> {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":["YYYY-MM-DD"],"capabilities":{"tools":{},"extensions":{"io.modelcontextprotocol/tasks":{}}},"ttlMs":0,"cacheScope":"private","_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// --> {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":["YYYY-MM-DD"],"capabilities":{"tools":{},"tasks":{}},"ttlMs":0,"cacheScope":"private","_meta":{…}}}
    ///                                                                                                                                     ^^ is an extension now
    /// ```
    RULE = {
        name: "ext-tasks/legacy-gone",
        layer: Session,
        level: Error,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        spec: "seps/2663-tasks-extension#backward-compatibility",
        code: -32601,
        help: "declare the extension `io.modelcontextprotocol/tasks`, and leave out `task`",
        check: Check::Message(&[On::AnyRequest, On::Result("server/discover")], check),
    }
}

fn check(message: &Message<'_>, _: &Session, findings: &mut Findings<'_>) {
    let capabilities = match message.result() {
        Some(result) => result.get("capabilities"),
        None => message
            .meta()
            .and_then(|meta| meta.get("io.modelcontextprotocol/clientCapabilities")),
    };
    if let Some(tasks) = capabilities.and_then(|capabilities| capabilities.get("tasks")) {
        let text = "tasks are declared as the extension `io.modelcontextprotocol/tasks`";
        findings.at(tasks, text);
    }
    if message.method() == Some("tools/call")
        && let Some(task) = message.param("task")
    {
        findings.at(
            task,
            "`task` does not exist here: the server decides what becomes a task",
        );
    }
}
