//! `jsonrpc/error-code-mcp-range`

use crate::rules::prelude::*;

rule! {
    /// An error has a code that the specification keeps for itself and has not defined.
    ///
    /// Codes from -32099 to -32020 may get a meaning in a later revision, and clients would then
    /// act on it.
    ///
    /// ```mcp,good,2026-07-28
    /// === open server:{"resources":{},"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{…},"name":"add"}}
    /// <-- {"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"failed"}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"resources":{},"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{…},"name":"add"}}
    /// <-- {"jsonrpc":"2.0","id":1,"error":{"code":-32050,"message":"failed"}}
    ///                                             ^^^^^^ is not defined
    /// ```
    RULE = {
        name: "jsonrpc/error-code-mcp-range",
        layer: Session,
        level: Error,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        spec: "basic#error-codes",
        help: "use a code that the specification defines, or one of your own outside of -32768 to -32000",
        check: Check::Message(&[On::AnyError], check),
    }
}

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    let undefined = match message.code_of_protocol() {
        // Another rule reports retired codes.
        Some(-32022..=-32020 | -32042) | None => false,
        Some(code) => (-32099..=-32020).contains(&code),
    };
    if undefined
        && session.is_modern_error(message)
        && let Some(code) = message.exchange.envelope.error_code()
    {
        findings.at(
            code,
            "the code is kept for the specification, which does not define it",
        );
    }
}
