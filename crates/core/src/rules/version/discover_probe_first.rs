//! `version/discover-probe-first`

use crate::rules::prelude::*;

rule! {
    /// A client that speaks older revisions, too, opens with something else than `server/discover`.
    ///
    /// An older server does not understand the request: it may refuse it, answer it in its own way,
    /// or hang.
    ///
    /// A client shows that it speaks older revisions when it continues with `initialize`.
    ///
    /// ```mcp,good,2026-07-28,stdio,auto
    /// --> {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"method not found"}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"client","version":"1"}}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"server","version":"1"}}}
    /// --> {"jsonrpc":"2.0","method":"notifications/initialized"}
    /// === end
    /// ```
    /// ```mcp,bad,2026-07-28,stdio,auto
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    ///     ^ no `server/discover` came before it
    /// <-- {"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"method not found"}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"client","version":"1"}}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"server","version":"1"}}}
    /// --> {"jsonrpc":"2.0","method":"notifications/initialized"}
    /// === end
    /// ```
    RULE = {
        name: "version/discover-probe-first",
        layer: Session,
        level: Warning,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        party: Client,
        spec: "basic/transports/stdio#backward-compatibility",
        help: "open with `server/discover`, and continue as its answer demands",
        hidden_by: [rules::inline::UNKNOWN_METHOD],
        follows: [rules::inline::UNKNOWN_METHOD],
        check: Check::End(check_end),
    }
}

fn check_end(session: &Session, endings: &mut Endings<'_>) {
    if let Some(first) = session.state.versions.unprobed {
        let revision = Revision::latest_with(Fact::Stateless);
        endings.missing(
            Party::Client,
            Cause::at(first.at, Direction::ClientToServer, revision),
            "the client opened with this, and not with `server/discover`, although it also speaks older revisions",
        );
    }
}
