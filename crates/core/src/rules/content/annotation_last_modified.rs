//! `content/annotation-last-modified`

use super::blocks::GROUP;
use crate::rules::prelude::*;

rule! {
    /// The time of the last change is not an ISO 8601 timestamp.
    ///
    /// Receivers that sort or expire by it fail, or ignore it.
    ///
    /// ```mcp,good,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"draw"}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"x","annotations":{"lastModified":"2025-01-12T15:00:58Z"}}]}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"draw"}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"x","annotations":{"lastModified":"yesterday"}}]}}
    ///                                                                                                          ^^^^^^^^^^^ not a timestamp
    /// ```
    ///
    /// ```mcp,good,2026-07-28
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"draw","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[{"type":"text","text":"x","annotations":{"lastModified":"2025-01-12T15:00:58Z"}}],"_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"draw","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[{"type":"text","text":"x","annotations":{"lastModified":"yesterday"}}],"_meta":{…}}}
    ///                                                                                                                                  ^^^^^^^^^^^ not a timestamp
    /// ```
    RULE = {
        name: "content/annotation-last-modified",
        layer: Session,
        level: Warning,
        revisions: RevisionSet::since(Revision::V2025_06_18),
        party: Server,
        spec: "server/resources#annotations",
        help: "write it as in `2025-01-12T15:00:58Z`",
        check: Check::Group(&GROUP),
    }
}
