//! `subscriptions/ack-sent`

use crate::rules::prelude::*;

rule! {
    /// A subscription was served or ended without ever having been acknowledged.
    ///
    /// The client cannot know what the server agreed to, and so not whether silence means that
    /// nothing has changed.
    ///
    /// ```mcp,good,2026-07-28
    /// === open client:{} server:{"tools":{"listChanged":true},"prompts":{"listChanged":true},"resources":{"subscribe":true,"listChanged":true}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}
    /// === end
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open client:{} server:{"tools":{"listChanged":true},"prompts":{"listChanged":true},"resources":{"subscribe":true,"listChanged":true}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},"_meta":{…}}}
    ///                                                                                       ^^^^^^^^^^^^^^^^^^^^^^^^^ never acknowledged
    /// <-- {"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}
    /// === end
    /// ```
    ///
    /// ```mcp,good,2026-07-28
    /// === open client:{} server:{"tools":{"listChanged":true},"prompts":{"listChanged":true},"resources":{"subscribe":true,"listChanged":true}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","_meta":{…,"io.modelcontextprotocol/subscriptionId":1}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open client:{} server:{"tools":{"listChanged":true},"prompts":{"listChanged":true},"resources":{"subscribe":true,"listChanged":true}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","_meta":{…,"io.modelcontextprotocol/subscriptionId":1}}}
    ///                                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ nothing came before it
    /// ```
    RULE = {
        name: "subscriptions/ack-sent",
        layer: Session,
        level: Error,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        party: Server,
        spec: "basic/patterns/subscriptions#acknowledgment",
        help: "send `notifications/subscriptions/acknowledged` as soon as a subscription is accepted",
        needs: [Subscriptions],
        check: Check::MessageAndEnd(&[On::Result("subscriptions/listen")], check, end),
    }
}

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    let (Some(id), Some(result)) = (message.id(), message.result()) else {
        return;
    };
    let subscription = session.state.subscriptions.named(id, &message.now());
    let is_ended =
        subscription.is_some_and(|known| known.agreed.is_none() && known.ended.is_none());
    if is_ended && session.losses.answers[Direction::ServerToClient as usize] == 0 {
        findings.at(result, "the subscription ends and was never acknowledged");
    }
}

fn end(session: &Session, endings: &mut Endings<'_>) {
    if !session.was_whole() || session.losses.answers[Direction::ServerToClient as usize] > 0 {
        return;
    }
    for subscription in session.state.subscriptions.all() {
        if subscription.hurried && subscription.agreed.is_none() && !subscription.reported {
            let direction = Direction::ClientToServer;
            let cause = Cause::at(subscription.sent.at, direction, Some(subscription.revision))
                .kind(MessageKind::Request, "subscriptions/listen");
            endings.missing(
                Party::Server,
                cause,
                "this subscription was never acknowledged",
            );
        }
    }
}
