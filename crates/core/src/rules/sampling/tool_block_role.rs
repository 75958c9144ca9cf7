//! `sampling/tool-block-role`

use super::conversation::GROUP;
use crate::rules::prelude::*;

rule! {
    /// A tool is used by the user, or its result comes from the assistant.
    ///
    /// Model providers refuse such a conversation, or the model takes its own words for facts.
    ///
    /// ```mcp,good,2025-11-25
    /// === open client:{"sampling":{"tools":{}}} server:{"tools":{}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{"maxTokens":5,"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"get_weather","input":{}}]},{"role":"user","content":[{"type":"tool_result","toolUseId":"a","content":[]}]}],"tools":[{"name":"get_weather","inputSchema":{"type":"object"}}]}}
    /// ```
    /// ```mcp,bad,2025-11-25
    /// === open client:{"sampling":{"tools":{}}} server:{"tools":{}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{"maxTokens":5,"messages":[{"role":"user","content":[{"type":"tool_use","id":"a","name":"get_weather","input":{}}]},{"role":"user","content":[{"type":"tool_result","toolUseId":"a","content":[]}]}],"tools":[{"name":"get_weather","inputSchema":{"type":"object"}}]}}
    ///                                                                                                                             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ the assistant uses tools
    /// ```
    ///
    /// ```mcp,good,2026-07-28,without:sampling/deprecated
    /// === open client:{"sampling":{"tools":{}}} server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"k":{"method":"sampling/createMessage","params":{"maxTokens":5,"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"get_weather","input":{}}]},{"role":"user","content":[{"type":"tool_result","toolUseId":"a","content":[]}]}],"tools":[{"name":"get_weather","inputSchema":{"type":"object"}}]}}},"_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28,without:sampling/deprecated
    /// === open client:{"sampling":{"tools":{}}} server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"k":{"method":"sampling/createMessage","params":{"maxTokens":5,"messages":[{"role":"user","content":[{"type":"tool_use","id":"a","name":"get_weather","input":{}}]},{"role":"user","content":[{"type":"tool_result","toolUseId":"a","content":[]}]}],"tools":[{"name":"get_weather","inputSchema":{"type":"object"}}]}}},"_meta":{…}}}
    ///                                                                                                                                                                                           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ the assistant uses tools
    /// ```
    RULE = {
        name: "sampling/tool-block-role",
        layer: Session,
        level: Error,
        revisions: RevisionSet::since(Revision::V2025_11_25),
        spec: "client/sampling#message-roles",
        code: -32602,
        help: "let the assistant use tools, and the user return their results",
        check: Check::Group(&GROUP),
    }
}
