//! `mrtr/state-echoed`

use crate::rules::prelude::*;

rule! {
    /// A repeated request does not return the `requestState` that it was given.
    ///
    /// The server keeps its place in the string. If it comes back changed or not at all, the server
    /// must refuse the request or start over.
    ///
    /// ```mcp,good,2026-07-28
    /// === open client:{"elicitation":{}} server:{"tools":{},"prompts":{},"resources":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"book","arguments":{"day":"mon"},"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"who":{"method":"elicitation/create","params":{"mode":"form","message":"For whom?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}}}},"requestState":"c3RlcCAy","_meta":{…}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"book","arguments":{"day":"mon"},"inputResponses":{"who":{"action":"accept","content":{"name":"Ann"}}},"requestState":"c3RlcCAy","_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open client:{"elicitation":{}} server:{"tools":{},"prompts":{},"resources":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"book","arguments":{"day":"mon"},"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"who":{"method":"elicitation/create","params":{"mode":"form","message":"For whom?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}}}},"requestState":"c3RlcCAy","_meta":{…}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"book","arguments":{"day":"mon"},"inputResponses":{"who":{"action":"accept","content":{"name":"Ann"}}},"requestState":"step 2","_meta":{…}}}
    ///                                                                                                                                                                                          ^^^^^^^^ decoded on the way
    /// ```
    ///
    /// ```mcp,good,2026-07-28
    /// === open client:{"elicitation":{}} server:{"tools":{},"prompts":{},"resources":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"book","arguments":{"day":"mon"},"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"who":{"method":"elicitation/create","params":{"mode":"form","message":"For whom?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}}}},"requestState":"c3RlcCAy","_meta":{…}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"book","arguments":{"day":"mon"},"inputResponses":{"who":{"action":"accept","content":{"name":"Ann"}}},"requestState":"c3RlcCAy","_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open client:{"elicitation":{}} server:{"tools":{},"prompts":{},"resources":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"book","arguments":{"day":"mon"},"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"who":{"method":"elicitation/create","params":{"mode":"form","message":"For whom?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}}}},"requestState":"c3RlcCAy","_meta":{…}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"book","arguments":{"day":"mon"},"inputResponses":{"who":{"action":"accept","content":{"name":"Ann"}}},"_meta":{…}}}
    ///                                                            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ no `requestState`
    /// ```
    RULE = {
        name: "mrtr/state-echoed",
        layer: Session,
        level: Error,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        party: Client,
        spec: "basic/patterns/mrtr#client-requirements-basic-workflow",
        code: -32602,
        help: "return `requestState` byte for byte",
        needs: [InputRounds],
        follows: [rules::mrtr::RETRY_SAME_REQUEST],
        reveals: AnswerToSender,
        check: Check::Group(&super::retries::GROUP),
    }
}
