//! `tools/arguments-match-schema`

use crate::rules::prelude::*;

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
        check: Check::Message(&[On::Call("tools/call")], check),
    }
}

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    let Some(params) = message.params() else {
        return;
    };
    let tools = &session.state.tools;
    let Some(tool) = params.get("name").and_then(|name| tools.get(name)) else {
        return;
    };
    match (params.get("arguments"), &tool.input) {
        (Some(arguments), Some(schema)) => schema.check(arguments, |at, keyword, place| {
            let text = "does not fit `{}` of the tool's `inputSchema`";
            findings.by_keyword(at, text, ("inputSchema", place, keyword));
        }),
        (None, _) if !tool.needs_nothing => {
            findings.at(
                params,
                "`arguments` are missing, and the tool's `inputSchema` asks for some",
            );
        }
        _ => {}
    }
}
