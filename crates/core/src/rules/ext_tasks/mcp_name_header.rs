//! `ext-tasks/mcp-name-header`

use crate::rules::prelude::*;
use crate::rules::support::{Slot, Verdict, each_mirror, mirrored_task, posted_request};

rule! {
    /// A request about a task does not have the id of the task in its Mcp-Name header.
    ///
    /// Only one of several servers behind a gateway knows the task, and the header is what the
    /// gateway goes by.
    ///
    /// ```mcp,good,2026-07-28
    /// === open client:{"extensions":{"io.modelcontextprotocol/tasks":{}}} server:{"tools":{},"extensions":{"io.modelcontextprotocol/tasks":{}}}
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"tasks/get","params":{"taskId":"786512e2-9e0d-44bd-8f29-789f320fe840","_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open client:{"extensions":{"io.modelcontextprotocol/tasks":{}}} server:{"tools":{},"extensions":{"io.modelcontextprotocol/tasks":{}}}
    /// --> POST /mcp #1
    ///     ^^^^^^^^^ the id of the task is missing
    ///     host: localhost:3000
    ///     accept: application/json, text/event-stream
    ///     content-type: application/json
    ///     mcp-protocol-version: 2026-07-28
    ///     mcp-method: tasks/get
    ///     {"jsonrpc":"2.0","id":1,"method":"tasks/get","params":{"taskId":"786512e2-9e0d-44bd-8f29-789f320fe840","_meta":{…}}}
    /// ```
    /// ```mcp,good,2026-07-28
    /// === open client:{"extensions":{"io.modelcontextprotocol/tasks":{}}} server:{"tools":{},"extensions":{"io.modelcontextprotocol/tasks":{}}}
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"tasks/get","params":{"taskId":"786512e2-9e0d-44bd-8f29-789f320fe840","_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open client:{"extensions":{"io.modelcontextprotocol/tasks":{}}} server:{"tools":{},"extensions":{"io.modelcontextprotocol/tasks":{}}}
    /// --> POST /mcp #1
    ///     …
    ///     mcp-name: tasks
    ///     ^^^^^^^^^^^^^^^ not the id of the task
    ///     {"jsonrpc":"2.0","id":1,"method":"tasks/get","params":{"taskId":"786512e2-9e0d-44bd-8f29-789f320fe840","_meta":{…}}}
    /// ```
    RULE = {
        name: "ext-tasks/mcp-name-header",
        layer: Http,
        level: Error,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        party: Client,
        spec: "2663-tasks-extension#streamable-http-routing-headers",
        code: -32020,
        help: "repeat `params.taskId` in `Mcp-Name`",
        check: Check::Http(&[OnHttp::Request], check),
    }
}

fn check(transfer: &Transfer<'_>, session: &Session, findings: &mut Findings<'_>) {
    let Some((headers, message)) = posted_request(transfer) else {
        return;
    };
    if mirrored_task(message).is_none() {
        return;
    }
    if headers.get("mcp-name").is_none() {
        findings.head(Place::Head, "there is no `Mcp-Name`");
        return;
    }
    each_mirror(transfer, session, |slot, position, verdict| {
        if slot == Slot::Task && verdict == Verdict::Differs {
            findings.head(
                Place::Header(position),
                "`Mcp-Name` is not the id of the task in the body",
            );
        }
    });
}
