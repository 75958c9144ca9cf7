//! `roots/file-uri`

use crate::rules::prelude::*;

rule! {
    /// A root is not a `file://` URI.
    ///
    /// The server cannot tell which folder is meant, and may work in another one.
    ///
    /// ```mcp,good,2025-06-18
    /// === open client:{"roots":{}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"roots/list"}
    /// --> {"jsonrpc":"2.0","id":1,"result":{"roots":[{"uri":"file:///home/me"}]}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open client:{"roots":{}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"roots/list"}
    /// --> {"jsonrpc":"2.0","id":1,"result":{"roots":[{"uri":"/home/me"}]}}
    ///                                                       ^^^^^^^^^^ a path, not a URI
    /// ```
    /// ```mcp,good,2026-07-28
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"scan","arguments":{},"inputResponses":{"where":{"roots":[{"uri":"file:///home/me/my%20notes"}]}},"_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"scan","arguments":{},"inputResponses":{"where":{"roots":[{"uri":"file:///home/me/my notes"}]}},"_meta":{…}}}
    ///                                                                                                                                     ^^^^^^^^^^^^^^^^^^^^^^^^^^ a blank must be percent-encoded
    /// ```
    /// ```mcp,good,2026-07-28
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"scan","arguments":{},"inputResponses":{"where":{"roots":[{"uri":"file:///home/me"}]}},"_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"scan","arguments":{},"inputResponses":{"where":{"roots":[{"uri":"https://example.com/me"}]}},"_meta":{…}}}
    ///                                                                                                                                     ^^^^^^^^^^^^^^^^^^^^^^^^ another scheme
    /// ```
    RULE = {
        name: "roots/file-uri",
        layer: Session,
        level: Error,
        party: Client,
        spec: "client/roots#root",
        help: "write the folder as a `file://` URI, percent-encoded",
        check: Check::Group(&super::uris::GROUP),
    }
}
