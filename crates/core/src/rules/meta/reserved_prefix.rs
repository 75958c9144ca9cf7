//! `meta/reserved-prefix`

use super::keys::GROUP;
use crate::rules::prelude::*;

rule! {
    /// A key in `_meta` has a prefix of MCP that the specification does not define.
    ///
    /// A later revision may give it another meaning, and then peers misread the message.
    ///
    /// ```mcp,good,2025-11-25
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"com.example/mine":1}}}
    /// ```
    /// ```mcp,bad,2025-11-25
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/mine":1}}}
    ///                                                                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ reserved for MCP
    /// ```
    ///
    /// ```mcp,good,2026-07-28
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…,"com.example/mine":1}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…,"io.modelcontextprotocol/mine":1}}}
    ///                                                                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ reserved for MCP
    /// ```
    RULE = {
        name: "meta/reserved-prefix",
        layer: Session,
        level: Error,
        revisions: RevisionSet::since(Revision::V2025_11_25),
        spec: "basic/index#meta",
        code: -32602,
        help: "use a prefix of your own",
        check: Check::Group(&GROUP),
    }
}
