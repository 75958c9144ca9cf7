//! `progress/increases`

use crate::rules::prelude::*;

rule! {
    /// The progress of a request does not grow.
    ///
    /// A receiver shows bars that jump back, or takes a request that stands still for one that is
    /// alive.
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
        spec: "basic/patterns/progress#progress-flow",
        help: "send a progress notification only when there is progress, with a greater value than the last",
        check: Check::Group(&super::report::GROUP),
    }
}
