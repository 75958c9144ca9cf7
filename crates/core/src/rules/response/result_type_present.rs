//! `response/result-type-present`

use crate::rules::prelude::*;

rule! {
    /// A result does not say in `resultType` what it is.
    ///
    /// Without it a client cannot tell the outcome from a call for more input, or takes the server
    /// for an older one.
    ///
    /// Results of methods that are known are checked as a whole, and a missing member is
    /// `schema/missing-member`. This rule is for answers to all others.
    ///
    /// ```mcp,good,2026-07-28
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[],"_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"content":[],"_meta":{…}}}
    ///                                      ^^^^^^^^^^^^^^^^^^^^^^^^^^ `resultType` is missing
    /// ```
    RULE = {
        name: "response/result-type-present",
        layer: Session,
        level: Error,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        party: Server,
        spec: "basic#result-responses",
        help: "set `resultType` to `complete`, or to another value that the method allows",
        check: Check::Message(&[On::AnyResult], check),
    }
}

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    // The shape of a known result checks it, too.
    if message.exchange.form().is_none()
        && message.direction() != Some(Direction::ClientToServer)
        && let Some(result) = message.result()
        && result.get("resultType").is_none()
        && !session.is_stray(message)
    {
        findings.at(result, "`resultType` is missing");
    }
}
