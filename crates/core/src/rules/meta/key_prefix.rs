//! `meta/key-prefix`

use super::keys::GROUP;
use crate::rules::prelude::*;

rule! {
    /// The prefix of a key in `_meta` is not a series of labels.
    ///
    /// Receivers that sort keys by their owner cannot tell whose it is.
    ///
    /// ```mcp,good,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"com.example/x":1}}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"-bad-/x":1}}}
    ///                                                                      ^^^^^^^^^ labels begin with a letter
    /// ```
    ///
    /// ```mcp,good,2026-07-28
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…,"com.example/x":1}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…,"-bad-/x":1}}}
    ///                                                                        ^^^^^^^^^ labels begin with a letter
    /// ```
    RULE = {
        name: "meta/key-prefix",
        layer: Session,
        level: Error,
        revisions: RevisionSet::since(Revision::V2025_06_18),
        spec: "basic/index#meta",
        code: -32602,
        help: "write a reversed domain name and a slash, as in `com.example/`",
        check: Check::Group(&GROUP),
    }
}
