//! `elicitation/no-secrets-in-form`

use super::requests::GROUP;
use crate::rules::prelude::*;
use crate::rules::support::{demands_secret, names_secret};

rule! {
    /// A form asks for a password, a key, a token or payment data.
    ///
    /// The content of a form passes through the client and often through a model; secrets belong on
    /// a web page of the server, by the mode `url`.
    ///
    /// ```mcp,good,2025-06-18
    /// === open client:{"elicitation":{}} server:{"tools":{}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"Who are you?","requestedSchema":{"type":"object","properties":{"name":{"type":"string","title":"Your name"}}}}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open client:{"elicitation":{}} server:{"tools":{}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"How may I reach the service?","requestedSchema":{"type":"object","properties":{"api_key":{"type":"string"}}}}}
    ///                                                                                                                                                               ^^^^^^^^^ a key
    /// ```
    ///
    /// ```mcp,good,2025-06-18
    /// === open client:{"elicitation":{}} server:{"tools":{}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"Who are you?","requestedSchema":{"type":"object","properties":{"name":{"type":"string","title":"Your name"}}}}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open client:{"elicitation":{}} server:{"tools":{}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"How may I reach the service?","requestedSchema":{"type":"object","properties":{"answer":{"type":"string","title":"Password"}}}}}
    ///                                                                                                                                                                                                 ^^^^^^^^^^ a password
    /// ```
    ///
    /// ```mcp,good,2026-07-28
    /// === open client:{"elicitation":{}} server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"deploy","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"who":{"method":"elicitation/create","params":{"message":"Please enter your name","requestedSchema":{"type":"object","properties":{"answer":{"type":"string"}}}}}},"_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open client:{"elicitation":{}} server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"deploy","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"who":{"method":"elicitation/create","params":{"message":"Please enter your password","requestedSchema":{"type":"object","properties":{"answer":{"type":"string"}}}}}},"_meta":{…}}}
    ///                                                                                                                                               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ a password
    /// ```
    RULE = {
        name: "elicitation/no-secrets-in-form",
        layer: Session,
        level: Error,
        revisions: RevisionSet::since(Revision::V2025_06_18),
        party: Server,
        spec: "client/elicitation#form-mode-security",
        code: -32602,
        help: "ask for secrets by the mode `url`, or not at all",
        check: Check::Group(&GROUP),
    }
}

/// Checks the message to the user, unless a field was reported already.
pub(super) fn check_message(message: Node<'_>, findings: &mut Findings<'_>) {
    let your = memchr::memmem::find(message.raw(), b"your").is_some();
    if your && message.text().is_some_and(|text| demands_secret(&text)) {
        findings.raise(
            &RULE,
            message,
            "a form that tells the user to hand over a secret",
        );
    }
}

/// Checks one field of the form; returns whether it asks for a secret.
pub(super) fn check_field(key: Node<'_>, field: Node<'_>, findings: &mut Findings<'_>) -> bool {
    let is_typed_in = field.get("enum").is_none()
        && field.get("oneOf").is_none()
        && ["string", "number", "integer"]
            .into_iter()
            .any(|kind| field.get("type").is_some_and(|own| own.is_text(kind)));
    if !is_typed_in {
        return false;
    }
    let names = [Some(key), field.get("title")];
    let secret = names
        .into_iter()
        .flatten()
        .find(|name| name.text().is_some_and(|name| names_secret(&name)));
    if let Some(secret) = secret {
        findings.raise(&RULE, secret, "a form with a field for a secret");
    }
    secret.is_some()
}
