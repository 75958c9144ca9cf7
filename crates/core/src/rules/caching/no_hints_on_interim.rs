//! `caching/no-hints-on-interim`

use crate::rules::prelude::*;
use crate::session::message::wants_input;

rule! {
    /// A result that asks for input has caching hints.
    ///
    /// It is a step on the way and not an answer: a cache that keeps it asks the same of everyone.
    ///
    /// ```mcp,good,2026-07-28
    /// --> {"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"file:///a.txt","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","requestState":"s","_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// --> {"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"file:///a.txt","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","requestState":"s","ttlMs":5,"cacheScope":"public","_meta":{…}}}
    ///                                                                                                ^ nothing to be kept
    /// ```
    RULE = {
        name: "caching/no-hints-on-interim",
        layer: Session,
        level: Error,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        party: Server,
        spec: "server/utilities/caching#cacheable-results",
        help: "leave out `ttlMs` and `cacheScope` where input is asked for",
        check: Check::Message(&[On::AnyResult], check),
    }
}

fn check(message: &Message<'_>, _: &Session, findings: &mut Findings<'_>) {
    let Some(result) = message.result().filter(|result| wants_input(*result)) else {
        return;
    };
    let hint = result.get("ttlMs").or_else(|| result.get("cacheScope"));
    if let Some(hint) = hint {
        findings.at(hint, "a result that asks for input has no caching hints");
    }
}
