//! `elicitation/url-no-credentials`

use super::requests::GROUP;
use crate::rules::prelude::*;
use crate::rules::support::Uri;

rule! {
    /// The `url` of an elicitation carries credentials or personal data.
    ///
    /// URLs are shown, logged and kept in histories; whoever sees this one can act as the user.
    ///
    /// ```mcp,good,2025-11-25
    /// === open client:{"elicitation":{"form":{},"url":{}}} server:{"tools":{}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"mode":"url","message":"Please sign in","elicitationId":"e1","url":"https://example.com/sign-in"}}
    /// ```
    /// ```mcp,bad,2025-11-25
    /// === open client:{"elicitation":{"form":{},"url":{}}} server:{"tools":{}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"mode":"url","message":"Please sign in","elicitationId":"e1","url":"https://example.com/sign-in?access_token=abc"}}
    ///                                                                                                                                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ a token
    /// ```
    ///
    /// ```mcp,good,2026-07-28
    /// === open client:{"elicitation":{"form":{},"url":{}}} server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"deploy","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"who":{"method":"elicitation/create","params":{"mode":"url","message":"Please sign in","url":"https://example.com/sign-in"}}},"_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open client:{"elicitation":{"form":{},"url":{}}} server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"deploy","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"who":{"method":"elicitation/create","params":{"mode":"url","message":"Please sign in","url":"https://example.com/sign-in?access_token=abc"}}},"_meta":{…}}}
    ///                                                                                                                                                                                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ a token
    /// ```
    ///
    /// ```mcp,good,2025-11-25
    /// === open client:{"elicitation":{"form":{},"url":{}}} server:{"tools":{}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"mode":"url","message":"Please sign in","elicitationId":"e1","url":"https://example.com/sign-in"}}
    /// ```
    /// ```mcp,bad,2025-11-25
    /// === open client:{"elicitation":{"form":{},"url":{}}} server:{"tools":{}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"mode":"url","message":"Please sign in","elicitationId":"e1","url":"https://ann:secret@example.com/"}}
    ///                                                                                                                                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ a password
    /// ```
    RULE = {
        name: "elicitation/url-no-credentials",
        layer: Session,
        level: Error,
        revisions: RevisionSet::since(Revision::V2025_11_25),
        party: Server,
        spec: "client/elicitation#safe-url-handling",
        help: "let the user sign in on the page; carry nothing but an identifier in the URL",
        check: Check::Group(&GROUP),
    }
}

pub(super) fn check(url: Node<'_>, parsed: &Uri<'_>, findings: &mut Findings<'_>) {
    if parsed.user().is_some_and(|user| user.contains(&b':')) {
        findings.raise(&RULE, url, "the URL contains a password");
        return;
    }
    let carries = [parsed.query, parsed.fragment]
        .into_iter()
        .flatten()
        .flat_map(|part| part.split(|byte| *byte == b'&'))
        .any(is_credential);
    if carries {
        findings.raise(&RULE, url, "the URL contains credentials or personal data");
    }
}

/// Whether the name of a parameter marks its value as a credential or personal data.
fn is_credential(parameter: &[u8]) -> bool {
    const NAMES: &[&str] = &[
        "access_token",
        "refresh_token",
        "id_token",
        "auth_token",
        "session_token",
        "api_key",
        "apikey",
        "api-key",
        "password",
        "passwd",
        "pwd",
        "client_secret",
        "secret",
        "jwt",
        "ssn",
    ];
    let mut halves = parameter.splitn(2, |byte| *byte == b'=');
    let (Some(name), Some(value)) = (halves.next(), halves.next()) else {
        return false;
    };
    let is = |known: &str| name.eq_ignore_ascii_case(known.as_bytes());
    let is_address = value.contains(&b'@') || memchr::memmem::find(value, b"%40").is_some();
    !value.is_empty() && (NAMES.iter().any(|known| is(known)) || is("email") && is_address)
}
