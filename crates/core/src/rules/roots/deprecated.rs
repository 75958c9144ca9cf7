//! `roots/deprecated`

use crate::rules::prelude::*;

rule! {
    /// A client declares `roots`, which are deprecated.
    ///
    /// A later revision will do without them, and servers that count on them will stop working.
    ///
    /// Reported once in a session.
    ///
    /// ```mcp,good,2026-07-28
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"client","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"client","version":"1"},"io.modelcontextprotocol/clientCapabilities":{"roots":{}}}}}
    ///                                                                                                                                                                                                                                                        ^^ deprecated
    /// ```
    RULE = {
        name: "roots/deprecated",
        layer: Session,
        level: Warning,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        spec: "deprecated#deprecated",
        help: "pass folders as arguments of tools, URIs of resources or configuration",
        once: [PerSession],
        check: Check::Message(&[On::AnyRequest], check),
    }
}

fn check(message: &Message<'_>, _: &Session, findings: &mut Findings<'_>) {
    let declared = message.meta().and_then(|meta| {
        meta.get("io.modelcontextprotocol/clientCapabilities")?
            .get("roots")
    });
    if let Some(roots) = declared {
        findings.at(roots, "roots are deprecated");
    }
}
