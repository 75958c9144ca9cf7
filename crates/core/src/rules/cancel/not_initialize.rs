//! `cancel/not-initialize`

use crate::rules::prelude::*;

rule! {
    /// A client cancels `initialize`.
    ///
    /// Without its answer there is no session in which anything could be cancelled; the two sides
    /// then disagree whether there is one.
    ///
    /// ```mcp,good,2025-06-18
    /// --> {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"clientInfo":{"name":"client","version":"1"}}}
    /// <-- {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"YYYY-MM-DD","capabilities":{"tools":{}},"serverInfo":{"name":"server","version":"1"}}}
    /// --> {"jsonrpc":"2.0","method":"notifications/initialized"}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"copy","_meta":{…}}}
    /// --> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"clientInfo":{"name":"client","version":"1"}}}
    /// --> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":0}}
    ///                                                                               ^ the id of `initialize`
    /// ```
    RULE = {
        name: "cancel/not-initialize",
        layer: Session,
        level: Error,
        revisions: RevisionSet::until(Revision::V2025_11_25),
        party: Client,
        spec: "basic/utilities/cancellation#behavior-requirements",
        help: "close the connection instead of cancelling `initialize`",
        check: Check::Group(&super::notice::GROUP),
    }
}
