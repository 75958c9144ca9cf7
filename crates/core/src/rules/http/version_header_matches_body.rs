//! `http/version-header-matches-body`

use crate::rules::prelude::*;
use crate::rules::support::posted_request;

rule! {
    /// The MCP-Protocol-Version header and the body name two versions.
    ///
    /// Programs that read the header and programs that read the body treat the request in two ways;
    /// servers refuse it.
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
    ///     mcp-protocol-version: 2025-11-25
    ///     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ the body says 2026-07-28
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// ```
    RULE = {
        name: "http/version-header-matches-body",
        layer: Http,
        level: Error,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        party: Client,
        spec: "basic/transports/streamable-http#protocol-version-header",
        code: -32020,
        help: "send the same version in the header and in `_meta`",
        check: Check::Http(&[OnHttp::Request], check),
    }
}

const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";

fn check(transfer: &Transfer<'_>, _: &Session, findings: &mut Findings<'_>) {
    let Some((headers, message)) = posted_request(transfer) else {
        return;
    };
    let (Some((position, version)), Some(named)) = (
        headers.find("mcp-protocol-version"),
        message.meta().and_then(|meta| meta.get(VERSION_KEY)),
    ) else {
        return;
    };
    if named.kind() == Kind::String && !named.is_text(version.trim()) {
        findings.head(
            Place::Header(position),
            "`MCP-Protocol-Version` is not the version in `_meta`",
        );
    }
}
