//! `response/exactly-one`

use super::stray::{Stray, stray};
use crate::rules::prelude::*;

rule! {
    /// A request is answered a second time.
    ///
    /// The peer has forgotten the request; the second answer is lost, or is taken for that to
    /// another request.
    ///
    /// ```mcp,good,2025-06-18
    /// === open
    /// --> {"jsonrpc":"2.0","id":4,"method":"ping"}
    /// <-- {"jsonrpc":"2.0","id":4,"result":{}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open
    /// --> {"jsonrpc":"2.0","id":4,"method":"ping"}
    /// <-- {"jsonrpc":"2.0","id":4,"result":{}}
    /// <-- {"jsonrpc":"2.0","id":4,"result":{}}
    ///                           ^ was answered before
    /// ```
    ///
    /// ```mcp,good,2026-07-28
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"_meta":{…},"name":"add"}}
    /// <-- {"jsonrpc":"2.0","id":4,"result":{"resultType":"complete","content":[],"_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"_meta":{…},"name":"add"}}
    /// <-- {"jsonrpc":"2.0","id":4,"result":{"resultType":"complete","content":[],"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":4,"error":{"code":-32603,"message":"failed after all"}}
    ///                           ^ was answered before
    /// ```
    RULE = {
        name: "response/exactly-one",
        layer: Session,
        level: Error,
        spec: "basic#responses",
        help: "answer each request once",
        follows: [rules::http::SSE_EVENT_ID_UNIQUE],
        once: [PerMessage],
        reveals: SecondAnswer,
        check: Check::Message(&[On::AnyResult, On::AnyError], check),
    }
}

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    if stray(message, session) == Some(Stray::Again)
        && let Some(id) = message.id()
    {
        findings.at(id, "the request with this id was answered before");
    }
}
