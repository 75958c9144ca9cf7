//! `tools/arguments-match-schema`

use crate::rules::prelude::*;
use crate::session::Tool;

rule! {
    /// A tool is called with arguments that its `inputSchema` does not accept.
    ///
    /// The server has to refuse the call, or works with values that it does not expect.
    ///
    /// ```mcp,good,2024-11-05
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"add","inputSchema":{"type":"object","properties":{"a":{"type":"number"},"b":{"type":"number"}},"required":["a","b"]}}]}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"add","arguments":{"a":1,"b":2}}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"3"}]}}
    /// ```
    /// ```mcp,bad,2024-11-05
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"add","inputSchema":{"type":"object","properties":{"a":{"type":"number"},"b":{"type":"number"}},"required":["a","b"]}}]}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"add","arguments":{"a":1}}}
    ///                                                                                      ^^^^^^^ `b` is required
    /// ```
    ///
    /// ```mcp,good,2024-11-05
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"add","inputSchema":{"type":"object","properties":{"a":{"type":"number"},"b":{"type":"number"}},"required":["a","b"]}}]}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"add","arguments":{"a":1,"b":2}}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"3"}]}}
    /// ```
    /// ```mcp,bad,2024-11-05
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"add","inputSchema":{"type":"object","properties":{"a":{"type":"number"},"b":{"type":"number"}},"required":["a","b"]}}]}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"add","arguments":{"a":1,"b":"2"}}}
    ///                                                                                                 ^^^ a number is asked for
    /// ```
    ///
    /// ```mcp,good,2026-07-28
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[{"name":"add","inputSchema":{"type":"object","properties":{"a":{"type":"number"},"b":{"type":"number"}},"required":["a","b"]}}],"ttlMs":0,"cacheScope":"public","_meta":{…}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"add","arguments":{"a":1,"b":2},"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","content":[{"type":"text","text":"3"}],"_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[{"name":"add","inputSchema":{"type":"object","properties":{"a":{"type":"number"},"b":{"type":"number"}},"required":["a","b"]}}],"ttlMs":0,"cacheScope":"public","_meta":{…}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"add","arguments":{"a":1,"b":"2"},"_meta":{…}}}
    ///                                                                                                 ^^^ a number is asked for
    /// ```
    ///
    /// Leaving out `arguments` is the same as passing none.
    ///
    /// ```mcp,good,2024-11-05
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"add","inputSchema":{"type":"object","properties":{"a":{"type":"number"},"b":{"type":"number"}},"required":["a","b"]}}]}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"add","arguments":{"a":1,"b":2}}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"3"}]}}
    /// ```
    /// ```mcp,bad,2024-11-05
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"add","inputSchema":{"type":"object","properties":{"a":{"type":"number"},"b":{"type":"number"}},"required":["a","b"]}}]}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"add"}}
    ///                                                            ^^^^^^^^^^^^^^ `a` and `b` are required
    /// ```
    RULE = {
        name: "tools/arguments-match-schema",
        layer: Tools,
        level: Error,
        party: Client,
        spec: "server/tools#tool",
        code: -32602,
        help: "pass the arguments that the tool asks for in `inputSchema`, in the types that it gives",
        check: Check::Group(&super::calls::GROUP),
    }
}

/// Checks the arguments of a call of this tool.
pub(super) fn check(message: &Message<'_>, tool: &Tool, findings: &mut Findings<'_>) {
    let Some(params) = message.params() else {
        return;
    };
    match (params.get("arguments"), tool.input(message)) {
        (Some(arguments), Some(schema)) => schema.check(arguments, |at, keyword, place| {
            let text = "does not fit `{}` of the tool's `inputSchema`";
            findings.raise_by_keyword(&RULE, at, text, ("inputSchema", place, keyword));
        }),
        (None, Some(schema)) if !schema.accepts_nothing() => {
            let text = "`arguments` are missing, and the tool's `inputSchema` asks for some";
            findings.raise(&RULE, params, text);
        }
        _ => {}
    }
}
