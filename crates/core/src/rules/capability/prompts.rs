//! `capability/prompts`

use crate::rules::prelude::*;
use crate::rules::support::method_needs;

rule! {
    /// A client asks for prompts of a server that has not declared `prompts`.
    ///
    /// The server has no such methods: it refuses the request, or answers with something nobody
    /// meant.
    ///
    /// ```mcp,good,2025-06-18
    /// === open server:{"prompts":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"prompts/list"}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open server:{}
    /// --> {"jsonrpc":"2.0","id":1,"method":"prompts/list"}
    ///                                      ^^^^^^^^^^^^^^ the server has not declared `prompts`
    /// ```
    /// ```mcp,good,2026-07-28
    /// === open server:{"prompts":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"prompts/list","params":{"_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{}
    /// --> {"jsonrpc":"2.0","id":1,"method":"prompts/list","params":{"_meta":{…}}}
    ///                                      ^^^^^^^^^^^^^^ the server has not declared `prompts`
    /// ```
    /// ```mcp,good,2025-06-18
    /// === open server:{"prompts":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"greet"}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"greet"}}
    ///                                      ^^^^^^^^^^^^^ the server has tools only
    /// ```
    RULE = {
        name: "capability/prompts",
        layer: Session,
        level: Error,
        recommended: RevisionSet::until(Revision::V2025_03_26),
        party: Client,
        spec: "basic/lifecycle#operation",
        code: -32601,
        help: "check the capabilities of the server before asking for prompts",
        uses: [Receiver(Prompts)],
        check: Check::Message(&[On::Call("prompts/list"), On::Call("prompts/get")], method_needs),
    }
}
