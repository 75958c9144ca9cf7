//! `cancel/server-on-teardown`

use crate::message::Transfer;
use crate::rules::check::{Check, Findings, OnHttp};
use crate::rules::rule::{Parties, rule};
use crate::session::Session;
use crate::violation::Place;
use crate::{Party, Revision, RevisionSet};

rule! {
    /// A server ends a subscription without a word.
    ///
    /// The client cannot tell a subscription that is over from a connection that broke, and does not know whether to ask
    /// anew. `notifications/cancelled` tells it, and so does a response to the request.
    ///
    /// ```mcp,good,2026-07-28
    /// === open server:{"tools":{"listChanged":true}}
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":5,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},"_meta":{…}}}
    /// <-- 200 #1 stream
    ///     …
    /// <-- event #1
    ///     {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/subscriptionId":5}}}
    /// <-- event #1
    ///     {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}
    /// <-- end #1
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"tools":{"listChanged":true}}
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":5,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},"_meta":{…}}}
    /// <-- 200 #1 stream
    ///     …
    /// <-- event #1
    ///     {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/subscriptionId":5}}}
    /// <-- end #1
    ///     ^^^ neither cancelled nor answered
    /// ```
    RULE = {
        name: "cancel/server-on-teardown",
        layer: Session,
        level: Error,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        party: Parties::Only(Party::Server),
        spec: "basic/patterns/cancellation#behavior-requirements",
        code: 0,
        covers: [],
        help: "send `notifications/cancelled` with the id of the request, or answer it, before the stream ends",
        check: Check::Http(&[OnHttp::End], check),
    }
}

fn check(transfer: &Transfer<'_>, session: &Session, findings: &mut Findings<'_>) {
    let http = &session.topics.http;
    let request = http
        .asking(transfer)
        .and_then(|_| http.cut_short(transfer, session))
        .filter(|request| request.method_name() == Some("subscriptions/listen"));
    let is_silent =
        request.is_some_and(|request| !request.asked().is_some_and(|asked| asked.closed));
    if is_silent {
        findings.head(
            Place::StreamEnd,
            "the subscription ends, but it was neither cancelled nor answered",
        );
    }
}
