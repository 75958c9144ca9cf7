//! `request/id-unique-in-session`

use crate::frame::Http;
use crate::rules::prelude::*;
use crate::session::{OpenRequest, used_id};

rule! {
    /// A request uses an id that its sender has used before in the session.
    ///
    /// The answer can no longer be told apart from that to the earlier request, not even if that
    /// was answered long ago.
    ///
    /// ```mcp,good,2025-06-18
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"ping"}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/list"}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"ping"}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    ///                           ^ was the id of `ping`
    /// ```
    ///
    /// Each party has ids of its own.
    ///
    /// ```mcp,good,2025-06-18
    /// === open
    /// --> {"jsonrpc":"2.0","id":1,"method":"ping"}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"ping"}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open
    /// <-- {"jsonrpc":"2.0","id":1,"method":"ping"}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"ping"}
    ///                           ^ is still open
    /// ```
    RULE = {
        name: "request/id-unique-in-session",
        layer: Session,
        level: Error,
        revisions: RevisionSet::until(Revision::V2025_11_25),
        spec: "basic#requests",
        code: -32600,
        help: "take a new id for every request",
        hidden_by: [rules::inline::UNKNOWN_METHOD],
        once: [PerMessage],
        check: Check::Message(&[On::AnyRequest], check),
    }
}

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    let (Some(id), Some(direction)) = (message.id(), message.direction()) else {
        return;
    };
    // A handshake opens a session with its own ids.
    if message.method() == Some("initialize") {
        return;
    }
    // A stream may deliver a request again.
    let is_event = |http: &Http<'_>| matches!(http.part, Part::Event { .. });
    if message.frame.http.is_some_and(is_event) && session.has_dropped_events() {
        return;
    }
    let mut buffer = Vec::new();
    let used = &session.state.requests.ids[direction as usize];
    if used_id(id, &mut buffer).is_some_and(|id| used.contains(id))
        && session.is_whole(message)
        && !is_sent_again(session.open_request(direction, id))
    {
        findings.at(id, "the id was used before in this session");
    }
}

/// Whether the earlier request was refused by HTTP, and so is sent again.
fn is_sent_again(earlier: Option<&OpenRequest>) -> bool {
    earlier.is_some_and(OpenRequest::was_refused)
}
