//! `roots/no-traversal`

use crate::rules::prelude::*;

rule! {
    /// A root has `..` in its path.
    ///
    /// A program that compares paths takes the root for another folder: `..` leads out of it.
    ///
    /// ```mcp,good,2025-06-18
    /// === open client:{"roots":{}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"roots/list"}
    /// --> {"jsonrpc":"2.0","id":1,"result":{"roots":[{"uri":"file:///etc"}]}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open client:{"roots":{}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"roots/list"}
    /// --> {"jsonrpc":"2.0","id":1,"result":{"roots":[{"uri":"file:///home/me/../../etc"}]}}
    ///                                                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^ `..` leads out of the folder
    /// ```
    /// ```mcp,good,2026-07-28
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"scan","arguments":{},"inputResponses":{"where":{"roots":[{"uri":"file:///srv/data"}]}},"_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"scan","arguments":{},"inputResponses":{"where":{"roots":[{"uri":"file:///srv/%2e%2e/data"}]}},"_meta":{…}}}
    ///                                                                                                                                     ^^^^^^^^^^^^^^^^^^^^^^^^^ `..`, percent-encoded
    /// ```
    RULE = {
        name: "roots/no-traversal",
        layer: Session,
        level: Error,
        party: Client,
        spec: "client/roots#security-considerations",
        help: "resolve `..` before naming the folder",
        check: Check::Group(&super::uris::GROUP),
    }
}
