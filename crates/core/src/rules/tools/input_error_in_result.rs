//! `tools/input-error-in-result`

use crate::rules::prelude::*;
use crate::session::Repeatable;

rule! {
    /// Bad arguments of a call are answered with an error of the protocol.
    ///
    /// Clients do not show such errors to the model, so it cannot correct its arguments. A result
    /// with `isError` reaches it.
    ///
    /// ```mcp,good,2025-11-25
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"book","inputSchema":{"type":"object"}}]}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"book","arguments":{"day":"yesterday"}}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"the day is in the past"}],"isError":true}}
    /// ```
    /// ```mcp,bad,2025-11-25
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"book","inputSchema":{"type":"object"}}]}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"book","arguments":{"day":"yesterday"}}}
    /// <-- {"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"the day is in the past"}}
    ///                                             ^^^^^^ a result with `isError` is expected
    /// ```
    ///
    /// ```mcp,good,2026-07-28
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[{"name":"book","inputSchema":{"type":"object"}}],"ttlMs":0,"cacheScope":"private","_meta":{…}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"book","arguments":{"day":"yesterday"},"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","content":[],"isError":true,"_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[{"name":"book","inputSchema":{"type":"object"}}],"ttlMs":0,"cacheScope":"private","_meta":{…}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"book","arguments":{"day":"yesterday"},"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"the day is in the past"}}
    ///                                             ^^^^^^ a result with `isError` is expected
    /// ```
    RULE = {
        name: "tools/input-error-in-result",
        layer: Session,
        level: Warning,
        revisions: RevisionSet::since(Revision::V2025_11_25),
        party: Server,
        spec: "server/tools#error-handling",
        help: "answer with a result whose `isError` is true and whose text says what is wrong",
        needs: [ToolList],
        check: Check::Message(&[On::Error("tools/call")], check),
    }
}

const INVALID_PARAMS: i64 = -32602;

fn check(message: &Message<'_>, _: &Session, findings: &mut Findings<'_>) {
    let Some(data) = message.request.and_then(|request| request.data()) else {
        return;
    };
    let is_retry = data.repeatable.as_ref().is_some_and(Repeatable::is_retry);
    // A fault in other params is no error of the arguments.
    let has_other_params = data.task || data.faulty || is_retry;
    if message.error_code() == Some(INVALID_PARAMS) && data.tool.is_some() && !has_other_params {
        let code = message.exchange.envelope.error_code();
        let text = "arguments of a listed tool are refused with an error of the protocol";
        findings.at(code.unwrap_or(message.root()), text);
    }
}
