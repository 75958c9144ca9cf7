//! `capability/truthful`

use crate::rules::prelude::*;

rule! {
    /// A server declares a capability, and does not know the method that lists what it offers.
    ///
    /// Clients ask for the list as soon as they see the capability; many give up if it fails.
    ///
    /// Only since 2026-07-28 the specification demands that the list is answered; before that, a
    /// violation is a warning.
    ///
    /// ```mcp,good,2026-07-28
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"private","_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found"}}
    ///                                             ^^^^^^ [error] `tools` is declared
    /// ```
    ///
    /// ```mcp,good,2025-06-18
    /// === open server:{"prompts":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"prompts/list"}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"prompts":[]}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open server:{"prompts":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"prompts/list"}
    /// <-- {"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found"}}
    ///                                             ^^^^^^ [warning] `prompts` is declared
    /// ```
    RULE = {
        name: "capability/truthful",
        layer: Session,
        level: Error,
        party: Server,
        spec: "server/tools#capabilities",
        help: "answer the list, if only with an empty one, or do not declare the capability",
        once: [PerValue],
        check: Check::Message(
            &[
                On::Error("tools/list"),
                On::Error("prompts/list"),
                On::Error("resources/list"),
                On::Where(Fact::Stateless, &On::Error("resources/templates/list")),
            ],
            check,
        ),
    }
}

const METHOD_NOT_FOUND: i64 = -32601;

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    let capability = match message.method() {
        Some("tools/list") => Capability::Tools,
        Some("prompts/list") => Capability::Prompts,
        _ => Capability::Resources,
    };
    let declared = session.declared(Party::Server, message);
    let is_declared = declared.is_some_and(|declared| declared.has(capability));
    if message.error_code() != Some(METHOD_NOT_FOUND) || !is_declared {
        return;
    }
    let code = message.exchange.envelope.error_code();
    let text = "the server declares `{}`, and does not know the method that lists them";
    if !message.has(Fact::Stateless) {
        findings.at_most(Level::Warning);
    }
    findings.named(code.unwrap_or(message.root()), text, capability.name());
}
