//! `discover/lists-served-version`

use crate::rules::prelude::*;

rule! {
    /// A server does not list the version under which it has just served the request.
    ///
    /// A client that picks from the list finds no version in common and gives up on a server that
    /// works.
    ///
    /// ```mcp,good,2026-07-28
    /// --> {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{},"ttlMs":0,"cacheScope":"private","_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// --> {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":[],"capabilities":{},"ttlMs":0,"cacheScope":"private","_meta":{…}}}
    ///                                                                                   ^^ no version at all
    /// ```
    /// ```mcp,good,2026-07-28
    /// --> {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":["2025-11-25","2026-07-28"],"capabilities":{},"ttlMs":0,"cacheScope":"private","_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// --> {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":["2025-11-25"],"capabilities":{},"ttlMs":0,"cacheScope":"private","_meta":{…}}}
    ///                                                                                   ^^^^^^^^^^^^^^ the request was of 2026-07-28
    /// ```
    RULE = {
        name: "discover/lists-served-version",
        layer: Session,
        level: Warning,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        party: Server,
        spec: "server/discover#discoverresult",
        help: "list every version that the server answers, the one of the request among them",
        check: Check::Message(&[On::Result("server/discover")], check),
    }
}

fn check(message: &Message<'_>, _: &Session, findings: &mut Findings<'_>) {
    let versions = message.in_result("supportedVersions");
    let Some(versions) = versions else {
        return;
    };
    let served = message.revision().name();
    let mut items = versions.items().peekable();
    if items.peek().is_none() {
        findings.at(versions, "no version is listed");
    } else if !items.any(|version| version.is_text(served)) {
        findings.named(
            versions,
            "`{}`, under which the request was served, is not listed",
            served,
        );
    }
}
