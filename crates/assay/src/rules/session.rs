//! Rules of the family `session`: the memory of a session.

use super::rule::{Parties, Rule, rule};
use crate::RevisionSet;

/// All of them, by name.
pub(super) static ALL: &[&Rule] = &[&OPEN_REQUESTS_LIMIT];

rule! {
    /// More requests are open than the limit.
    ///
    /// A party that never answers makes its peer remember every request; beyond the limit the oldest are forgotten and their answers cannot be checked.
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
        revisions: RevisionSet::ALL,
        party: Parties::Both,
        spec: "basic#requests",
        code: 0,
        covers: [],
        help: "answer requests, or raise the limit",
    }
}
