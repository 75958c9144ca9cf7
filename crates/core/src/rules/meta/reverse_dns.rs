//! `meta/reverse-dns`

use super::keys::GROUP;
use crate::rules::prelude::*;

rule! {
    /// The prefix of a key in `_meta` is a domain name that is not reversed.
    ///
    /// Two owners may end up with the same prefix, because nobody else writes it that way round.
    ///
    /// ```mcp,good,2025-11-25
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"com.example/x":1}}}
    /// ```
    /// ```mcp,bad,2025-11-25
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"example.com/x":1}}}
    ///                                                                      ^^^^^^^^^^^^^^^ expected `com.example/x`
    /// ```
    ///
    /// ```mcp,good,2026-07-28
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…,"com.example/x":1}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…,"example.com/x":1}}}
    ///                                                                        ^^^^^^^^^^^^^^^ expected `com.example/x`
    /// ```
    RULE = {
        name: "meta/reverse-dns",
        layer: Session,
        level: Warning,
        revisions: RevisionSet::since(Revision::V2025_11_25),
        spec: "basic/index#meta",
        help: "reverse the domain name: `com.example/`",
        check: Check::Group(&GROUP),
    }
}
