//! `tools/x-mcp-header-static-path`

use super::headers::GROUP;
use crate::rules::prelude::*;

rule! {
    /// An `x-mcp-header` annotation stands where no fixed path of properties leads.
    ///
    /// A client must find the argument without evaluating the schema: not in arrays, compositions,
    /// conditions or references.
    ///
    /// ```mcp,good,2026-07-28
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[{"name":"query","inputSchema":{"type":"object","properties":{"at":{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"}}}}}}],"ttlMs":0,"cacheScope":"public","_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[{"name":"query","inputSchema":{"type":"object","properties":{"at":{"type":"array","items":{"type":"string","x-mcp-header":"Region"}}}}}],"ttlMs":0,"cacheScope":"public","_meta":{…}}}
    ///                                                                                                                                                                                                  ^^^^^^^^ within `items`
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
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[{"name":"query","inputSchema":{"type":"object","anyOf":[{"properties":{"region":{"type":"string","x-mcp-header":"Region"}}}]}}],"ttlMs":0,"cacheScope":"public","_meta":{…}}}
    ///                                                                                                                                                                                        ^^^^^^^^ within `anyOf`
    /// ```
    RULE = {
        name: "tools/x-mcp-header-static-path",
        layer: Session,
        level: Error,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        party: Server,
        spec: "basic/transports/streamable-http#schema-extension",
        help: "annotate properties that `properties` alone leads to",
        check: Check::Group(&GROUP),
    }
}
