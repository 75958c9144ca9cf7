//! `tools/x-mcp-header-primitive`

use super::headers::GROUP;
use crate::rules::prelude::*;

rule! {
    /// An `x-mcp-header` annotation stands on a property that is no string, integer or boolean.
    ///
    /// Numbers with fractions, objects and arrays have no single form in a header, so header and
    /// argument cannot be compared.
    ///
    /// ```mcp,good,2026-07-28
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[{"name":"query","inputSchema":{"type":"object","properties":{"count":{"type":"integer","x-mcp-header":"Count"}}}}],"ttlMs":0,"cacheScope":"public","_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[{"name":"query","inputSchema":{"type":"object","properties":{"price":{"type":"number","x-mcp-header":"Price"}}}}],"ttlMs":0,"cacheScope":"public","_meta":{…}}}
    ///                                                                                                                                                                             ^^^^^^^ a number
    /// ```
    RULE = {
        name: "tools/x-mcp-header-primitive",
        layer: Session,
        level: Error,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        party: Server,
        spec: "server/tools#x-mcp-header",
        help: "annotate strings, integers and booleans only",
        check: Check::Group(&GROUP),
    }
}
