//! `capability/tools`

use crate::rules::prelude::*;
use crate::rules::support::method_needs;

rule! {
    /// A client asks for tools of a server that has not declared `tools`.
    ///
    /// The server has no such methods: it refuses the request, or answers with something nobody
    /// meant.
    ///
    /// ```mcp,good,2025-06-18
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open server:{}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    ///                                      ^^^^^^^^^^^^ the server has not declared `tools`
    /// ```
    /// ```mcp,good,2026-07-28
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    ///                                      ^^^^^^^^^^^^ the server has not declared `tools`
    /// ```
    /// ```mcp,good,2025-06-18
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{}}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open server:{"prompts":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{}}}
    ///                                      ^^^^^^^^^^^^ the server has prompts only
    /// ```
    RULE = {
        name: "capability/tools",
        layer: Session,
        level: Error,
        recommended: RevisionSet::until(Revision::V2025_03_26),
        party: Client,
        spec: "basic/lifecycle#operation",
        code: -32601,
        help: "check the capabilities of the server before asking for tools",
        uses: [Receiver(Tools)],
        check: Check::Message(&[On::Call("tools/list"), On::Call("tools/call")], method_needs),
    }
}
