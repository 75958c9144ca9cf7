//! `tools/x-mcp-header-not-empty`

use super::headers::GROUP;
use crate::rules::prelude::*;

rule! {
    /// An `x-mcp-header` annotation is an empty string.
    ///
    /// There is no header of that name, so the argument cannot be mirrored and the tool cannot be
    /// called over HTTP.
    ///
    /// ```mcp,good,2026-07-28
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[{"name":"query","inputSchema":{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"}}}}],"ttlMs":0,"cacheScope":"public","_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[{"name":"query","inputSchema":{"type":"object","properties":{"region":{"type":"string","x-mcp-header":""}}}}],"ttlMs":0,"cacheScope":"public","_meta":{…}}}
    ///                                                                                                                                                                              ^^ empty
    /// ```
    RULE = {
        name: "tools/x-mcp-header-not-empty",
        layer: Session,
        level: Error,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        party: Server,
        spec: "server/tools#x-mcp-header",
        help: "name the header, or leave the annotation out",
        check: Check::Group(&GROUP),
    }
}
