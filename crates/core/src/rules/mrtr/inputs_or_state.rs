//! `mrtr/inputs-or-state`

use crate::rules::prelude::*;

rule! {
    /// A result that asks for more input has neither `inputRequests` nor `requestState`.
    ///
    /// The client does not know what to add, so it can only send the same request again, for ever.
    ///
    /// ```mcp,good,2026-07-28
    /// === open client:{"elicitation":{}} server:{"tools":{},"prompts":{},"resources":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"book","arguments":{"day":"mon"},"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","requestState":"c3RlcCAy","_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open client:{"elicitation":{}} server:{"tools":{},"prompts":{},"resources":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"book","arguments":{"day":"mon"},"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","_meta":{…}}}
    ///                                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ asks for nothing
    /// ```
    RULE = {
        name: "mrtr/inputs-or-state",
        layer: Session,
        level: Error,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        party: Server,
        spec: "basic/patterns/mrtr#server-requirements-basic-workflow",
        help: "list the needed input in `inputRequests`, or return a `requestState`",
        check: Check::Group(&super::results::GROUP),
    }
}
