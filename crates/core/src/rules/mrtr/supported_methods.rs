//! `mrtr/supported-methods`

use crate::rules::prelude::*;

rule! {
    /// A method that cannot ask for input is answered with `input_required`.
    ///
    /// Only `tools/call`, `prompts/get` and `resources/read` can. Clients repeat only these three
    /// with answers; with such a result of any other method they cannot go on.
    ///
    /// ```mcp,good,2026-07-28
    /// === open client:{"elicitation":{}} server:{"tools":{},"completions":{},"prompts":{},"resources":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"book","arguments":{"day":"mon"},"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"who":{"method":"elicitation/create","params":{"mode":"form","message":"For whom?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}}}},"_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open client:{"elicitation":{}} server:{"tools":{},"completions":{},"prompts":{},"resources":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"trip"},"argument":{"name":"day","value":"m"},"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","requestState":"s","completion":{"values":[]},"_meta":{…}}}
    ///                                                    ^^^^^^^^^^^^^^^^ cannot be repeated with answers
    /// ```
    RULE = {
        name: "mrtr/supported-methods",
        layer: Session,
        level: Error,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        party: Server,
        spec: "basic/patterns/mrtr#supported-requests",
        help: "answer this method completely, or with an error",
        check: Check::Group(&super::results::GROUP),
    }
}
