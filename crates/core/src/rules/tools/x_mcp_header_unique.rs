//! `tools/x-mcp-header-unique`

use super::headers::GROUP;
use crate::rules::prelude::*;

rule! {
    /// Two properties of a tool are mirrored into the same header.
    ///
    /// The names of headers are compared without regard to case, so one value would hide the other.
    ///
    /// ```mcp,good,2026-07-28
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[{"name":"query","inputSchema":{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"},"zone":{"type":"string","x-mcp-header":"Zone"}}}}],"ttlMs":0,"cacheScope":"public","_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[{"name":"query","inputSchema":{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"},"zone":{"type":"string","x-mcp-header":"region"}}}}],"ttlMs":0,"cacheScope":"public","_meta":{…}}}
    ///                                                                                                                                                                                                                               ^^^^^^^^ `Region` but for case
    /// ```
    RULE = {
        name: "tools/x-mcp-header-unique",
        layer: Session,
        level: Error,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        party: Server,
        spec: "server/tools#x-mcp-header",
        help: "give each property a header of its own",
        check: Check::Group(&GROUP),
    }
}
