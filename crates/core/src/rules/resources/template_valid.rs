//! `resources/template-valid`

use crate::rules::prelude::*;
use crate::rules::support::template_fault;

rule! {
    /// A `uriTemplate` is not a URI template.
    ///
    /// Clients cannot fill it in: they refuse it, or make URIs of it that the server does not know.
    ///
    /// ```mcp,good,2025-06-18
    /// === open server:{"resources":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"resources/templates/list"}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resourceTemplates":[{"name":"file","uriTemplate":"file:///{path}"}]}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open server:{"resources":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"resources/templates/list"}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resourceTemplates":[{"name":"file","uriTemplate":"file:///{path"}]}}
    ///                                                                                         ^^^^^^^^^^^^^^^ the brace is not closed
    /// ```
    /// ```mcp,good,2026-07-28
    /// === open server:{"resources":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"resources/templates/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","resourceTemplates":[{"name":"user","uriTemplate":"db://users/{user_id}"}],"ttlMs":0,"cacheScope":"public","_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"resources":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"resources/templates/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","resourceTemplates":[{"name":"user","uriTemplate":"db://users/{user-id}"}],"ttlMs":0,"cacheScope":"public","_meta":{…}}}
    ///                                                                                                                 ^^^^^^^^^^^^^^^^^^^^^^ the name of a variable has no hyphen
    /// ```
    RULE = {
        name: "resources/template-valid",
        layer: Session,
        level: Error,
        party: Server,
        spec: "schema#resourcetemplate",
        help: "write a template as RFC 6570 says: `{name}`, with names of letters, digits, `_` and `.`",
        check: Check::Message(&[On::Result("resources/templates/list")], check),
    }
}

fn check(message: &Message<'_>, _: &Session, findings: &mut Findings<'_>) {
    let templates = message.in_result("resourceTemplates");
    for template in templates.into_iter().flat_map(Node::items) {
        if let Some(text) = template.get("uriTemplate")
            && let Some(fault) = template_fault(text)
        {
            findings.at(text, fault.text());
        }
    }
}
