//! Rules of the family `request`: who may send a method.

use crate::catalogue::{Rule, rule};

/// All of them, by name.
pub(super) static ALL: &[&Rule] = &[&METHOD_DIRECTION, &NOTIFICATION_DIRECTION];

rule! {
    /// The request is for the other party to send.
    ///
    /// The receiver does not implement it and answers with an error.
    ///
    /// ```mcp,good,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// <-- {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    ///                                      ^^^^^^^^^^^^ a server cannot ask for tools
    /// ```
    METHOD_DIRECTION = {
        name: "request/method-direction",
        layer: Schema,
        level: Error,
        spec: "basic/transports#messages",
        code: -32601,
        covers: ["mrtr/no-server-requests"],
        help: "let the other party send it",
    }
}

rule! {
    /// The notification is for the other party to send.
    ///
    /// The receiver ignores it.
    ///
    /// ```mcp,good,2025-06-18
    /// <-- {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}
    ///                               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ a client has no tools
    /// ```
    NOTIFICATION_DIRECTION = {
        name: "request/notification-direction",
        layer: Schema,
        level: Error,
        spec: "basic/transports#messages",
        code: -32601,
        covers: ["progress/server-only"],
        help: "let the other party send it",
    }
}
