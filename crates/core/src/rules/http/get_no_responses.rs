//! `http/get-no-responses`

use crate::rules::prelude::*;

rule! {
    /// A response comes on the stream of a GET.
    ///
    /// The client waits for it on the answer to its POST, and may drop what it does not expect on
    /// the other stream.
    ///
    /// ```mcp,good,2025-06-18
    /// === open server:{"tools":{}}
    /// --> GET /mcp #1
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    /// <-- 200 #1 stream
    ///     …
    /// --> POST /mcp #2
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- 200 #2
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"result":{"tools":[]}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open server:{"tools":{}}
    /// --> GET /mcp #1
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    /// <-- 200 #1 stream
    ///     …
    /// --> POST /mcp #2
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- event #1 id:a1
    ///     {"jsonrpc":"2.0","id":1,"result":{"tools":[]}}
    ///                           ^ belongs into the answer to the POST
    /// ```
    RULE = {
        name: "http/get-no-responses",
        layer: Http,
        level: Error,
        revisions: RevisionSet::since(Revision::V2025_03_26)
            .intersection(RevisionSet::until(Revision::V2025_11_25)),
        party: Server,
        spec: "basic/transports#listening-for-messages-from-the-server",
        help: "answer a request in the response to its own POST",
        check: Check::Http(&[OnHttp::Event], check),
    }
}

fn check(transfer: &Transfer<'_>, session: &Session, findings: &mut Findings<'_>) {
    let listens = session
        .state
        .http
        .streamable(transfer)
        .is_some_and(|exchange| exchange.listens() && !exchange.resumes);
    // Another rule reports a response that matches no request.
    if listens && let Some(message) = transfer.message.filter(|message| message.request.is_some()) {
        findings.at(
            message.id().unwrap_or(message.root()),
            "a response comes on the stream of a GET that takes up no other stream",
        );
    }
}
