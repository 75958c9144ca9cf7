//! `jsonrpc/error-code-retired`

use crate::rules::prelude::*;

rule! {
    /// An error has a code of an earlier revision that may not be sent any more.
    ///
    /// Clients of this revision do not act on it: -32002 became -32602, and instead of -32042 a
    /// result asks for input.
    ///
    /// ```mcp,good,2026-07-28
    /// === open server:{"resources":{},"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"_meta":{…},"uri":"file:///a.txt"}}
    /// <-- {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no such resource"}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"resources":{},"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"_meta":{…},"uri":"file:///a.txt"}}
    /// <-- {"jsonrpc":"2.0","id":1,"error":{"code":-32002,"message":"no such resource"}}
    ///                                             ^^^^^^ was retired
    /// ```
    ///
    /// ```mcp,good,2026-07-28
    /// === open server:{"resources":{},"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{…},"name":"add"}}
    /// <-- {"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"failed"}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"resources":{},"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{…},"name":"add"}}
    /// <-- {"jsonrpc":"2.0","id":1,"error":{"code":-32042,"message":"visit the page first"}}
    ///                                             ^^^^^^ was retired
    /// ```
    RULE = {
        name: "jsonrpc/error-code-retired",
        layer: Session,
        level: Error,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        spec: "basic#error-codes",
        help: "use -32602 for an unknown resource, and ask for input in a result",
        check: Check::Message(&[On::AnyError], check),
    }
}

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    if let Some(-32002 | -32042) = message.code_of_protocol()
        && session.is_modern_error(message)
        && let Some(code) = message.exchange.envelope.error_code()
    {
        findings.at(code, "the code is one of an earlier revision");
    }
}
