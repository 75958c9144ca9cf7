//! `capability/prompts-list-changed`

use crate::message::Message;
use crate::rules::check::{Check, Findings, On};
use crate::rules::rule::{Parties, rule};
use crate::rules::support::needs;
use crate::session::{Capability, Session};
use crate::{Party, Revision, RevisionSet};

rule! {
    /// A server announces changed prompts without having declared `prompts.listChanged`.
    ///
    /// The receiver does not expect the notice and may drop it, or trip over it.
    ///
    /// ```mcp,good,2025-06-18
    /// === open server:{"prompts":{"listChanged":true}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/prompts/list_changed"}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open server:{"prompts":{}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/prompts/list_changed"}
    ///                               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ the server has not declared `prompts.listChanged`
    /// ```
    RULE = {
        name: "capability/prompts-list-changed",
        layer: Session,
        level: Error,
        recommended: RevisionSet::until(Revision::V2025_03_26),
        revisions: RevisionSet::ALL,
        party: Parties::Only(Party::Server),
        spec: "server/prompts#list-changed-notification",
        code: 0,
        covers: [],
        help: "declare `prompts.listChanged`, or send no such notices",
        check: Check::Message(&[On::Call("notifications/prompts/list_changed")], check),
    }
}

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    needs(
        Party::Server,
        Capability::PromptsListChanged,
        message,
        session,
        findings,
    );
}
