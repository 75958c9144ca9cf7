//! `jsonrpc/error-code-legacy-range`

use crate::rules::prelude::*;

rule! {
    /// An error has a code between -32019 and -32000.
    ///
    /// Older implementations use these codes, each with a meaning of its own, so a client cannot
    /// know what is meant.
    ///
    /// ```mcp,good,2026-07-28
    /// === open server:{"resources":{},"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{…},"name":"add"}}
    /// <-- {"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"failed"}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"resources":{},"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{…},"name":"add"}}
    /// <-- {"jsonrpc":"2.0","id":1,"error":{"code":-32010,"message":"failed"}}
    ///                                             ^^^^^^ may mean anything
    /// ```
    ///
    /// Codes outside of the reserved range are free.
    ///
    /// ```mcp,good,2026-07-28
    /// === open server:{"resources":{},"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{…},"name":"add"}}
    /// <-- {"jsonrpc":"2.0","id":1,"error":{"code":1001,"message":"quota"}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"resources":{},"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{…},"name":"add"}}
    /// <-- {"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"quota"}}
    ///                                             ^^^^^^ may mean anything
    /// ```
    RULE = {
        name: "jsonrpc/error-code-legacy-range",
        layer: Session,
        level: Warning,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        spec: "basic#error-codes",
        help: "use -32603, or a code of your own outside of -32768 to -32000",
        check: Check::Message(&[On::AnyError], check),
    }
}

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    let in_range = match message.code_of_protocol() {
        // Another rule reports a retired code.
        Some(-32002) | None => false,
        Some(code) => (-32019..=-32000).contains(&code),
    };
    if in_range
        && session.is_modern_error(message)
        && let Some(code) = message.exchange.envelope.error_code()
    {
        findings.at(
            code,
            "the code is one of those that older implementations use as they like",
        );
    }
}
