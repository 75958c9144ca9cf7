//! `tools/name-charset`

use super::names::GROUP;
use crate::rules::prelude::*;

rule! {
    /// A tool has a name with other characters than ASCII letters, digits, `_`, `-` and `.`.
    ///
    /// Many model interfaces take no other characters, so the tool cannot be offered there at all.
    ///
    /// ```mcp,good,2025-11-25
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"get_weather.v2","inputSchema":{"type":"object"}}]}}
    /// ```
    /// ```mcp,bad,2025-11-25
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"get weather","inputSchema":{"type":"object"}}]}}
    ///                                                        ^^^^^^^^^^^^^ a blank
    /// ```
    ///
    /// ```mcp,good,2026-07-28
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[{"name":"get_weather.v2","inputSchema":{"type":"object"}}],"ttlMs":0,"cacheScope":"public","_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[{"name":"wetter/köln","inputSchema":{"type":"object"}}],"ttlMs":0,"cacheScope":"public","_meta":{…}}}
    ///                                                                                ^^^^^^^^^^^^^ a slash and an umlaut
    /// ```
    RULE = {
        name: "tools/name-charset",
        layer: Session,
        level: Warning,
        revisions: RevisionSet::since(Revision::V2025_11_25),
        party: Server,
        spec: "server/tools#tool-names",
        help: "use ASCII letters, digits, `_`, `-` and `.` only",
        check: Check::Group(&GROUP),
    }
}

pub(super) fn check_name(name: Node<'_>, findings: &mut Findings<'_>) {
    let usual = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    // An escape may stand for an allowed character.
    let is_usual = match name.plain() {
        Some(plain) => plain.iter().all(usual),
        None => name
            .text()
            .is_none_or(|text| text.as_bytes().iter().all(usual)),
    };
    if !is_usual {
        findings.raise(
            &RULE,
            name,
            "the name of a tool has a character besides ASCII letters, digits, `_`, `-` and `.`",
        );
    }
}
