//! `response/id-type-preserved`

use super::stray::{Stray, stray};
use crate::rules::prelude::*;

rule! {
    /// A response gives the id back with another JSON type.
    ///
    /// `1` and `"1"` are two ids: the peer does not find its request and goes on waiting.
    ///
    /// ```mcp,good,2025-06-18
    /// === open
    /// --> {"jsonrpc":"2.0","id":1,"method":"ping"}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{}}
    /// === end
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open
    /// --> {"jsonrpc":"2.0","id":1,"method":"ping"}
    /// <-- {"jsonrpc":"2.0","id":"1","result":{}}
    ///                           ^^^ the id was a number
    /// === end
    /// ```
    ///
    /// ```mcp,good,2026-07-28
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":"7","method":"tools/call","params":{"_meta":{…},"name":"add"}}
    /// <-- {"jsonrpc":"2.0","id":"7","error":{"code":-32602,"message":"no such tool"}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":"7","method":"tools/call","params":{"_meta":{…},"name":"add"}}
    /// <-- {"jsonrpc":"2.0","id":7,"error":{"code":-32602,"message":"no such tool"}}
    ///                           ^ the id was a string
    /// ```
    RULE = {
        name: "response/id-type-preserved",
        layer: Session,
        level: Error,
        spec: "basic#responses",
        help: "send the id back as it came: a string stays a string, a number a number",
        once: [PerValue],
        reveals: AnswerOfOtherType,
        check: Check::Message(&[On::AnyResult, On::AnyError], check),
    }
}

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    if stray(message, session) == Some(Stray::OtherType)
        && let Some(id) = message.id()
    {
        let text = if id.kind() == Kind::String {
            "the id is a string, that of the request is a number"
        } else {
            "the id is a number, that of the request is a string"
        };
        findings.at(id, text);
    }
}
