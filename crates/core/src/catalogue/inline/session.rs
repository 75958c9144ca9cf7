//! Rules of the family `session`: the memory of a session.

use crate::catalogue::{Rule, rule};

/// All of them, by name.
pub(super) static ALL: &[&Rule] = &[&MEMORY_LIMIT, &OPEN_REQUESTS_LIMIT];

rule! {
    /// More requests are open than the limit.
    ///
    /// A party that never answers makes its peer track every request. Beyond the limit requests are
    /// dropped, and their answers cannot be checked. A cancelled request is not open. The limit is
    /// reported once for each party.
    ///
    /// ```mcp,good,2025-06-18,open-requests:1
    /// --> {"jsonrpc":"2.0","id":1,"method":"ping"}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"ping"}
    /// ```
    /// ```mcp,bad,2025-06-18,open-requests:1
    /// --> {"jsonrpc":"2.0","id":1,"method":"ping"}
    /// --> {"jsonrpc":"2.0","id":2,"method":"ping"}
    ///     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ the first is still open
    /// ```
    OPEN_REQUESTS_LIMIT = {
        name: "session/open-requests-limit",
        layer: Session,
        level: Warning,
        spec: "basic#requests",
        help: "answer requests, or raise the limit",
    }
}

rule! {
    /// The session needs more memory than the limit.
    ///
    /// State beyond the limit is not tracked, so later messages cannot be checked against it.
    ///
    /// ```mcp,good,2025-06-18,ids:1
    /// --> {"jsonrpc":"2.0","id":"a","method":"ping"}
    /// <-- {"jsonrpc":"2.0","id":"a","result":{}}
    /// ```
    /// ```mcp,bad,2025-06-18,ids:1
    /// --> {"jsonrpc":"2.0","id":"a","method":"ping"}
    /// <-- {"jsonrpc":"2.0","id":"a","result":{}}
    /// --> {"jsonrpc":"2.0","id":"b","method":"ping"}
    ///     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ a second id
    /// ```
    MEMORY_LIMIT = {
        name: "session/memory-limit",
        layer: Session,
        level: Note,
        spec: "basic#messages",
        help: "open a new session from time to time, or raise the limit",
    }
}
