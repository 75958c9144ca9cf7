//! `sampling/tool-result-known`

use super::conversation::GROUP;
use crate::rules::prelude::*;

rule! {
    /// The result of a tool belongs to no use of it.
    ///
    /// The model cannot tell which of its calls was answered.
    ///
    /// ```mcp,good,2025-11-25
    /// === open client:{"sampling":{"tools":{}}} server:{"tools":{}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{"maxTokens":5,"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"get_weather","input":{}}]},{"role":"user","content":[{"type":"tool_result","toolUseId":"a","content":[]}]}],"tools":[{"name":"get_weather","inputSchema":{"type":"object"}}]}}
    /// ```
    /// ```mcp,bad,2025-11-25
    /// === open client:{"sampling":{"tools":{}}} server:{"tools":{}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{"maxTokens":5,"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"get_weather","input":{}}]},{"role":"user","content":[{"type":"tool_result","toolUseId":"a","content":[]},{"type":"tool_result","toolUseId":"zzz","content":[]}]}],"tools":[{"name":"get_weather","inputSchema":{"type":"object"}}]}}
    ///                                                                                                                                                                                                                                                                                                                 ^^^^^ never used
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
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"k":{"method":"sampling/createMessage","params":{"maxTokens":5,"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"get_weather","input":{}}]},{"role":"user","content":[{"type":"tool_result","toolUseId":"a","content":[]},{"type":"tool_result","toolUseId":"zzz","content":[]}]}],"tools":[{"name":"get_weather","inputSchema":{"type":"object"}}]}}},"_meta":{…}}}
    ///                                                                                                                                                                                                                                                                                                                                                                               ^^^^^ never used
    /// ```
    RULE = {
        name: "sampling/tool-result-known",
        layer: Session,
        level: Error,
        revisions: RevisionSet::since(Revision::V2025_11_25),
        party: Server,
        spec: "schema#toolresultcontent",
        code: -32602,
        help: "refer to the id of a use of a tool earlier in the conversation",
        check: Check::Group(&GROUP),
    }
}
