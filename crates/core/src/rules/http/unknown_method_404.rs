//! `http/unknown-method-404`

use super::status;
use crate::rules::prelude::*;

rule! {
    /// The error for an unknown method does not come with status 404.
    ///
    /// Gateways and clients of both eras go by the status: 404 tells them that the server does not
    /// have the method, or is an older one.
    ///
    /// ```mcp,good,2026-07-28
    /// === open server:{"tools":{}}
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","_meta":{…}}}
    /// <-- 404 #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no such method"}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"tools":{}}
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","_meta":{…}}}
    /// <-- 200 #1
    ///     ^^^ 404 goes with this code
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no such method"}}
    /// ```
    /// ```mcp,good,2026-07-28
    /// === open server:{"tools":{}}
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","_meta":{…}}}
    /// <-- 404 #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no such method"}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"tools":{}}
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","_meta":{…}}}
    /// <-- 200 #1 stream
    ///     …
    /// <-- event #1
    ///     {"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no such method"}}
    ///                                             ^^^^^^ the status of the stream cannot be 404 any more
    /// ```
    RULE = {
        name: "http/unknown-method-404",
        layer: Http,
        level: Error,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        party: Server,
        spec: "basic/transports/streamable-http#protocol-version-header",
        code: -32601,
        help: "answer with status 404 and code -32601",
        check: Check::Http(&[OnHttp::Response, OnHttp::Event], check),
    }
}

fn check(transfer: &Transfer<'_>, session: &Session, findings: &mut Findings<'_>) {
    status::goes_with(-32601, 404, transfer, session, findings);
}
