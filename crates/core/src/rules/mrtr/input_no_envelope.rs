//! `mrtr/input-no-envelope`

use crate::rules::prelude::*;

rule! {
    /// An entry of `inputRequests` has the members of a JSON-RPC message.
    ///
    /// Input requests are answered by their keys. An id has no meaning there, and who waits for an
    /// answer to it waits in vain.
    ///
    /// ```mcp,good,2026-07-28
    /// === open client:{"elicitation":{}} server:{"tools":{},"prompts":{},"resources":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"book","arguments":{"day":"mon"},"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"who":{"method":"elicitation/create","params":{"mode":"form","message":"For whom?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}}}},"_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open client:{"elicitation":{}} server:{"tools":{},"prompts":{},"resources":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"book","arguments":{"day":"mon"},"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"who":{"jsonrpc":"2.0","id":7,"method":"elicitation/create","params":{"mode":"form","message":"For whom?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}}}},"_meta":{…}}}
    ///                                                                                             ^^^^^^^^^ no message of its own
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
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"who":{"id":7,"method":"elicitation/create","params":{"mode":"form","message":"For whom?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}}}},"_meta":{…}}}
    ///                                                                                             ^^^^ answered by its key
    /// ```
    RULE = {
        name: "mrtr/input-no-envelope",
        layer: Session,
        level: Note,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        party: Server,
        spec: "basic/patterns/mrtr#inputrequests",
        help: "leave out `jsonrpc` and `id`: the key stands for the request",
        check: Check::Group(&super::results::GROUP),
    }
}
