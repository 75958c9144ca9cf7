//! `progress/increases`

use crate::RevisionSet;
use crate::rules::check::Check;
use crate::rules::rule::{Parties, rule};

rule! {
    /// The progress of a request does not grow.
    ///
    /// A receiver shows bars that jump back, or takes a request that stands still for one that is alive.
    ///
    /// ```mcp,good,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"copy","_meta":{…,"progressToken":1}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":50,"total":100}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":50.5,"total":100}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"copy","_meta":{…,"progressToken":1}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":50,"total":100}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":50,"total":100}}
    ///                                                                                               ^^ no more than before
    /// ```
    RULE = {
        name: "progress/increases",
        layer: Session,
        level: Error,
        revisions: RevisionSet::ALL,
        party: Parties::Both,
        spec: "basic/patterns/progress#progress-flow",
        code: 0,
        covers: [],
        help: "send a progress notification only when there is progress, with a greater value than the last",
        check: Check::Group(&super::report::GROUP),
    }
}
