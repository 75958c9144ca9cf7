//! `sampling/include-context-deprecated`

use crate::rules::prelude::*;
use crate::session::message::inputs;

rule! {
    /// A value of `includeContext` is deprecated.
    ///
    /// Most clients ignore it: the model does not see what the server counts on.
    ///
    /// ```mcp,good,2025-11-25
    /// === open client:{"sampling":{"context":{}}} server:{"tools":{}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{"maxTokens":5,"messages":[],"includeContext":"none"}}
    /// ```
    /// ```mcp,bad,2025-11-25
    /// === open client:{"sampling":{"context":{}}} server:{"tools":{}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{"maxTokens":5,"messages":[],"includeContext":"thisServer"}}
    ///                                                                                                                      ^^^^^^^^^^^^ deprecated
    /// ```
    ///
    /// ```mcp,good,2026-07-28,without:sampling/deprecated
    /// === open client:{"sampling":{"context":{}}} server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"k":{"method":"sampling/createMessage","params":{"maxTokens":5,"messages":[],"includeContext":"none"}}},"_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28,without:sampling/deprecated
    /// === open client:{"sampling":{"context":{}}} server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"k":{"method":"sampling/createMessage","params":{"maxTokens":5,"messages":[],"includeContext":"allServers"}}},"_meta":{…}}}
    ///                                                                                                                                                                                    ^^^^^^^^^^^^ deprecated
    /// ```
    RULE = {
        name: "sampling/include-context-deprecated",
        layer: Session,
        level: Warning,
        revisions: RevisionSet::since(Revision::V2025_11_25),
        party: Server,
        spec: "client/sampling#context-inclusion",
        help: "leave out `includeContext`, and put what the model needs into the messages",
        once: [PerSession],
        check: Check::Message(
            &[
                On::Call("sampling/createMessage"),
                On::Where(Fact::InputRequests, &On::Result("tools/call")),
                On::Where(Fact::InputRequests, &On::Result("prompts/get")),
                On::Where(Fact::InputRequests, &On::Result("resources/read")),
                On::Where(Fact::InputRequests, &On::Result("tasks/get")),
            ],
            check,
        ),
    }
}

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    // Another rule reports an undeclared capability.
    let declared = session.declared(Party::Client, message);
    if declared.is_some_and(|declared| !declared.has(Capability::SamplingContext)) {
        return;
    }
    if let Some(params) = message.params() {
        check_params(params, findings);
    }
    for input in inputs(message).filter(|input| input.asks("sampling/createMessage")) {
        if let Some(params) = input.params {
            check_params(params, findings);
        }
    }
}

fn check_params(params: Node<'_>, findings: &mut Findings<'_>) {
    if let Some(context) = params.get("includeContext")
        && (context.is_text("thisServer") || context.is_text("allServers"))
    {
        findings.at(context, "this value of `includeContext` is deprecated");
    }
}
