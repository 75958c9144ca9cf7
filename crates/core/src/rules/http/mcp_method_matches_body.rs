//! `http/mcp-method-matches-body`

use crate::rules::prelude::*;
use crate::rules::support::posted_request;

rule! {
    /// The Mcp-Method header names another method than the body.
    ///
    /// A gateway that goes by the header lets pass what it would have refused; so servers refuse
    /// the request.
    ///
    /// ```mcp,good,2026-07-28
    /// === open server:{"tools":{},"prompts":{},"resources":{}}
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- 200 #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[],"ttlMs":60000,"cacheScope":"private","_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"tools":{},"prompts":{},"resources":{}}
    /// --> POST /mcp #1
    ///     …
    ///     mcp-method: prompts/list
    ///     ^^^^^^^^^^^^^^^^^^^^^^^^ the body asks for tools/list
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// ```
    /// ```mcp,good,2026-07-28
    /// === open server:{"tools":{},"prompts":{},"resources":{}}
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- 200 #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[],"ttlMs":60000,"cacheScope":"private","_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"tools":{},"prompts":{},"resources":{}}
    /// --> POST /mcp #1
    ///     …
    ///     mcp-method: Tools/List
    ///     ^^^^^^^^^^^^^^^^^^^^^^ case counts
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// ```
    RULE = {
        name: "http/mcp-method-matches-body",
        layer: Http,
        level: Error,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        party: Client,
        spec: "basic/transports/streamable-http#server-validation",
        code: -32020,
        help: "repeat the method of the body in `Mcp-Method`, letter by letter",
        check: Check::Http(&[OnHttp::Request], check),
    }
}

fn check(transfer: &Transfer<'_>, _: &Session, findings: &mut Findings<'_>) {
    let Some((headers, message)) = posted_request(transfer) else {
        return;
    };
    let (Some((position, method)), Some(named)) =
        (headers.find("mcp-method"), message.exchange.method_node())
    else {
        return;
    };
    // Another rule reports an unknown method.
    if message.exchange.method.is_some() && !named.is_text(method.trim()) {
        findings.head(
            Place::Header(position),
            "`Mcp-Method` is not the method of the body",
        );
    }
}
