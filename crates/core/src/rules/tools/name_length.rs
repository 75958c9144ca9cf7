//! `tools/name-length`

use super::names::GROUP;
use crate::rules::prelude::*;

rule! {
    /// A tool has a name that is empty or longer than 128 characters.
    ///
    /// Clients and models refuse such names, or cut them off and call something else.
    ///
    /// ```mcp,good,2025-11-25
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"search","inputSchema":{"type":"object"}}]}}
    /// ```
    /// ```mcp,bad,2025-11-25
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"","inputSchema":{"type":"object"}}]}}
    ///                                                        ^^ empty
    /// ```
    ///
    /// ```mcp,good,2026-07-28
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[{"name":"search","inputSchema":{"type":"object"}}],"ttlMs":0,"cacheScope":"public","_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[{"name":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","inputSchema":{"type":"object"}}],"ttlMs":0,"cacheScope":"public","_meta":{…}}}
    ///                                                                                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ too long
    /// ```
    RULE = {
        name: "tools/name-length",
        layer: Session,
        level: Warning,
        revisions: RevisionSet::since(Revision::V2025_11_25),
        party: Server,
        spec: "server/tools#tool-names",
        help: "give the tool a name of 1 to 128 characters",
        check: Check::Group(&GROUP),
    }
}

pub(super) fn check_name(name: Node<'_>, findings: &mut Findings<'_>) {
    // A text has at most as many characters as bytes.
    let usual = |plain: &[u8]| (1..=128).contains(&plain.len());
    if name.plain().is_some_and(usual) {
        return;
    }
    match name.text().map(|text| text.chars().count()) {
        Some(0) => findings.raise(
            &RULE,
            name,
            "the name of a tool is empty; it has 1 to 128 characters",
        ),
        Some(129..) => findings.raise(
            &RULE,
            name,
            "the name of a tool has more than 128 characters",
        ),
        _ => {}
    }
}
