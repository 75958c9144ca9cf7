//! `tools/call-listed`

use crate::rules::prelude::*;

rule! {
    /// A client calls a tool that the server has not listed.
    ///
    /// It is allowed, but normally ends in an error: the name is misspelt, made up by a model, or
    /// belongs to another server.
    ///
    /// ```mcp,good,2024-11-05
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"add","inputSchema":{"type":"object"}}]}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"add"}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"3"}]}}
    /// ```
    /// ```mcp,bad,2024-11-05
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"add","inputSchema":{"type":"object"}}]}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"delete_all"}}
    ///                                                                    ^^^^^^^^^^^^ never listed
    /// <-- {"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"Unknown tool"}}
    /// ```
    ///
    /// ```mcp,good,2026-07-28
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[{"name":"add","inputSchema":{"type":"object"}}],"ttlMs":0,"cacheScope":"public","_meta":{…}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"add","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","content":[{"type":"text","text":"3"}],"_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[{"name":"add","inputSchema":{"type":"object"}}],"ttlMs":0,"cacheScope":"public","_meta":{…}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"delete_all","_meta":{…}}}
    ///                                                                    ^^^^^^^^^^^^ never listed
    /// <-- {"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"Unknown tool"}}
    /// ```
    RULE = {
        name: "tools/call-listed",
        layer: Session,
        level: Note,
        party: Client,
        spec: "server/tools#calling-tools",
        code: -32602,
        help: "call the tools that `tools/list` shows, by the names that it gives them",
        needs: [ToolList],
        hidden_by: [rules::http::MCP_NAME_MATCHES_BODY, rules::mrtr::RETRY_SAME_REQUEST],
        check: Check::Group(&super::calls::GROUP),
    }
}

/// Checks a call of a tool that no page has.
#[cold]
pub(super) fn check(
    message: &Message<'_>,
    name: Node<'_>,
    session: &Session,
    findings: &mut Findings<'_>,
) {
    // An unreadable list may have had it.
    let unread = session.losses.answers[Direction::ServerToClient as usize] > 0;
    if session.is_whole(message) && !unread {
        let text = "no page of `tools/list` has a tool of this name";
        findings.raise(&RULE, name, text);
    }
}
