//! `meta/key-name`

use super::keys::GROUP;
use crate::rules::prelude::*;

rule! {
    /// The name of a key in `_meta` has characters that are not allowed.
    ///
    /// Receivers that check the grammar refuse the message or drop the key.
    ///
    /// ```mcp,good,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"com.example/a-b":1}}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"com.example/a b":1}}}
    ///                                                                      ^^^^^^^^^^^^^^^^^ a space
    /// ```
    ///
    /// ```mcp,good,2026-07-28
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…,"com.example/a-b":1}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…,"com.example/a b":1}}}
    ///                                                                        ^^^^^^^^^^^^^^^^^ a space
    /// ```
    RULE = {
        name: "meta/key-name",
        layer: Session,
        level: Error,
        revisions: RevisionSet::since(Revision::V2025_06_18),
        spec: "basic/index#meta",
        code: -32602,
        help: "begin and end with a letter or digit, with only letters, digits, `-`, `_` and `.` between",
        check: Check::Group(&GROUP),
    }
}
