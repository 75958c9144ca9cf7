//! `subscriptions/close-graceful`

use crate::rules::prelude::*;

rule! {
    /// A server closes the stream of a subscription without having answered it.
    ///
    /// The client cannot tell an intended end from a broken connection and subscribes again at
    /// once.
    ///
    /// Reported only if the recording says that the server closed the stream: a client cancels a
    /// subscription by closing it.
    ///
    /// ```mcp,good,2026-07-28
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":"d","method":"server/discover","params":{"_meta":{…}}}
    /// <-- 200 #1
    ///     …
    ///     {"jsonrpc":"2.0","id":"d","result":{"resultType":"complete","supportedVersions":["YYYY-MM-DD"],"capabilities":{"tools":{"listChanged":true}},"ttlMs":0,"cacheScope":"private","_meta":{…}}}
    /// --> POST /mcp #2
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},"_meta":{…}}}
    /// <-- 200 #2 stream
    ///     …
    /// <-- event #2
    ///     {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}
    /// <-- event #2
    ///     {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","_meta":{…,"io.modelcontextprotocol/subscriptionId":1}}}
    /// <-- end #2
    /// ```
    /// ```mcp,bad,2026-07-28
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":"d","method":"server/discover","params":{"_meta":{…}}}
    /// <-- 200 #1
    ///     …
    ///     {"jsonrpc":"2.0","id":"d","result":{"resultType":"complete","supportedVersions":["YYYY-MM-DD"],"capabilities":{"tools":{"listChanged":true}},"ttlMs":0,"cacheScope":"private","_meta":{…}}}
    /// --> POST /mcp #2
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},"_meta":{…}}}
    /// <-- 200 #2 stream
    ///     …
    /// <-- event #2
    ///     {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}
    /// <-- end #2 by:server
    ///     ^^^ no answer to the `subscriptions/listen` request
    /// ```
    RULE = {
        name: "subscriptions/close-graceful",
        layer: Session,
        level: Warning,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        party: Server,
        spec: "basic/patterns/subscriptions#graceful-closure",
        help: "answer the `subscriptions/listen` request before closing its stream",
        needs: [Subscriptions],
        check: Check::Http(&[OnHttp::End], check),
    }
}

fn check(transfer: &Transfer<'_>, session: &Session, findings: &mut Findings<'_>) {
    let subscription = transfer
        .now
        .exchange
        .and_then(|exchange| session.state.subscriptions.on_exchange(exchange));
    let is_open = subscription.is_some_and(|known| known.agreed.is_some() && known.ended.is_none());
    if is_open && transfer.ended_by(Party::Server) {
        let text = "the stream of a subscription ends and `subscriptions/listen` is not answered";
        findings.head(Place::StreamEnd, text);
    }
}
