//! `meta/trace-context`

use super::keys::GROUP;
use crate::rules::prelude::*;

rule! {
    /// The context of a trace does not follow W3C Trace Context or Baggage.
    ///
    /// The receiver cannot continue the trace: the request is missing from it.
    ///
    /// ```mcp,good,2026-07-28
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…,"traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…,"traceparent":"abc"}}}
    ///                                                                                      ^^^^^ not a `traceparent`
    /// ```
    RULE = {
        name: "meta/trace-context",
        layer: Session,
        level: Error,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        spec: "basic/index#meta",
        code: -32602,
        help: "let a tracing library write the value",
        check: Check::Group(&GROUP),
    }
}
