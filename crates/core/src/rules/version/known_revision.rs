//! `version/known-revision`

use crate::rules::prelude::*;
use crate::rules::support::is_date;

rule! {
    /// A message names a version that is no released revision.
    ///
    /// A peer can hardly know it: it offers another one, or gives up. A version that is no date is
    /// an error. A date may be a revision that is newer than this program, so it is a warning.
    ///
    /// ```mcp,good,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"clientInfo":{"name":"client","version":"1"}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"YYYY-MM-DD","capabilities":{"tools":{}},"serverInfo":{"name":"server","version":"1"}}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"1.0","capabilities":{},"clientInfo":{"name":"client","version":"1"}}}
    ///                                                                               ^^^^^ [error] is no date
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"YYYY-MM-DD","capabilities":{"tools":{}},"serverInfo":{"name":"server","version":"1"}}}
    /// ```
    ///
    /// ```mcp,good,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"clientInfo":{"name":"client","version":"1"}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"YYYY-MM-DD","capabilities":{"tools":{}},"serverInfo":{"name":"server","version":"1"}}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"clientInfo":{"name":"client","version":"1"}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"latest","capabilities":{"tools":{}},"serverInfo":{"name":"server","version":"1"}}}
    ///                                                         ^^^^^^^^ [error] is no date
    /// ```
    ///
    /// ```mcp,good,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"clientInfo":{"name":"client","version":"1"}}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2031-01-31","capabilities":{},"clientInfo":{"name":"client","version":"1"}}}
    ///                                                                               ^^^^^^^^^^^^ [warning] is not known here
    /// ```
    ///
    /// ```mcp,good,2026-07-28,only
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"YYYY-MM-DD","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"client","version":"1"}}}}
    /// ```
    /// ```mcp,bad,2026-07-28,only
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"1.0","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"client","version":"1"}}}}
    ///                                                                                                                ^^^^^ [error] is no date
    /// ```
    RULE = {
        name: "version/known-revision",
        layer: Session,
        level: Error,
        spec: "basic/versioning",
        code: -32602,
        help: "name a released revision, such as 2025-11-25",
        once: [PerValue],
        check: Check::Message(
            &[
                On::Call("initialize"),
                On::Result("initialize"),
                On::Where(Fact::Stateless, &On::AnyRequest),
            ],
            check,
        ),
    }
}

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    let version = if message.method() == Some("initialize") {
        let offer = message.params().or_else(|| message.result());
        offer.and_then(|offer| offer.get("protocolVersion"))
    } else {
        let meta = message.meta();
        meta.and_then(|meta| meta.get("io.modelcontextprotocol/protocolVersion"))
    };
    let Some(version) = version.filter(|version| version.kind() == Kind::String) else {
        return;
    };
    let mut released = Revision::ALL.into_iter().rev();
    if released.any(|revision| version.is_text(revision.name())) {
        return;
    }
    // A server that agrees to an invented version adds nothing to the fault.
    let repeats = message.request.is_some()
        && session.handshake.initialize_count > 0
        && !session.handshake.requested_released;
    if repeats {
        return;
    }
    if version.text().is_some_and(|text| is_date(&text)) {
        let text = "the version is not known here; the newest known one is {}";
        let newest = Revision::latest().name();
        findings
            .at_most(Level::Warning)
            .named(version, text, newest);
    } else {
        findings.at(version, "the version is no date, as all revisions are");
    }
}
