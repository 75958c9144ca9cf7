//! `response/result-type-known`

use crate::rules::prelude::*;

rule! {
    /// `resultType` has a value that neither the specification nor an announced extension defines.
    ///
    /// The client must refuse what it does not understand, so the result is lost.
    ///
    /// ```mcp,good,2026-07-28
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{…},"name":"add"}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[],"_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{…},"name":"add"}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"partial","content":[],"_meta":{…}}}
    ///                                                    ^^^^^^^^^ no extension was announced
    /// ```
    ///
    /// An extension may define values of its own.
    ///
    /// ```mcp,good,2026-07-28
    /// === open client:{"extensions":{"com.example/parts":{}}} server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{…},"name":"add"}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"partial","_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open client:{} server:{"extensions":{"com.example/parts":{}},"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{…},"name":"add"}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"partial","_meta":{…}}}
    ///                                                    ^^^^^^^^^ the request did not announce the extension
    /// ```
    RULE = {
        name: "response/result-type-known",
        layer: Session,
        level: Error,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        party: Server,
        spec: "basic#resulttype",
        help: "use `complete`, `input_required`, or a value of an extension that the request announced",
        check: Check::Message(&[On::AnyResult], check),
    }
}

fn check(message: &Message<'_>, _: &Session, findings: &mut Findings<'_>) {
    let value = message.in_result("resultType");
    let (Some(value), Some(request)) = (value, message.request) else {
        return;
    };
    // The rules of the extension check whether a task may be returned.
    if value.kind() != Kind::String || KNOWN.iter().any(|known| value.is_text(known)) {
        return;
    }
    // Without the capabilities of the client its extensions are not known.
    let declared = request.data().and_then(|data| data.capabilities);
    if declared.is_some_and(|declared| !declared.has(Capability::Foreign)) {
        findings.at(
            value,
            "`resultType` is none of `complete` and `input_required`, and the request announced no extension with others",
        );
    }
}

/// The values that the specification defines, and extensions with rules of their own.
const KNOWN: [&str; 3] = ["complete", "input_required", "task"];
