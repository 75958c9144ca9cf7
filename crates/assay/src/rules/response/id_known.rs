//! `response/id-known`

use crate::RevisionSet;
use crate::message::Message;
use crate::rules::check::{Check, Findings, On};
use crate::rules::rule::{Parties, rule};
use crate::session::{Session, used_id};

rule! {
    /// A response names a request that is not open.
    ///
    /// The peer that made the real request goes on waiting, and the answer is lost.
    ///
    /// ```mcp,good,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"ping"}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"ping"}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{}}
    ///                           ^ no open request has this id
    /// ```
    RULE = {
        name: "response/id-known",
        layer: Session,
        level: Error,
        revisions: RevisionSet::ALL,
        party: Parties::Both,
        spec: "basic#responses",
        code: 0,
        covers: [],
        help: "answer with the id of the request, and only while it is open",
        check: Check::Message(&[On::AnyResult, On::AnyError], check),
    }
}

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    let (Some(id), Some(direction)) = (message.id(), message.direction()) else {
        return;
    };
    let asked = direction.reverse();
    // An excerpt without any request of the peer shows the answer alone.
    if message.request.is_some()
        || message.frame.answers.is_some()
        || session.spoken[asked as usize] == 0
    {
        return;
    }
    let waiting = session.waiting(asked);
    let of_other_type = waiting
        .iter()
        .any(|request| request.has_id_of_other_type(id));
    let mut buffer = Vec::new();
    let answered_before = used_id(id, &mut buffer)
        .is_some_and(|id| session.topics.requests.ids[asked as usize].contains(id));
    // Those are rules of their own.
    if !of_other_type && !answered_before {
        findings.at(id, "no request with this id is open");
    }
}
