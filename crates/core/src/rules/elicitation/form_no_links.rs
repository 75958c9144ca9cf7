//! `elicitation/form-no-links`

use super::requests::GROUP;
use crate::rules::prelude::*;

rule! {
    /// A form contains a URL for the user to follow.
    ///
    /// A form is where users expect questions; a link in it leads them away without the care that
    /// the mode `url` takes.
    ///
    /// ```mcp,good,2025-11-25
    /// === open client:{"elicitation":{}} server:{"tools":{}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"Which branch?","requestedSchema":{"type":"object","properties":{"branch":{"type":"string"}}}}}
    /// ```
    /// ```mcp,bad,2025-11-25
    /// === open client:{"elicitation":{}} server:{"tools":{}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"Log in at https://example.com/login first","requestedSchema":{"type":"object","properties":{"branch":{"type":"string"}}}}}
    ///                                                                               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ a link
    /// ```
    ///
    /// ```mcp,good,2026-07-28
    /// === open client:{"elicitation":{}} server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"deploy","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"who":{"method":"elicitation/create","params":{"message":"Which site?","requestedSchema":{"type":"object","properties":{"site":{"type":"string","format":"uri","description":"For example https://example.com"}}}}}},"_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open client:{"elicitation":{}} server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"deploy","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"who":{"method":"elicitation/create","params":{"message":"Which branch?","requestedSchema":{"type":"object","properties":{"branch":{"type":"string","description":"See https://example.com/branches"}}}}}},"_meta":{…}}}
    ///                                                                                                                                                                                                                                                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ a link
    /// ```
    RULE = {
        name: "elicitation/form-no-links",
        layer: Session,
        level: Warning,
        revisions: RevisionSet::since(Revision::V2025_11_25),
        party: Server,
        spec: "client/elicitation#safe-url-handling",
        help: "ask the user to visit a URL by the mode `url`",
        check: Check::Group(&GROUP),
    }
}

/// Checks a text that the user sees.
pub(super) fn check(text: Node<'_>, findings: &mut Findings<'_>) {
    let has = |scheme: &[u8]| memchr::memmem::find(text.raw(), scheme).is_some();
    // A slash may be escaped in JSON.
    let has_link = [
        &b"http://"[..],
        b"https://",
        b"http:\\/\\/",
        b"https:\\/\\/",
    ]
    .into_iter()
    .any(has);
    if has_link {
        findings.raise(&RULE, text, "a form with a URL to follow");
    }
}

/// Checks one field of the form.
pub(super) fn check_field(field: Node<'_>, findings: &mut Findings<'_>) {
    // A field for a URL may show an example.
    if field
        .get("format")
        .is_some_and(|format| format.is_text("uri"))
    {
        return;
    }
    let texts = [field.get("title"), field.get("description")];
    for text in texts.into_iter().flatten() {
        check(text, findings);
    }
}
