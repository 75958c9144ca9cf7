//! `sampling/tool-choice-honoured`

use super::answers::{ON, each_answer};
use crate::rules::prelude::*;
use crate::session::{Choice, blocks, is_kind};

rule! {
    /// The answer of the model does not do what `toolChoice` says about tools.
    ///
    /// The server is not prepared for a use of a tool that it forbade, or waits for one that it
    /// demanded.
    ///
    /// ```mcp,good,2025-11-25
    /// === open client:{"sampling":{"tools":{}}} server:{"tools":{}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{"maxTokens":5,"messages":[{"role":"user","content":{"type":"text","text":"x"}}],"tools":[{"name":"get_weather","inputSchema":{"type":"object"}}],"toolChoice":{"mode":"none"}}}
    /// --> {"jsonrpc":"2.0","id":1,"result":{"role":"assistant","model":"m","stopReason":"endTurn","content":{"type":"text","text":"x"}}}
    /// ```
    /// ```mcp,bad,2025-11-25
    /// === open client:{"sampling":{"tools":{}}} server:{"tools":{}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{"maxTokens":5,"messages":[{"role":"user","content":{"type":"text","text":"x"}}],"tools":[{"name":"get_weather","inputSchema":{"type":"object"}}],"toolChoice":{"mode":"none"}}}
    /// --> {"jsonrpc":"2.0","id":1,"result":{"role":"assistant","model":"m","stopReason":"toolUse","content":{"type":"tool_use","id":"a","name":"get_weather","input":{}}}}
    ///                                                                                                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ no tool may be used
    /// ```
    ///
    /// ```mcp,good,2025-11-25
    /// === open client:{"sampling":{"tools":{}}} server:{"tools":{}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{"maxTokens":5,"messages":[{"role":"user","content":{"type":"text","text":"x"}}],"tools":[{"name":"get_weather","inputSchema":{"type":"object"}}],"toolChoice":{"mode":"required"}}}
    /// --> {"jsonrpc":"2.0","id":1,"result":{"role":"assistant","model":"m","stopReason":"toolUse","content":{"type":"tool_use","id":"a","name":"get_weather","input":{}}}}
    /// ```
    /// ```mcp,bad,2025-11-25
    /// === open client:{"sampling":{"tools":{}}} server:{"tools":{}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{"maxTokens":5,"messages":[{"role":"user","content":{"type":"text","text":"x"}}],"tools":[{"name":"get_weather","inputSchema":{"type":"object"}}],"toolChoice":{"mode":"required"}}}
    /// --> {"jsonrpc":"2.0","id":1,"result":{"role":"assistant","model":"m","stopReason":"endTurn","content":{"type":"text","text":"x"}}}
    ///                                                                                                       ^^^^^^^^^^^^^^^^^^^^^^^^^^ a tool must be used
    /// ```
    ///
    /// ```mcp,good,2026-07-28,without:sampling/deprecated
    /// === open client:{"sampling":{"tools":{}}} server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"k":{"method":"sampling/createMessage","params":{"maxTokens":5,"messages":[{"role":"user","content":{"type":"text","text":"x"}}],"tools":[{"name":"get_weather","inputSchema":{"type":"object"}}],"toolChoice":{"mode":"none"}}}},"_meta":{…}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"ask","inputResponses":{"k":{"role":"assistant","model":"m","stopReason":"endTurn","content":{"type":"text","text":"x"}}},"_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28,without:sampling/deprecated
    /// === open client:{"sampling":{"tools":{}}} server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"k":{"method":"sampling/createMessage","params":{"maxTokens":5,"messages":[{"role":"user","content":{"type":"text","text":"x"}}],"tools":[{"name":"get_weather","inputSchema":{"type":"object"}}],"toolChoice":{"mode":"none"}}}},"_meta":{…}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"ask","inputResponses":{"k":{"role":"assistant","model":"m","stopReason":"toolUse","content":{"type":"tool_use","id":"a","name":"get_weather","input":{}}}},"_meta":{…}}}
    ///                                                                                                                                                                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ no tool may be used
    /// ```
    ///
    /// ```mcp,good,2026-07-28,without:sampling/deprecated
    /// === open client:{"sampling":{"tools":{}}} server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"k":{"method":"sampling/createMessage","params":{"maxTokens":5,"messages":[{"role":"user","content":{"type":"text","text":"x"}}],"tools":[{"name":"get_weather","inputSchema":{"type":"object"}}],"toolChoice":{"mode":"required"}}}},"_meta":{…}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"ask","inputResponses":{"k":{"role":"assistant","model":"m","stopReason":"toolUse","content":{"type":"tool_use","id":"a","name":"get_weather","input":{}}}},"_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28,without:sampling/deprecated
    /// === open client:{"sampling":{"tools":{}}} server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"k":{"method":"sampling/createMessage","params":{"maxTokens":5,"messages":[{"role":"user","content":{"type":"text","text":"x"}}],"tools":[{"name":"get_weather","inputSchema":{"type":"object"}}],"toolChoice":{"mode":"required"}}}},"_meta":{…}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"ask","inputResponses":{"k":{"role":"assistant","model":"m","stopReason":"endTurn","content":{"type":"text","text":"x"}}},"_meta":{…}}}
    ///                                                                                                                                                                 ^^^^^^^^^^^^^^^^^^^^^^^^^^ a tool must be used
    /// ```
    RULE = {
        name: "sampling/tool-choice-honoured",
        layer: Session,
        level: Error,
        revisions: RevisionSet::since(Revision::V2025_11_25),
        party: Client,
        spec: "client/sampling#tool-choice-modes",
        help: "forward `toolChoice` to the model, and check its answer",
        check: Check::Message(ON, check),
    }
}

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    each_answer(message, session, |answer, offer| {
        let mut uses = blocks(answer).filter(|block| is_kind(*block, "tool_use"));
        match (offer.choice, uses.next()) {
            (Choice::Forbidden, Some(block)) => {
                findings.at(block, "a tool is used although `toolChoice` forbids it");
            }
            // Once a tool was used, a turn without one may end the conversation.
            (Choice::Required, None) if !offer.used => {
                if let Some(content) = answer.get("content") {
                    findings.at(content, "no tool is used although `toolChoice` demands it");
                }
            }
            _ => {}
        }
    });
}
