//! `capability/elicitation-some-mode`

use crate::rules::prelude::*;

rule! {
    /// A client declares `elicitation` with neither `form` nor `url`.
    ///
    /// No server knows how to ask its user: an object that is not empty stands for just the modes
    /// that it names.
    ///
    /// ```mcp,good,2025-11-25
    /// --> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{"form":{},"url":{}}},"clientInfo":{"name":"client","version":"1"}}}
    /// ```
    /// ```mcp,bad,2025-11-25
    /// --> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{"voice":{}}},"clientInfo":{"name":"client","version":"1"}}}
    ///                                                                                                                          ^^^^^^^^^^^^ neither `form` nor `url`
    /// ```
    /// ```mcp,good,2026-07-28,only
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"client","version":"1"},"io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}}}
    /// ```
    /// ```mcp,bad,2026-07-28,only
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"client","version":"1"},"io.modelcontextprotocol/clientCapabilities":{"elicitation":{"voice":{}}}}}}
    ///                                                                                                                                                                                                                                                              ^^^^^^^^^^^^ neither `form` nor `url`
    /// ```
    RULE = {
        name: "capability/elicitation-some-mode",
        layer: Session,
        level: Error,
        revisions: RevisionSet::since(Revision::V2025_11_25),
        party: Client,
        spec: "client/elicitation#capabilities",
        code: -32602,
        help: "declare `form` or `url`, or an empty object for forms only",
        check: Check::Group(&super::declared::GROUP),
    }
}

/// Checks the capability `elicitation`.
pub(super) fn check_capability(elicitation: Node<'_>, findings: &mut Findings<'_>) {
    let mut members = elicitation.members().peekable();
    if members.peek().is_some()
        && members.all(|(mode, _)| !mode.is_text("form") && !mode.is_text("url"))
    {
        findings.raise(&RULE, elicitation, "declares neither `form` nor `url`");
    }
}
