//! `http/missing-meta-400`

use crate::rules::prelude::*;

rule! {
    /// The error for a request without its required _meta does not come with status 400.
    ///
    /// Gateways and clients go by the status: with 200 it looks as if the request had been served.
    ///
    /// ```mcp,good,2026-07-28
    /// <-- 400 #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"missing in _meta: io.modelcontextprotocol/clientCapabilities"}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// <-- 200 #1
    ///     ^^^ 400 goes with this error
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"missing in _meta: io.modelcontextprotocol/clientCapabilities"}}
    /// ```
    RULE = {
        name: "http/missing-meta-400",
        layer: Http,
        level: Error,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        party: Server,
        spec: "basic/index#meta",
        code: -32602,
        help: "answer with status 400 and code -32602",
        check: Check::Http(&[OnHttp::Response], check),
    }
}

fn check(transfer: &Transfer<'_>, session: &Session, findings: &mut Findings<'_>) {
    let (Part::Response { status, .. }, Some(message)) = (transfer.http.part, transfer.message)
    else {
        return;
    };
    if status == 400 || message.error_code() != Some(-32602) {
        return;
    }
    let lacks_meta = session
        .state
        .http
        .exchange(transfer.http)
        .is_some_and(|exchange| exchange.lacks_meta);
    if lacks_meta || blames_meta(message) {
        findings.head(
            Place::Status,
            "a request without its required `_meta` is refused with another status than 400",
        );
    }
}

/// Whether the error itself names a missing member of `_meta`.
fn blames_meta(error: &Message<'_>) -> bool {
    let text = error
        .exchange
        .envelope
        .error()
        .and_then(|error| error.get("message"))
        .and_then(Node::plain)
        .unwrap_or_default();
    let says = |word: &[u8]| text.windows(word.len()).any(|window| window == word);
    says(b"io.modelcontextprotocol/protocolVersion")
        || says(b"io.modelcontextprotocol/clientCapabilities")
        || says(b"_meta") && (says(b"issing") || says(b"equired"))
}
