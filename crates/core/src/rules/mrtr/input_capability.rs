//! `mrtr/input-capability`

use crate::rules::prelude::*;

rule! {
    /// A server asks for input of a kind that the request did not declare.
    ///
    /// The client cannot provide it. There is no session: only what this very request declares
    /// counts.
    ///
    /// ```mcp,good,2026-07-28
    /// === open client:{"elicitation":{}} server:{"tools":{},"prompts":{},"resources":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"book","arguments":{"day":"mon"},"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"who":{"method":"elicitation/create","params":{"mode":"form","message":"For whom?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}}}},"_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open client:{} server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"book","arguments":{"day":"mon"},"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"who":{"method":"elicitation/create","params":{"mode":"form","message":"For whom?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}}}},"_meta":{…}}}
    ///                                                                                                      ^^^^^^^^^^^^^^^^^^^^ the client has no `elicitation`
    /// ```
    ///
    /// ```mcp,good,2026-07-28
    /// === open client:{"elicitation":{}} server:{"tools":{},"prompts":{},"resources":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"book","arguments":{"day":"mon"},"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"who":{"method":"elicitation/create","params":{"mode":"form","message":"For whom?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}}}},"_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open client:{"elicitation":{}} server:{"tools":{},"prompts":{},"resources":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"book","arguments":{"day":"mon"},"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"where":{"method":"roots/list"}},"_meta":{…}}}
    ///                                                                                                        ^^^^^^^^^^^^ the client has no `roots`
    /// ```
    RULE = {
        name: "mrtr/input-capability",
        layer: Session,
        level: Error,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        party: Server,
        spec: "basic/patterns/mrtr#server-requirements-basic-workflow",
        help: "ask only for what the request declares in `clientCapabilities`, or refuse it",
        check: Check::Group(&super::results::GROUP),
    }
}
