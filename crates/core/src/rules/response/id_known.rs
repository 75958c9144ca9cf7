//! `response/id-known`

use super::stray::{Stray, stray};
use crate::rules::prelude::*;

rule! {
    /// A response names a request that is not open.
    ///
    /// The peer that made the real request goes on waiting, and the answer is lost.
    ///
    /// ```mcp,good,2025-06-18,stdio
    /// --> {"jsonrpc":"2.0","id":1,"method":"ping"}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{}}
    /// ```
    /// ```mcp,bad,2025-06-18,stdio
    /// --> {"jsonrpc":"2.0","id":1,"method":"ping"}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{}}
    ///                           ^ no open request has this id
    /// === end
    /// ```
    ///
    /// ```mcp,good,2026-07-28
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{…},"name":"add"}}
    /// <-- {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no such tool"}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{…},"name":"add"}}
    /// <-- {"jsonrpc":"2.0","id":99,"error":{"code":-32602,"message":"no such tool"}}
    ///                           ^^ only 1 is open
    /// ```
    RULE = {
        name: "response/id-known",
        layer: Session,
        level: Error,
        spec: "basic#responses",
        help: "answer with the id of the request, and only while it is open",
        hidden_by: [rules::inline::BATCH_ONE_KIND],
        follows: [rules::inline::BATCH_NOT_EMPTY],
        once: [PerMessage, PerValue],
        reveals: StrayAnswer,
        check: Check::Message(&[On::AnyResult, On::AnyError], check),
    }
}

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    if stray(message, session) == Some(Stray::Unknown)
        && let Some(id) = message.id()
    {
        findings.at(id, "no request with this id is open");
    }
}
