//! `sampling/deprecated`

use crate::rules::prelude::*;

rule! {
    /// A client declares `sampling`, which is deprecated.
    ///
    /// A later revision will do without it, and servers that count on it will find no model.
    /// Reported once in a session.
    ///
    /// ```mcp,good,2026-07-28
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"},"io.modelcontextprotocol/clientCapabilities":{"sampling":{}}}}}
    ///                                                                                                                                                                                                                                                      ^^ deprecated
    /// ```
    RULE = {
        name: "sampling/deprecated",
        layer: Session,
        level: Warning,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        spec: "deprecated#deprecated",
        help: "let servers call a model provider themselves",
        once: [PerSession],
        check: Check::Message(&[On::AnyRequest], check),
    }
}

fn check(message: &Message<'_>, _: &Session, findings: &mut Findings<'_>) {
    let declared = message.meta().and_then(|meta| {
        meta.get("io.modelcontextprotocol/clientCapabilities")?
            .get("sampling")
    });
    if let Some(sampling) = declared {
        findings.at(sampling, "sampling is deprecated");
    }
}
