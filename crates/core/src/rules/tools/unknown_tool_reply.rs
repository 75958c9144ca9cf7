//! `tools/unknown-tool-reply`

use crate::rules::prelude::*;

rule! {
    /// A call of a tool that the server does not list has a result.
    ///
    /// The model believes that the tool has run; an error of the protocol says that there is none.
    /// A result with `isError` at least says that something went wrong: it is a note.
    ///
    /// Reported only if the whole list was seen and never had the tool.
    ///
    /// ```mcp,good,2025-06-18,without:tools/call-listed
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"add","inputSchema":{"type":"object"}}]}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"sub"}}
    /// <-- {"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"no such tool"}}
    /// ```
    /// ```mcp,bad,2025-06-18,without:tools/call-listed
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"add","inputSchema":{"type":"object"}}]}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"sub"}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"content":[]}}
    ///                                      ^^^^^^^^^^^^^^ [warning] the list has no tool `sub`
    /// ```
    ///
    /// ```mcp,good,2026-07-28,without:tools/call-listed
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"private","_meta":{…}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"sub","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"no such tool"}}
    /// ```
    /// ```mcp,bad,2026-07-28,without:tools/call-listed
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"private","_meta":{…}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"sub","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","content":[],"isError":true,"_meta":{…}}}
    ///                                                                            ^^^^^^^^^ [note] an error of the protocol is expected
    /// ```
    RULE = {
        name: "tools/unknown-tool-reply",
        layer: Session,
        level: Warning,
        party: Server,
        spec: "server/tools#error-handling",
        help: "answer the call of an unknown tool with the JSON-RPC error -32602",
        needs: [ToolList],
        check: Check::Message(&[On::Result("tools/call")], check),
    }
}

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    let data = message.request.and_then(|request| request.data());
    let is_unlisted = data.is_some_and(|data| data.unlisted_tool && !data.faulty);
    let (true, Some(result)) = (is_unlisted, message.result()) else {
        return;
    };
    // An unreadable list may have had it, and so may one that changed since.
    let unread = session.losses.answers[Direction::ServerToClient as usize] > 0;
    if unread || !session.state.tools.is_walked() {
        return;
    }
    let mut members = result.members();
    let failed = members.find(|(key, value)| key.is_text("isError") && value.kind() == Kind::True);
    match failed {
        Some((key, _)) => findings.at_most(Level::Note).at(
            key,
            "the list has no such tool: an error of the protocol is expected, not a result",
        ),
        None => findings.at(result, "a call of a tool that is not listed has a result"),
    }
}
