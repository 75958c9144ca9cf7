//! `elicitation/id-removed`

use super::requests::GROUP;
use crate::rules::prelude::*;

rule! {
    /// An elicitation has an `elicitationId`, which has no meaning any more.
    ///
    /// Nobody announces completion by it; what belongs together is told by `requestState`.
    ///
    /// ```mcp,good,2026-07-28
    /// === open client:{"elicitation":{"form":{},"url":{}}} server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"deploy","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"who":{"method":"elicitation/create","params":{"mode":"url","message":"Please sign in","url":"https://example.com/sign-in"}}},"_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open client:{"elicitation":{"form":{},"url":{}}} server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"deploy","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"who":{"method":"elicitation/create","params":{"mode":"url","message":"Please sign in","elicitationId":"e1","url":"https://example.com/sign-in"}}},"_meta":{…}}}
    ///                                                                                                                                                                                             ^^^^ no meaning any more
    /// ```
    RULE = {
        name: "elicitation/id-removed",
        layer: Session,
        level: Note,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        party: Server,
        spec: "changelog#minor-changes",
        help: "leave it out and keep what belongs together in `requestState`",
        check: Check::Group(&GROUP),
    }
}

pub(super) fn check(params: Node<'_>, findings: &mut Findings<'_>) {
    if let Some(id) = params.get("elicitationId") {
        findings.raise(
            &RULE,
            id,
            "`elicitationId` has no meaning in this revision; `requestState` takes its place",
        );
    }
}
