//! `capability/elicitation`

use crate::message::Message;
use crate::rules::check::{Check, Findings, On};
use crate::rules::rule::{Parties, rule};
use crate::rules::support::needs;
use crate::session::{Capability, Session};
use crate::{Party, Revision, RevisionSet};

rule! {
    /// A server asks the user of a client that has not declared `elicitation`.
    ///
    /// The client has no such method: it refuses the request, and the work that waits for the answer fails.
    ///
    /// ```mcp,good,2025-06-18
    /// === open client:{"elicitation":{}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"Which branch?","requestedSchema":{"type":"object","properties":{"branch":{"type":"string"}}}}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open client:{}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"Which branch?","requestedSchema":{"type":"object","properties":{"branch":{"type":"string"}}}}}
    ///                                      ^^^^^^^^^^^^^^^^^^^^ the client has not declared `elicitation`
    /// ```
    RULE = {
        name: "capability/elicitation",
        layer: Session,
        level: Error,
        revisions: RevisionSet::since(Revision::V2025_06_18).intersection(RevisionSet::until(Revision::V2025_11_25)),
        party: Parties::Only(Party::Server),
        spec: "client/elicitation#capabilities",
        code: -32601,
        covers: [],
        help: "ask the user only where the client has declared `elicitation`",
        check: Check::Message(&[On::Call("elicitation/create")], check),
    }
}

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    needs(
        Party::Client,
        Capability::Elicitation,
        message,
        session,
        findings,
    );
}
