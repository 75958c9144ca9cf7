//! `content/icon-scheme`

use super::blocks::GROUP;
use crate::rules::prelude::*;

rule! {
    /// The source of an icon is neither an `https`, `http` nor `data` URI.
    ///
    /// A host that follows it may run a script or read a local file; careful ones refuse it.
    ///
    /// ```mcp,good,2025-11-25
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"t","inputSchema":{"type":"object"},"icons":[{"src":"https://x.example/i.png"}]}]}}
    /// ```
    /// ```mcp,bad,2025-11-25
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"t","inputSchema":{"type":"object"},"icons":[{"src":"javascript:alert(1)"}]}]}}
    ///                                                                                                            ^^^^^^^^^^^^^^^^^^^^^ a script
    /// ```
    ///
    /// ```mcp,good,2026-07-28
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[{"name":"t","inputSchema":{"type":"object"},"icons":[{"src":"https://x.example/i.png"}]}],"ttlMs":0,"cacheScope":"private","_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[{"name":"t","inputSchema":{"type":"object"},"icons":[{"src":"file:///etc/passwd"}]}],"ttlMs":0,"cacheScope":"private","_meta":{…}}}
    ///                                                                                                                                    ^^^^^^^^^^^^^^^^^^^^ a local file
    /// ```
    RULE = {
        name: "content/icon-scheme",
        layer: Session,
        level: Error,
        revisions: RevisionSet::since(Revision::V2025_11_25),
        spec: "basic/index#icons",
        help: "serve the icon over https, or embed it as a `data` URI",
        check: Check::Group(&GROUP),
    }
}
