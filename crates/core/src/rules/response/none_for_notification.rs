//! `response/none-for-notification`

use super::stray::{Stray, stray};
use crate::rules::prelude::*;

rule! {
    /// A notification is answered.
    ///
    /// Its sender does not wait for anything, and may take the answer for that to a request.
    ///
    /// ```mcp,good,2025-11-25,only
    /// === open client:{"roots":{"listChanged":true}}
    /// --> {"jsonrpc":"2.0","method":"notifications/roots/list_changed"}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"roots/list"}
    /// ```
    /// ```mcp,bad,2025-11-25,only
    /// === open client:{"roots":{"listChanged":true}}
    /// --> {"jsonrpc":"2.0","method":"notifications/roots/list_changed"}
    /// <-- {"jsonrpc":"2.0","error":{"code":-32601,"message":"unknown notification"}}
    ///     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ answers a notification
    /// ```
    ///
    /// ```mcp,good,2026-07-28,only
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{…},"name":"add"}}
    /// --> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}
    /// ```
    /// ```mcp,bad,2026-07-28,only
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{…},"name":"add"}}
    /// --> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}
    /// <-- {"jsonrpc":"2.0","error":{"code":-32601,"message":"unknown notification"}}
    ///     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ answers a notification
    /// ```
    ///
    /// An id that was made up for the purpose does not help.
    ///
    /// ```mcp,good,2025-06-18
    /// === open client:{"roots":{"listChanged":true}}
    /// --> {"jsonrpc":"2.0","method":"notifications/roots/list_changed"}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"roots/list"}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open client:{"roots":{"listChanged":true}}
    /// --> {"jsonrpc":"2.0","method":"notifications/roots/list_changed"}
    /// <-- {"jsonrpc":"2.0","id":0,"result":{}}
    ///     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ answers a notification
    /// ```
    RULE = {
        name: "response/none-for-notification",
        layer: Session,
        level: Error,
        spec: "basic#notifications",
        help: "send nothing back for a notification, not even an error",
        follows: [rules::inline::BATCH_NOT_EMPTY],
        once: [PerMessage],
        reveals: AnswerToNotification,
        check: Check::Message(&[On::AnyResult, On::AnyError], check),
    }
}

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    if stray(message, session) == Some(Stray::Notification) {
        findings.at(message.root(), "this answers a notification");
    }
}
