//! `http/header-mismatch-reply`

use super::status;
use crate::rules::prelude::*;

rule! {
    /// A request whose headers do not fit its body is not refused with status 400 and -32020.
    ///
    /// Proxies route by the headers, and the server acts on the body: a request that says two
    /// things can go past every rule of access. Gateways and clients go by the status of a refusal.
    ///
    /// ```mcp,good,2026-07-28
    /// === open server:{"tools":{}}
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- 400 #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"error":{"code":-32020,"message":"the headers do not fit the body"}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"tools":{}}
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- 200 #1
    ///     ^^^ 400 goes with this code
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"error":{"code":-32020,"message":"the headers do not fit the body"}}
    /// ```
    ///
    /// ```mcp,good,2026-07-28,without:http/mcp-method-matches-body
    /// === open server:{"tools":{}}
    /// --> POST /mcp #1
    ///     …
    ///     mcp-method: prompts/list
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- 400 #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"error":{"code":-32020,"message":"the headers do not fit the body"}}
    /// ```
    /// ```mcp,bad,2026-07-28,without:http/mcp-method-matches-body
    /// === open server:{"tools":{}}
    /// --> POST /mcp #1
    ///     …
    ///     mcp-method: prompts/list
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- 200 #1
    ///     ^^^ `Mcp-Method` names another method
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"private","_meta":{…}}}
    /// ```
    RULE = {
        name: "http/header-mismatch-reply",
        layer: Http,
        level: Error,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        party: Server,
        spec: "basic/transports/streamable-http#server-validation",
        help: "refuse such a request with status 400 and code -32020",
        check: Check::Http(&[OnHttp::Response, OnHttp::Event], check),
    }
}

fn check(transfer: &Transfer<'_>, session: &Session, findings: &mut Findings<'_>) {
    status::goes_with(-32020, 400, transfer, session, findings);
    let exchange = session.state.http.asking(transfer);
    let is_mismatched = exchange.is_some_and(|exchange| exchange.is_mismatched);
    if let Part::Response { status, .. } = transfer.http.part
        && is_mismatched
        && (200..300).contains(&status)
    {
        findings.head(
            Place::Status,
            "a request whose headers are missing or do not fit its body is accepted",
        );
    }
}
