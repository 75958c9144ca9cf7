//! `version/no-fallback-on-modern-error`

use crate::rules::prelude::*;

rule! {
    /// The client falls back to `initialize` after an error of a server without a handshake.
    ///
    /// -32020, -32021 and -32022 prove that the server knows the revision: the client only has to
    /// correct its request.
    ///
    /// ```mcp,good,2026-07-28,auto
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"method not found"}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"client","version":"1"}}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"server","version":"1"}}}
    /// --> {"jsonrpc":"2.0","method":"notifications/initialized"}
    /// === end
    /// ```
    /// ```mcp,bad,2026-07-28,auto
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"error":{"code":-32021,"message":"a browser is needed","data":{"requiredCapabilities":{"elicitation":{"url":{}}}}}}
    ///     ^ the server knows the revision
    /// --> {"jsonrpc":"2.0","id":2,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"client","version":"1"}}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"server","version":"1"}}}
    /// --> {"jsonrpc":"2.0","method":"notifications/initialized"}
    /// === end
    /// ```
    RULE = {
        name: "version/no-fallback-on-modern-error",
        layer: Session,
        level: Error,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        party: Client,
        spec: "basic/transports/stdio#backward-compatibility",
        help: "correct the request as the error says, and send it again without a handshake",
        check: Check::End(check_end),
    }
}

fn check_end(session: &Session, endings: &mut Endings<'_>) {
    if let Some(error) = session.state.versions.fallback {
        let revision = Revision::latest_with(Fact::Stateless);
        endings.missing(
            Party::Client,
            Cause::at(error.at, Direction::ServerToClient, revision),
            "the client went back to `initialize` after this error, which only a server without a handshake sends",
        );
    }
}
