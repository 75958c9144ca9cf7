//! `meta/client-info`

use crate::rules::prelude::*;

rule! {
    /// The client does not say which software it is.
    ///
    /// Operators cannot distinguish clients when something goes wrong. Reported once in a session.
    ///
    /// ```mcp,good,2026-07-28
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}
    ///                                                                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ `io.modelcontextprotocol/clientInfo` is missing
    /// ```
    RULE = {
        name: "meta/client-info",
        layer: Session,
        level: Warning,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        party: Client,
        spec: "basic/index#meta",
        help: "add `io.modelcontextprotocol/clientInfo` with `name` and `version`",
        once: [PerSession],
        check: Check::Message(&[On::AnyRequest], check),
    }
}

fn check(message: &Message<'_>, _: &Session, findings: &mut Findings<'_>) {
    if let Some(meta) = message.meta()
        && meta.get("io.modelcontextprotocol/clientInfo").is_none()
    {
        let text = "`io.modelcontextprotocol/clientInfo` is missing";
        findings.at(meta, text);
    }
}
