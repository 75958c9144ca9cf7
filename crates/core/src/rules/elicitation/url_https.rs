//! `elicitation/url-https`

use super::requests::GROUP;
use crate::rules::prelude::*;
use crate::rules::support::Uri;

rule! {
    /// The `url` of an elicitation does not use `https`.
    ///
    /// Anybody on the network path can read and change the input of the user. Addresses of the
    /// local computer are allowed.
    ///
    /// ```mcp,good,2025-11-25
    /// === open client:{"elicitation":{"form":{},"url":{}}} server:{"tools":{}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"mode":"url","message":"Please sign in","elicitationId":"e1","url":"https://example.com/sign-in"}}
    /// ```
    /// ```mcp,bad,2025-11-25
    /// === open client:{"elicitation":{"form":{},"url":{}}} server:{"tools":{}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"mode":"url","message":"Please sign in","elicitationId":"e1","url":"http://example.com/sign-in"}}
    ///                                                                                                                                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ `http`
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
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"who":{"method":"elicitation/create","params":{"mode":"url","message":"Please sign in","url":"http://example.com/sign-in"}}},"_meta":{…}}}
    ///                                                                                                                                                                                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ `http`
    /// ```
    RULE = {
        name: "elicitation/url-https",
        layer: Session,
        level: Warning,
        revisions: RevisionSet::since(Revision::V2025_11_25),
        party: Server,
        spec: "client/elicitation#safe-url-handling",
        help: "use `https`",
        check: Check::Group(&GROUP),
    }
}

pub(super) fn check(url: Node<'_>, parsed: &Uri<'_>, findings: &mut Findings<'_>) {
    if parsed.has_scheme("http") && !is_own(parsed.host()) {
        findings.raise(&RULE, url, "the URL uses `http`, `https` is expected");
    }
}

/// Whether a host is the local computer, or a name for one under development.
fn is_own(host: &[u8]) -> bool {
    let host = host.to_ascii_lowercase();
    let own = [
        &b"localhost"[..],
        b"[::1]",
        b"0.0.0.0",
        b"host.docker.internal",
    ];
    own.contains(&host.as_slice())
        || host.starts_with(b"127.")
        || [&b".localhost"[..], b".local", b".test", b".internal"]
            .iter()
            .any(|end| host.ends_with(end))
}
