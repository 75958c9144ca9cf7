//! `mrtr/state-not-shared`

use crate::rules::prelude::*;

rule! {
    /// Answers or state of one request are sent with another.
    ///
    /// The answer of the user to one question is taken as the answer to a different one.
    ///
    /// ```mcp,good,2026-07-28
    /// === open client:{"elicitation":{}} server:{"tools":{},"prompts":{},"resources":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"book","arguments":{"day":"mon"},"_meta":{…}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"book","arguments":{"day":"tue"},"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"who":{"method":"elicitation/create","params":{"mode":"form","message":"For whom?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}}}},"requestState":"bW9u","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"resultType":"input_required","inputRequests":{"who":{"method":"elicitation/create","params":{"mode":"form","message":"For whom?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}}}},"requestState":"dHVl","_meta":{…}}}
    /// --> {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"book","arguments":{"day":"mon"},"inputResponses":{"who":{"action":"accept","content":{"name":"Ann"}}},"requestState":"bW9u","_meta":{…}}}
    /// --> {"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"book","arguments":{"day":"tue"},"inputResponses":{"who":{"action":"accept","content":{"name":"Ann"}}},"requestState":"dHVl","_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open client:{"elicitation":{}} server:{"tools":{},"prompts":{},"resources":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"book","arguments":{"day":"mon"},"_meta":{…}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"book","arguments":{"day":"tue"},"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"who":{"method":"elicitation/create","params":{"mode":"form","message":"For whom?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}}}},"requestState":"bW9u","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"resultType":"input_required","inputRequests":{"who":{"method":"elicitation/create","params":{"mode":"form","message":"For whom?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}}}},"requestState":"dHVl","_meta":{…}}}
    /// --> {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"book","arguments":{"day":"tue"},"inputResponses":{"who":{"action":"accept","content":{"name":"Ann"}}},"requestState":"bW9u","_meta":{…}}}
    ///                                                                                                                                                                                          ^^^^^^ handed out for the first call
    /// ```
    RULE = {
        name: "mrtr/state-not-shared",
        layer: Session,
        level: Error,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        party: Client,
        spec: "basic/patterns/mrtr#client-requirements-basic-workflow",
        code: -32602,
        help: "send `inputResponses` and `requestState` only with the repetition of their own request",
        needs: [InputRounds],
        follows: [rules::mrtr::RETRY_SAME_REQUEST],
        reveals: AnswerToSender,
        check: Check::Group(&super::retries::GROUP),
    }
}
