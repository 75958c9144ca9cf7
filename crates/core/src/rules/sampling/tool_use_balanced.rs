//! `sampling/tool-use-balanced`

use super::conversation::GROUP;
use crate::rules::prelude::*;

rule! {
    /// The use of a tool is not answered in the next message.
    ///
    /// Model providers refuse a conversation in which a use of a tool has no result.
    ///
    /// ```mcp,good,2025-11-25
    /// === open client:{"sampling":{"tools":{}}} server:{"tools":{}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{"maxTokens":5,"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"get_weather","input":{}},{"type":"tool_use","id":"b","name":"get_weather","input":{}}]},{"role":"user","content":[{"type":"tool_result","toolUseId":"a","content":[]},{"type":"tool_result","toolUseId":"b","content":[]}]}],"tools":[{"name":"get_weather","inputSchema":{"type":"object"}}]}}
    /// ```
    /// ```mcp,bad,2025-11-25
    /// === open client:{"sampling":{"tools":{}}} server:{"tools":{}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{"maxTokens":5,"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"get_weather","input":{}},{"type":"tool_use","id":"b","name":"get_weather","input":{}}]},{"role":"user","content":[{"type":"tool_result","toolUseId":"a","content":[]}]}],"tools":[{"name":"get_weather","inputSchema":{"type":"object"}}]}}
    ///                                                                                                                                                                                                                       ^^^ no result follows
    /// ```
    ///
    /// ```mcp,good,2026-07-28,without:sampling/deprecated
    /// === open client:{"sampling":{"tools":{}}} server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"k":{"method":"sampling/createMessage","params":{"maxTokens":5,"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"get_weather","input":{}},{"type":"tool_use","id":"b","name":"get_weather","input":{}}]},{"role":"user","content":[{"type":"tool_result","toolUseId":"a","content":[]},{"type":"tool_result","toolUseId":"b","content":[]}]}],"tools":[{"name":"get_weather","inputSchema":{"type":"object"}}]}}},"_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28,without:sampling/deprecated
    /// === open client:{"sampling":{"tools":{}}} server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"k":{"method":"sampling/createMessage","params":{"maxTokens":5,"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"get_weather","input":{}},{"type":"tool_use","id":"b","name":"get_weather","input":{}}]},{"role":"user","content":[{"type":"tool_result","toolUseId":"a","content":[]}]}],"tools":[{"name":"get_weather","inputSchema":{"type":"object"}}]}}},"_meta":{…}}}
    ///                                                                                                                                                                                                                                                                                     ^^^ no result follows
    /// ```
    RULE = {
        name: "sampling/tool-use-balanced",
        layer: Session,
        level: Error,
        revisions: RevisionSet::since(Revision::V2025_11_25),
        party: Server,
        spec: "client/sampling#tool-use-and-result-balance",
        code: -32602,
        help: "answer every use of a tool in the user message right behind it",
        check: Check::Group(&GROUP),
    }
}
