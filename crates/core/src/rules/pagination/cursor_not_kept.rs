//! `pagination/cursor-not-kept`

use crate::rules::prelude::*;

rule! {
    /// A client begins with a cursor that this session has not shown.
    ///
    /// Cursors end with their session. A server may refuse an old one, or show a page that does not
    /// fit those before it.
    ///
    /// ```mcp,good,2025-06-18
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"add","inputSchema":{"type":"object"}}],"nextCursor":"page-2"}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":"page-2"}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"page-2"}}
    ///                                                                      ^^^^^^^^ the session has shown no cursor yet
    /// ```
    RULE = {
        name: "pagination/cursor-not-kept",
        layer: Session,
        level: Error,
        revisions: RevisionSet::until(Revision::V2025_11_25),
        party: Client,
        spec: "server/utilities/pagination#implementation-guidelines",
        code: -32602,
        help: "begin each list without a cursor in a new session",
        needs: [Cursors],
        check: Check::Group(&super::cursors::GROUP),
    }
}
