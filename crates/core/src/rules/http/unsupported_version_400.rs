//! `http/unsupported-version-400`

use super::status;
use crate::rules::prelude::*;

rule! {
    /// The error for an unsupported version does not come with status 400.
    ///
    /// A client learns from status and code that it has to try another version, and takes 200 for
    /// an answer to its request.
    ///
    /// ```mcp,good,2026-07-28
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- 400 #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"unsupported version","data":{"supported":["2025-11-25"],"requested":"2026-07-28"}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- 200 #1
    ///     ^^^ 400 goes with this code
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"unsupported version","data":{"supported":["2025-11-25"],"requested":"2026-07-28"}}}
    /// ```
    /// ```mcp,good,2026-07-28
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- 400 #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"unsupported version","data":{"supported":["2025-11-25"],"requested":"2026-07-28"}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- 200 #1 stream
    ///     …
    /// <-- event #1
    ///     {"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"unsupported version","data":{"supported":["2025-11-25"],"requested":"2026-07-28"}}}
    ///                                             ^^^^^^ the status of the stream cannot be 400 any more
    /// ```
    RULE = {
        name: "http/unsupported-version-400",
        layer: Http,
        level: Error,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        party: Server,
        spec: "basic/transports/streamable-http#protocol-version-header",
        code: -32022,
        help: "answer with status 400 and code -32022",
        check: Check::Http(&[OnHttp::Response, OnHttp::Event], check),
    }
}

fn check(transfer: &Transfer<'_>, session: &Session, findings: &mut Findings<'_>) {
    status::goes_with(-32022, 400, transfer, session, findings);
}
