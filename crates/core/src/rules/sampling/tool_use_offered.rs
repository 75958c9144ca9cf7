//! `sampling/tool-use-offered`

use super::answers::{ON, each_answer};
use crate::rules::prelude::*;
use crate::session::{blocks, is_kind};

rule! {
    /// The model uses a tool that was not offered.
    ///
    /// The server has no such tool and cannot go on.
    ///
    /// ```mcp,good,2025-11-25
    /// === open client:{"sampling":{"tools":{}}} server:{"tools":{}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{"maxTokens":5,"messages":[{"role":"user","content":{"type":"text","text":"x"}}],"tools":[{"name":"get_weather","inputSchema":{"type":"object"}}]}}
    /// --> {"jsonrpc":"2.0","id":1,"result":{"role":"assistant","model":"m","stopReason":"toolUse","content":{"type":"tool_use","id":"a","name":"get_weather","input":{}}}}
    /// ```
    /// ```mcp,bad,2025-11-25
    /// === open client:{"sampling":{"tools":{}}} server:{"tools":{}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{"maxTokens":5,"messages":[{"role":"user","content":{"type":"text","text":"x"}}],"tools":[{"name":"get_weather","inputSchema":{"type":"object"}}]}}
    /// --> {"jsonrpc":"2.0","id":1,"result":{"role":"assistant","model":"m","stopReason":"toolUse","content":{"type":"tool_use","id":"a","name":"rm","input":{}}}}
    ///                                                                                                                                          ^^^^ only `get_weather` was offered
    /// ```
    ///
    /// ```mcp,good,2026-07-28,without:sampling/deprecated
    /// === open client:{"sampling":{"tools":{}}} server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"k":{"method":"sampling/createMessage","params":{"maxTokens":5,"messages":[{"role":"user","content":{"type":"text","text":"x"}}],"tools":[{"name":"get_weather","inputSchema":{"type":"object"}}]}}},"_meta":{…}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"ask","inputResponses":{"k":{"role":"assistant","model":"m","stopReason":"toolUse","content":{"type":"tool_use","id":"a","name":"get_weather","input":{}}}},"_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28,without:sampling/deprecated
    /// === open client:{"sampling":{"tools":{}}} server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"k":{"method":"sampling/createMessage","params":{"maxTokens":5,"messages":[{"role":"user","content":{"type":"text","text":"x"}}],"tools":[{"name":"get_weather","inputSchema":{"type":"object"}}]}}},"_meta":{…}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"ask","inputResponses":{"k":{"role":"assistant","model":"m","stopReason":"toolUse","content":{"type":"tool_use","id":"a","name":"rm","input":{}}}},"_meta":{…}}}
    ///                                                                                                                                                                                                    ^^^^ only `get_weather` was offered
    /// ```
    RULE = {
        name: "sampling/tool-use-offered",
        layer: Session,
        level: Error,
        revisions: RevisionSet::since(Revision::V2025_11_25),
        party: Client,
        spec: "schema#toolusecontent",
        help: "let the model use only the tools of the request",
        needs: [SamplingRequests],
        check: Check::Message(ON, check),
    }
}

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    each_answer(message, session, |answer, offer| {
        // Another rule reports the use of a tool where none may be used.
        if offer.choice == crate::session::Choice::Forbidden {
            return;
        }
        for used in blocks(answer).filter(|block| is_kind(*block, "tool_use")) {
            if let Some(name) = used.get("name")
                && !offer.has(name)
            {
                findings.at(name, "no tool of this name was offered");
            }
        }
    });
}
