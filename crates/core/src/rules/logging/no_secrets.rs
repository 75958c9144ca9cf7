//! `logging/no-secrets`

use super::secrets;
use crate::rules::prelude::*;

rule! {
    /// A log message contains a credential.
    ///
    /// Logs are kept, copied and shown to people: whoever reads them can use the credential.
    ///
    /// ```mcp,good,2025-06-18
    /// <-- {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"debug","data":"Authorization: Bearer [redacted]"}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// <-- {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"debug","data":"Authorization: Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI3In0.c2lnbmF0dXJl"}}
    ///                                                                                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ a bearer token
    /// ```
    /// ```mcp,good,2025-06-18
    /// <-- {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"debug","data":{"event":"login","password":"********"}}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// <-- {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"debug","data":{"event":"login","password":"hunter2-9f"}}}
    ///                                                                                                                    ^^^^^^^^^^^^ a password
    /// ```
    /// ```mcp,good,2026-07-28
    /// <-- {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"debug","data":"the password was refused"}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// <-- {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"debug","data":"connecting to postgres://app:s3cr3t@db/main"}}
    ///                                                                                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ a password within a URL
    /// ```
    RULE = {
        name: "logging/no-secrets",
        layer: Session,
        level: Error,
        party: Server,
        spec: "server/utilities/logging#security",
        help: "leave credentials out of log messages, or mask them",
        check: Check::Message(&[On::Call("notifications/message")], check),
    }
}

fn check(message: &Message<'_>, _: &Session, findings: &mut Findings<'_>) {
    let Some(data) = message.param("data") else {
        return;
    };
    let mut key: Option<Node<'_>> = None;
    for index in data.index()..data.end() {
        let node = data.at(index);
        if node.kind() == Kind::String {
            let Some(text) = node.text() else {
                continue;
            };
            let under = key.and_then(Node::text);
            let named = under.is_some_and(|name| secrets::is_value_of(&name, &text));
            if named || secrets::has_secret(&text) {
                findings.at(node, "this looks like a credential");
                return;
            }
        }
        key = (node.kind() == Kind::Key).then_some(node);
    }
}
