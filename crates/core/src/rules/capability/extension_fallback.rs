//! `capability/extension-fallback`

use crate::rules::prelude::*;
use crate::rules::support::needs;

rule! {
    /// A client calls a method of an extension that client and server have not both announced.
    ///
    /// An extension is in force only between parties that both announce it. The other side knows no
    /// such method, or means something else by it.
    ///
    /// ```mcp,good,2026-07-28
    /// === open client:{"extensions":{"io.modelcontextprotocol/tasks":{}}} server:{"extensions":{"io.modelcontextprotocol/tasks":{}}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tasks/get","params":{"taskId":"5f0c9a52-7d1e-4a0b-9f5e-2d7c1f8b3a64","_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open client:{"extensions":{"io.modelcontextprotocol/tasks":{}}} server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tasks/get","params":{"taskId":"5f0c9a52-7d1e-4a0b-9f5e-2d7c1f8b3a64","_meta":{…}}}
    ///                                      ^^^^^^^^^^^ the server has not announced the extension
    /// ```
    /// ```mcp,good,2026-07-28
    /// === open client:{"extensions":{"io.modelcontextprotocol/tasks":{}}} server:{"extensions":{"io.modelcontextprotocol/tasks":{}}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tasks/cancel","params":{"taskId":"5f0c9a52-7d1e-4a0b-9f5e-2d7c1f8b3a64","_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"extensions":{"io.modelcontextprotocol/tasks":{}}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tasks/cancel","params":{"taskId":"5f0c9a52-7d1e-4a0b-9f5e-2d7c1f8b3a64","_meta":{…}}}
    ///                                      ^^^^^^^^^^^^^^ the request does not announce the extension
    /// ```
    RULE = {
        name: "capability/extension-fallback",
        layer: Session,
        level: Error,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        spec: "basic/versioning#extension-negotiation",
        code: -32601,
        help: "call methods of an extension only if both sides have announced it, and do without it otherwise",
        uses: [Receiver(TasksExtension)],
        check: Check::Message(
&[
On::Call("tasks/get"),
On::Call("tasks/update"),
On::Call("tasks/cancel"),
],
check,
),
    }
}

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    for party in [Party::Server, Party::Client] {
        let declared = session.declared(party, message);
        if declared.is_some_and(|declared| !declared.has(Capability::TasksExtension)) {
            needs(
                party,
                Capability::TasksExtension,
                message,
                session,
                findings,
            );
            return;
        }
    }
}
