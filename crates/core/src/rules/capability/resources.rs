//! `capability/resources`

use crate::rules::prelude::*;
use crate::rules::support::method_needs;

rule! {
    /// A client asks for resources of a server that has not declared `resources`.
    ///
    /// The server has no such methods: it refuses the request, or answers with something nobody
    /// meant.
    ///
    /// ```mcp,good,2025-06-18
    /// === open server:{"resources":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"resources/list"}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"resources/list"}
    ///                                      ^^^^^^^^^^^^^^^^ the server has tools only
    /// ```
    /// ```mcp,good,2026-07-28
    /// === open server:{"resources":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"resources/templates/list","params":{"_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"resources/templates/list","params":{"_meta":{…}}}
    ///                                      ^^^^^^^^^^^^^^^^^^^^^^^^^^ the server has tools only
    /// ```
    /// ```mcp,good,2025-06-18
    /// === open server:{"resources":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"file:///a.txt"}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open server:{}
    /// --> {"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"file:///a.txt"}}
    ///                                      ^^^^^^^^^^^^^^^^ the server has not declared `resources`
    /// ```
    RULE = {
        name: "capability/resources",
        layer: Session,
        level: Error,
        recommended: RevisionSet::until(Revision::V2025_03_26),
        party: Client,
        spec: "basic/lifecycle#operation",
        code: -32601,
        help: "check the capabilities of the server before asking for resources",
        uses: [Receiver(Resources)],
        check: Check::Message(&[On::Call("resources/list"), On::Call("resources/read"), On::Call("resources/templates/list")], method_needs),
    }
}
