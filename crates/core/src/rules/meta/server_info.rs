//! `meta/server-info`

use crate::rules::prelude::*;

rule! {
    /// The server does not say which software it is.
    ///
    /// Operators cannot distinguish servers when something goes wrong. Reported once in a session.
    ///
    /// ```mcp,good,2026-07-28
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[],"_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[]}}
    ///                                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ `io.modelcontextprotocol/serverInfo` is missing from `_meta`
    /// ```
    RULE = {
        name: "meta/server-info",
        layer: Session,
        level: Warning,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        party: Server,
        spec: "basic/index#meta",
        help: "add `io.modelcontextprotocol/serverInfo` with `name` and `version` to `_meta`",
        once: [PerSession],
        check: Check::Message(&[On::AnyResult], check),
    }
}

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    if let Some(result) = message.result()
        && !session.is_stray(message)
        && !names_software(message)
    {
        let text = "`io.modelcontextprotocol/serverInfo` is missing from `_meta`";
        findings.at(result, text);
    }
}

/// Whether a result names the software that sent it.
fn names_software(message: &Message<'_>) -> bool {
    let meta = message.meta();
    meta.is_some_and(|meta| meta.get("io.modelcontextprotocol/serverInfo").is_some())
}
