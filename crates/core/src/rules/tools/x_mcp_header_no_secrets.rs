//! `tools/x-mcp-header-no-secrets`

use super::headers::GROUP;
use crate::rules::prelude::*;

rule! {
    /// An `x-mcp-header` annotation stands on a property that holds a secret or personal data.
    ///
    /// Headers end up in the logs of proxies and gateways, where nobody expects them to be secret.
    ///
    /// ```mcp,good,2026-07-28
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[{"name":"query","inputSchema":{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"}}}}],"ttlMs":0,"cacheScope":"public","_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[{"name":"query","inputSchema":{"type":"object","properties":{"password":{"type":"string","x-mcp-header":"Password"}}}}],"ttlMs":0,"cacheScope":"public","_meta":{…}}}
    ///                                                                                                                                                                                ^^^^^^^^^^ a password
    /// ```
    RULE = {
        name: "tools/x-mcp-header-no-secrets",
        layer: Session,
        level: Warning,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        party: Server,
        spec: "server/tools#x-mcp-header",
        help: "do not mirror secrets and personal data",
        check: Check::Group(&GROUP),
    }
}
