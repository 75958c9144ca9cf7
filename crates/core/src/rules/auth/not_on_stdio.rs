//! `auth/not-on-stdio`

use crate::rules::prelude::*;
use crate::session::is_bearer;

rule! {
    /// The flow of HTTP authorisation is run over stdio.
    ///
    /// A process that is started by its client takes credentials from its environment; there are no
    /// headers to carry a token, and clients do not understand the challenge.
    ///
    /// ```mcp,good,2025-06-18,stdio
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- {"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"GARDEN_TOKEN is not set"}}
    /// ```
    /// ```mcp,bad,2025-06-18,stdio
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- {"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"send a bearer token","data":{"www-authenticate":"Bearer"}}}
    ///                                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ there is no such header here
    /// ```
    /// ```mcp,good,2026-07-28,stdio
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"GARDEN_TOKEN is not set"}}
    /// ```
    /// ```mcp,bad,2026-07-28,stdio
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"Bearer token required"}}
    ///                                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ there is no header to send it in
    /// ```
    /// ```mcp,good,2025-06-18,stdio
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"com.example/trace":"a1"}}}
    /// ```
    /// ```mcp,bad,2025-06-18,stdio
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"authorization":"Bearer 8d3f7c1e"}}}
    ///                                                                                      ^^^^^^^^^^^^^^^^^ a token goes into the environment of the process
    /// ```
    RULE = {
        name: "auth/not-on-stdio",
        layer: Session,
        level: Warning,
        revisions: RevisionSet::since(Revision::V2025_03_26),
        spec: "basic/authorization/index#protocol-requirements",
        help: "read credentials from the environment of the process",
        check: Check::Message(&[On::AnyRequest, On::AnyError], check),
    }
}

fn check(message: &Message<'_>, _: &Session, findings: &mut Findings<'_>) {
    if message.frame.carrier != Carrier::Stdio {
        return;
    }
    if message.kind() == MessageKind::Request {
        if let Some(token) = token(message) {
            findings.at(
                token,
                "a bearer token in a message, expected in the environment",
            );
        }
        return;
    }
    let Some(error) = message.exchange.envelope.error() else {
        return;
    };
    if challenges(error) || asks_for_token(message, error) {
        findings.at(
            error,
            "the error asks for authorisation as over HTTP, expected credentials from the environment",
        );
    }
}

/// A bearer token in `_meta`, which a request uses as if it were its headers.
fn token<'a>(request: &Message<'a>) -> Option<Node<'a>> {
    let meta = request.meta()?;
    let value = meta
        .get("authorization")
        .or_else(|| meta.get("Authorization"))?;
    value
        .text()
        .is_some_and(|text| is_bearer(&text))
        .then_some(value)
}

/// Whether the data of an error has the members of a challenge.
fn challenges(error: Node<'_>) -> bool {
    const MEMBERS: [&str; 3] = ["www-authenticate", "www_authenticate", "resource_metadata"];
    let data = error.get("data");
    data.into_iter().flat_map(Node::members).any(|(key, _)| {
        key.text()
            .is_some_and(|key| MEMBERS.iter().any(|known| key.eq_ignore_ascii_case(known)))
    })
}

/// Whether an error demands a token in its text. A tool, a prompt or a resource may need the token
/// of another service.
fn asks_for_token(message: &Message<'_>, error: Node<'_>) -> bool {
    const PHRASES: [&str; 5] = [
        "missing bearer token",
        "bearer token required",
        "bearer token is required",
        "missing authorization header",
        "authorization header required",
    ];
    let is_own = !matches!(
        message.method(),
        None | Some("tools/call" | "prompts/get" | "resources/read")
    );
    let said = error
        .get("message")
        .and_then(Node::text)
        .unwrap_or_default();
    let said = said.trim().trim_end_matches(['.', '!']);
    is_own
        && PHRASES
            .iter()
            .any(|phrase| said.eq_ignore_ascii_case(phrase))
}
