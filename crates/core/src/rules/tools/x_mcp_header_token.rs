//! `tools/x-mcp-header-token`

use super::headers::GROUP;
use crate::rules::prelude::*;

rule! {
    /// An `x-mcp-header` annotation is not a name that a header can have.
    ///
    /// Clients must leave out a tool with such an annotation, since it would let a server write
    /// into the head of their requests.
    ///
    /// ```mcp,good,2026-07-28
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[{"name":"query","inputSchema":{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"}}}}],"ttlMs":0,"cacheScope":"public","_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[{"name":"query","inputSchema":{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"My Region"}}}}],"ttlMs":0,"cacheScope":"public","_meta":{…}}}
    ///                                                                                                                                                                              ^^^^^^^^^^^ a blank
    /// ```
    ///
    /// ```mcp,good,2026-07-28
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[{"name":"query","inputSchema":{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"}}}}],"ttlMs":0,"cacheScope":"public","_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[{"name":"query","inputSchema":{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region:1"}}}}],"ttlMs":0,"cacheScope":"public","_meta":{…}}}
    ///                                                                                                                                                                              ^^^^^^^^^^ a colon
    /// ```
    RULE = {
        name: "tools/x-mcp-header-token",
        layer: Session,
        level: Error,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        party: Server,
        spec: "server/tools#x-mcp-header",
        help: "use letters, digits and !#$%&'*+-.^_`|~ only",
        check: Check::Group(&GROUP),
    }
}
