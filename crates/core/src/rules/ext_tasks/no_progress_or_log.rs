//! `ext-tasks/no-progress-or-log`

use crate::rules::prelude::*;
use crate::session::{Subscription, subscription_id};

rule! {
    /// Progress or a log message is sent for a task on the stream of its subscription.
    ///
    /// The subscription of a task tells its states and nothing else; `statusMessage` says how far
    /// it has come.
    ///
    /// ```mcp,good,2026-07-28
    /// === open client:{"elicitation":{},"extensions":{"io.modelcontextprotocol/tasks":{}}} server:{"tools":{},"prompts":{},"extensions":{"io.modelcontextprotocol/tasks":{}}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"copy","arguments":{"from":"a"},"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"task","taskId":"786512e2-9e0d-44bd-8f29-789f320fe840","status":"working","createdAt":"2026-07-28T10:30:00Z","lastUpdatedAt":"2026-07-28T10:30:00Z","ttlMs":60000,"_meta":{…}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"subscriptions/listen","params":{"notifications":{"taskIds":["786512e2-9e0d-44bd-8f29-789f320fe840"]},"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"taskIds":["786512e2-9e0d-44bd-8f29-789f320fe840"]},"_meta":{"io.modelcontextprotocol/subscriptionId":2}}}
    /// --> {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"copy","arguments":{"from":"a"},"_meta":{…,"progressToken":"p"}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/tasks","params":{"taskId":"786512e2-9e0d-44bd-8f29-789f320fe840","status":"working","createdAt":"2026-07-28T10:30:00Z","lastUpdatedAt":"2026-07-28T10:30:00Z","ttlMs":60000,"_meta":{"io.modelcontextprotocol/subscriptionId":2}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open client:{"elicitation":{},"extensions":{"io.modelcontextprotocol/tasks":{}}} server:{"tools":{},"prompts":{},"extensions":{"io.modelcontextprotocol/tasks":{}}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"copy","arguments":{"from":"a"},"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"task","taskId":"786512e2-9e0d-44bd-8f29-789f320fe840","status":"working","createdAt":"2026-07-28T10:30:00Z","lastUpdatedAt":"2026-07-28T10:30:00Z","ttlMs":60000,"_meta":{…}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"subscriptions/listen","params":{"notifications":{"taskIds":["786512e2-9e0d-44bd-8f29-789f320fe840"]},"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"taskIds":["786512e2-9e0d-44bd-8f29-789f320fe840"]},"_meta":{"io.modelcontextprotocol/subscriptionId":2}}}
    /// --> {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"copy","arguments":{"from":"a"},"_meta":{…,"progressToken":"p"}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p","progress":1,"_meta":{"io.modelcontextprotocol/subscriptionId":2}}}
    ///                               ^^^^^^^^^^^^^^^^^^^^^^^^ not on this subscription
    /// ```
    RULE = {
        name: "ext-tasks/no-progress-or-log",
        layer: Session,
        level: Error,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        party: Server,
        spec: "seps/2663-tasks-extension#task-status-notifications",
        help: "report the progress of a task in the `statusMessage` of `notifications/tasks`",
        check: Check::Message(
            &[On::Call("notifications/progress"), On::Call("notifications/message")],
            check,
        ),
    }
}

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    // Another rule checks log messages on an HTTP stream.
    if message.frame.carrier == Carrier::Http && message.method() == Some("notifications/message") {
        return;
    }
    let subscriptions = &session.state.subscriptions;
    let of_stream = || subscriptions.on_exchange(message.now().exchange?);
    let subscription = match subscription_id(message) {
        Some(id) => subscriptions.named(id, &message.now()),
        None => of_stream(),
    };
    if subscription.is_some_and(Subscription::is_about_tasks) {
        let text = "the subscription of a task has its states only";
        findings.at(message.method_or_root(), text);
    }
}
