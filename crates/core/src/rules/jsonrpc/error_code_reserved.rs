//! `jsonrpc/error-code-reserved`

use crate::rules::prelude::*;

rule! {
    /// An error has a code that JSON-RPC keeps for itself.
    ///
    /// Between -32768 and -32100 only -32700 and -32600 to -32603 mean something; a receiver can
    /// only guess at the rest.
    ///
    /// ```mcp,good,2025-06-18
    /// === open server:{"resources":{},"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add"}}
    /// <-- {"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"failed"}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open server:{"resources":{},"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add"}}
    /// <-- {"jsonrpc":"2.0","id":1,"error":{"code":-32500,"message":"failed"}}
    ///                                             ^^^^^^ has no meaning
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
    /// <-- {"jsonrpc":"2.0","id":1,"error":{"code":-32500,"message":"failed"}}
    ///                                             ^^^^^^ has no meaning
    /// ```
    RULE = {
        name: "jsonrpc/error-code-reserved",
        layer: Session,
        level: Error,
        spec: "basic#error-codes",
        help: "use one of the five standard codes, or one of your own outside of -32768 to -32000",
        check: Check::Message(&[On::AnyError], check),
    }
}

fn check(message: &Message<'_>, _: &Session, findings: &mut Findings<'_>) {
    let reserved = match message.code_of_protocol() {
        Some(-32700 | -32603..=-32600) | None => false,
        Some(code) => (-32768..=-32100).contains(&code),
    };
    if reserved && let Some(code) = message.exchange.envelope.error_code() {
        findings.at(code, "the code is reserved by JSON-RPC and has no meaning");
    }
}
