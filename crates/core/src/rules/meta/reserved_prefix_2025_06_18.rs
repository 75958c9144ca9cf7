//! `meta/reserved-prefix-2025-06-18`

use super::keys::GROUP;
use crate::rules::prelude::*;

rule! {
    /// A key in `_meta` has a prefix of MCP that the specification does not define.
    ///
    /// A later revision may give it another meaning, and then peers misread the message.
    ///
    /// ```mcp,good,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"com.example/mine":1}}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"tools.mcp.com/mine":1}}}
    ///                                                                      ^^^^^^^^^^^^^^^^^^^^ reserved for MCP
    /// ```
    RULE = {
        name: "meta/reserved-prefix-2025-06-18",
        layer: Session,
        level: Error,
        revisions: RevisionSet::only(Revision::V2025_06_18),
        spec: "basic/index#meta",
        code: -32602,
        help: "use a prefix of your own",
        check: Check::Group(&GROUP),
    }
}
