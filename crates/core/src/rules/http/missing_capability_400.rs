//! `http/missing-capability-400`

use super::status;
use crate::rules::prelude::*;

rule! {
    /// The error for a missing capability of the client does not come with status 400.
    ///
    /// Gateways and clients go by the status: with 200 it looks as if the request had been served.
    ///
    /// ```mcp,good,2026-07-28
    /// === open server:{"tools":{}}
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- 400 #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"error":{"code":-32021,"message":"sampling is needed","data":{"requiredCapabilities":{"sampling":{}}}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"tools":{}}
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- 200 #1
    ///     ^^^ 400 goes with this code
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"error":{"code":-32021,"message":"sampling is needed","data":{"requiredCapabilities":{"sampling":{}}}}}
    /// ```
    /// ```mcp,good,2026-07-28
    /// === open server:{"tools":{}}
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- 400 #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"error":{"code":-32021,"message":"sampling is needed","data":{"requiredCapabilities":{"sampling":{}}}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"tools":{}}
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- 200 #1 stream
    ///     …
    /// <-- event #1
    ///     {"jsonrpc":"2.0","id":1,"error":{"code":-32021,"message":"sampling is needed","data":{"requiredCapabilities":{"sampling":{}}}}}
    ///                                             ^^^^^^ the status of the stream cannot be 400 any more
    /// ```
    RULE = {
        name: "http/missing-capability-400",
        layer: Http,
        level: Error,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        party: Server,
        spec: "basic/index#meta",
        code: -32021,
        help: "answer with status 400 and code -32021",
        check: Check::Http(&[OnHttp::Response, OnHttp::Event], check),
    }
}

fn check(transfer: &Transfer<'_>, session: &Session, findings: &mut Findings<'_>) {
    status::goes_with(-32021, 400, transfer, session, findings);
}
