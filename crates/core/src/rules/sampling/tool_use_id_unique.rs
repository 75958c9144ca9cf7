//! `sampling/tool-use-id-unique`

use super::conversation::GROUP;
use crate::rules::prelude::*;

rule! {
    /// Two uses of tools have the same id.
    ///
    /// Their results cannot be told apart.
    ///
    /// ```mcp,good,2025-11-25
    /// === open client:{"sampling":{"tools":{}}} server:{"tools":{}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{"maxTokens":5,"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"get_weather","input":{}}]},{"role":"user","content":[{"type":"tool_result","toolUseId":"a","content":[]}]},{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"get_weather","input":{}}]},{"role":"user","content":[{"type":"tool_result","toolUseId":"c","content":[]}]}],"tools":[{"name":"get_weather","inputSchema":{"type":"object"}}]}}
    /// ```
    /// ```mcp,bad,2025-11-25
    /// === open client:{"sampling":{"tools":{}}} server:{"tools":{}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{"maxTokens":5,"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"get_weather","input":{}}]},{"role":"user","content":[{"type":"tool_result","toolUseId":"a","content":[]}]},{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"get_weather","input":{}}]},{"role":"user","content":[{"type":"tool_result","toolUseId":"a","content":[]}]}],"tools":[{"name":"get_weather","inputSchema":{"type":"object"}}]}}
    ///                                                                                                                                                                                                                                                                                                                                        ^^^ used before
    /// ```
    ///
    /// ```mcp,good,2026-07-28,without:sampling/deprecated
    /// === open client:{"sampling":{"tools":{}}} server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"k":{"method":"sampling/createMessage","params":{"maxTokens":5,"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"get_weather","input":{}}]},{"role":"user","content":[{"type":"tool_result","toolUseId":"a","content":[]}]},{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"get_weather","input":{}}]},{"role":"user","content":[{"type":"tool_result","toolUseId":"c","content":[]}]}],"tools":[{"name":"get_weather","inputSchema":{"type":"object"}}]}}},"_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28,without:sampling/deprecated
    /// === open client:{"sampling":{"tools":{}}} server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"k":{"method":"sampling/createMessage","params":{"maxTokens":5,"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"get_weather","input":{}}]},{"role":"user","content":[{"type":"tool_result","toolUseId":"a","content":[]}]},{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"get_weather","input":{}}]},{"role":"user","content":[{"type":"tool_result","toolUseId":"a","content":[]}]}],"tools":[{"name":"get_weather","inputSchema":{"type":"object"}}]}}},"_meta":{…}}}
    ///                                                                                                                                                                                                                                                                                                                                                                                                      ^^^ used before
    /// ```
    RULE = {
        name: "sampling/tool-use-id-unique",
        layer: Session,
        level: Error,
        revisions: RevisionSet::since(Revision::V2025_11_25),
        spec: "schema#toolusecontent",
        code: -32602,
        help: "give every use of a tool an id of its own",
        check: Check::Group(&GROUP),
    }
}
