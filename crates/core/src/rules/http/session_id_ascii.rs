//! `http/session-id-ascii`

use crate::rules::prelude::*;
use crate::rules::support::response_head;

rule! {
    /// A session id has characters that are not visible ASCII.
    ///
    /// The id travels in a header of every later request, and spaces or other characters are
    /// changed or refused on the way.
    ///
    /// ```mcp,good,2025-06-18
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"clientInfo":{"name":"rake","version":"1.2.0"}}}
    /// <-- 200 #1
    ///     …
    ///     mcp-session-id: 4f9c1b2e-7d53-4a86-9f0e-2c6b8d1a3e57
    ///     {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"YYYY-MM-DD","capabilities":{"tools":{}},"serverInfo":{"name":"garden","version":"3.1.0"}}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"clientInfo":{"name":"rake","version":"1.2.0"}}}
    /// <-- 200 #1
    ///     …
    ///     mcp-session-id: my session
    ///     ^^^^^^^^^^^^^^^^^^^^^^^^^^ a space is not visible
    ///     {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"YYYY-MM-DD","capabilities":{"tools":{}},"serverInfo":{"name":"garden","version":"3.1.0"}}}
    /// ```
    RULE = {
        name: "http/session-id-ascii",
        layer: Http,
        level: Error,
        revisions: RevisionSet::since(Revision::V2025_03_26)
            .intersection(RevisionSet::until(Revision::V2025_11_25)),
        party: Server,
        spec: "basic/transports#session-management",
        help: "build the id of visible ASCII characters, 0x21 to 0x7E: a UUID, a token, a hash",
        check: Check::Http(&[OnHttp::Response], check),
    }
}

fn check(transfer: &Transfer<'_>, session: &Session, findings: &mut Findings<'_>) {
    let Some((_, headers)) = response_head(transfer) else {
        return;
    };
    let Some((position, id)) = headers.find("mcp-session-id") else {
        return;
    };
    // A repeated id was reported when the server issued it.
    let open = session.state.http_heads.session.as_ref();
    let is_known = open.is_some_and(|open| open.has_id(id));
    if !is_known && !id.bytes().all(|byte| byte.is_ascii_graphic()) {
        findings.head(
            Place::Header(position),
            "the session id has characters other than visible ASCII",
        );
    }
}
