//! `lifecycle/initialize-not-batched`

use crate::rules::prelude::*;

rule! {
    /// The client sends `initialize` as part of a batch.
    ///
    /// The other messages of the batch would be handled before the session is open, and older
    /// servers do not know batches at all.
    ///
    /// ```mcp,good,2025-03-26
    /// --> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"clientInfo":{"name":"client","version":"1"}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"YYYY-MM-DD","capabilities":{"tools":{}},"serverInfo":{"name":"server","version":"1"}}}
    /// --> {"jsonrpc":"2.0","method":"notifications/initialized"}
    /// --> [{"jsonrpc":"2.0","id":2,"method":"tools/list"},{"jsonrpc":"2.0","id":3,"method":"ping"}]
    /// ```
    /// ```mcp,bad,2025-03-26
    /// --> [{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"clientInfo":{"name":"client","version":"1"}}},{"jsonrpc":"2.0","method":"notifications/initialized"},{"jsonrpc":"2.0","id":2,"method":"tools/list"}]
    ///                                       ^^^^^^^^^^^^ may not be an item of a batch
    /// ```
    RULE = {
        name: "lifecycle/initialize-not-batched",
        layer: Session,
        level: Error,
        revisions: RevisionSet::only(Revision::V2025_03_26),
        party: Client,
        spec: "basic/lifecycle#initialization",
        code: -32600,
        help: "send `initialize` as a message of its own",
        check: Check::Message(&[On::Call("initialize")], check),
    }
}

fn check(message: &Message<'_>, _: &Session, findings: &mut Findings<'_>) {
    if message.batched {
        findings.at(
            message.method_or_root(),
            "`initialize` is an item of a batch",
        );
    }
}
