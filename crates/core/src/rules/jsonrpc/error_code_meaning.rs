//! `jsonrpc/error-code-meaning`

use crate::rules::prelude::*;
use crate::session::Capabilities;

rule! {
    /// An error has one of the codes -32020, -32021 and -32022, but means something else.
    ///
    /// Clients act on these codes: they correct headers, declare a capability or take another
    /// version, and try again in vain.
    ///
    /// -32021 says that a capability is missing which the request did not declare.
    ///
    /// ```mcp,good,2026-07-28
    /// === open client:{"elicitation":{"form":{}}} server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{…},"name":"add"}}
    /// <-- {"jsonrpc":"2.0","id":1,"error":{"code":-32021,"message":"a browser is needed","data":{"requiredCapabilities":{"elicitation":{"url":{}}}}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open client:{"elicitation":{"form":{}}} server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{…},"name":"add"}}
    /// <-- {"jsonrpc":"2.0","id":1,"error":{"code":-32021,"message":"a form is needed","data":{"requiredCapabilities":{"elicitation":{"form":{}}}}}}
    ///                                             ^^^^^^ the request declares it
    /// ```
    ///
    /// -32020 is about headers of HTTP.
    ///
    /// ```mcp,good,2026-07-28,stdio
    /// === open server:{"resources":{},"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{…},"name":"add"}}
    /// <-- {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no name"}}
    /// ```
    /// ```mcp,bad,2026-07-28,stdio
    /// === open server:{"resources":{},"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{…},"name":"add"}}
    /// <-- {"jsonrpc":"2.0","id":1,"error":{"code":-32020,"message":"no name"}}
    ///                                             ^^^^^^ there are no headers on stdio
    /// ```
    ///
    /// -32022 is about a version that the server does not support.
    ///
    /// ```mcp,good,2026-07-28
    /// === open server:{"resources":{},"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{…},"name":"add"}}
    /// <-- {"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"failed"}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"resources":{},"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{…},"name":"add"}}
    /// <-- {"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"failed","data":{"supported":["2027-01-01"],"requested":"2026-07-28"}}}
    ///                                             ^^^^^^ `server/discover` says that it is supported
    /// ```
    RULE = {
        name: "jsonrpc/error-code-meaning",
        layer: Session,
        level: Error,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        party: Server,
        spec: "basic#error-codes",
        help: "use -32020, -32021 and -32022 only for what they mean, and -32602 or -32603 otherwise",
        check: Check::Message(&[On::AnyError], check),
    }
}

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    let wrong = match message.code_of_protocol() {
        Some(-32020) => (message.frame.carrier == Carrier::Stdio)
            .then_some("the code is about headers of HTTP, but there are none on stdio"),
        Some(-32021) => declares_all(message)
            .then_some("the code says that a capability is missing, but the request declares it"),
        Some(-32022) => is_supported(message, session).then_some(
            "the code says that the version is not supported, but the server said that it is",
        ),
        _ => None,
    };
    if let (Some(text), Some(code)) = (wrong, message.exchange.envelope.error_code()) {
        findings.at(code, text);
    }
}

/// Whether the request declares all capabilities that the error names, and all of them are known.
fn declares_all(error: &Message<'_>) -> bool {
    let data = error.exchange.envelope.error_data();
    let required = data.and_then(|data| data.get("requiredCapabilities"));
    let declared = error
        .request
        .and_then(|request| request.data()?.capabilities);
    let (Some(required), Some(declared)) = (required, declared) else {
        return false;
    };
    required.members().next().is_some()
        && required
            .members()
            .all(|(name, value)| is_known(name, value))
        && Capabilities::read(required).is_some_and(|required| required.is_within(declared))
}

/// Whether a set of capabilities can hold everything that is named.
fn is_known(name: Node<'_>, value: Node<'_>) -> bool {
    let parts: &[&str] = if name.is_text("roots") {
        &["listChanged"]
    } else if name.is_text("sampling") {
        &["tools", "context"]
    } else if name.is_text("elicitation") {
        &["form", "url"]
    } else if name.is_text("extensions") {
        &["io.modelcontextprotocol/tasks"]
    } else {
        return false;
    };
    value
        .members()
        .all(|(part, _)| parts.iter().any(|known| part.is_text(known)))
}

/// Whether the server declared before that it supports the version of the request. Another rule
/// reports an error that contradicts itself.
fn is_supported(error: &Message<'_>, session: &Session) -> bool {
    let version = error
        .request
        .and_then(|request| request.data()?.version.as_ref());
    let Some(version) = version else {
        return false;
    };
    let data = error.exchange.envelope.error_data();
    let listed = data.and_then(|data| data.get("supported"));
    let contradicts = listed.is_some_and(|listed| listed.items().any(|item| version.is(item)));
    session.state.versions.supports(version) == Some(true) && !contradicts
}
