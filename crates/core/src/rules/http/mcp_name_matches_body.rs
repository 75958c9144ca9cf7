//! `http/mcp-name-matches-body`

use crate::rules::prelude::*;
use crate::rules::support::{Slot, Verdict, each_mirror};

rule! {
    /// The Mcp-Name header names something else than the body.
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
    ///     {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[{"name":"plant","description":"Plants seeds in a bed.","inputSchema":{"type":"object"}}],"ttlMs":60000,"cacheScope":"private","_meta":{…}}}
    /// --> POST /mcp #2
    ///     …
    ///     {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"plant","_meta":{…}}}
    /// <-- 200 #2
    ///     …
    ///     {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","content":[{"type":"text","text":"done"}],"_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"tools":{},"prompts":{},"resources":{}}
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- 200 #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[{"name":"plant","description":"Plants seeds in a bed.","inputSchema":{"type":"object"}}],"ttlMs":60000,"cacheScope":"private","_meta":{…}}}
    /// --> POST /mcp #2
    ///     …
    ///     mcp-name: water
    ///     ^^^^^^^^^^^^^^^ the body calls plant
    ///     {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"plant","_meta":{…}}}
    /// ```
    /// ```mcp,good,2026-07-28
    /// === open server:{"tools":{},"prompts":{},"resources":{}}
    /// --> POST /mcp #1
    ///     …
    ///     mcp-name: =?base64?R3LDvMOfZQ==?=
    ///     {"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"Grüße","_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"tools":{},"prompts":{},"resources":{}}
    /// --> POST /mcp #1
    ///     …
    ///     mcp-name: =?base64?R3LDvMOfZQ==?=
    ///     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ another name once decoded
    ///     {"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"greeting","_meta":{…}}}
    /// ```
    RULE = {
        name: "http/mcp-name-matches-body",
        layer: Http,
        level: Error,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        party: Client,
        spec: "basic/transports/streamable-http#server-validation",
        code: -32020,
        help: "repeat `params.name` or `params.uri` in `Mcp-Name`, letter by letter",
        check: Check::Http(&[OnHttp::Request], check),
    }
}

fn check(transfer: &Transfer<'_>, session: &Session, findings: &mut Findings<'_>) {
    each_mirror(transfer, session, |slot, position, verdict| {
        if slot == Slot::Name && verdict == Verdict::Differs {
            findings.head(
                Place::Header(position),
                "`Mcp-Name` is not the name or URI in the body",
            );
        }
    });
}
