//! `prompts/embedded-resource-mime-type`

use crate::rules::prelude::*;

rule! {
    /// A resource embedded in a prompt has no MIME type.
    ///
    /// The client cannot tell how to show it to the model.
    ///
    /// ```mcp,good,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"review"}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"messages":[{"role":"user","content":{"type":"resource","resource":{"uri":"file:///a.rs","mimeType":"text/x-rust","text":"fn main() {}"}}}]}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"review"}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"messages":[{"role":"user","content":{"type":"resource","resource":{"uri":"file:///a.rs","text":"fn main() {}"}}}]}}
    ///                                                                                                          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ no `mimeType`
    /// ```
    /// ```mcp,good,2026-07-28
    /// --> {"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"review","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","messages":[{"role":"user","content":{"type":"resource","resource":{"uri":"file:///a.rs","mimeType":"text/x-rust","text":"fn main() {}"}}}],"_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// --> {"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"review","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","messages":[{"role":"user","content":{"type":"resource","resource":{"uri":"file:///a.rs","text":"fn main() {}"}}}],"_meta":{…}}}
    ///                                                                                                                                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ no `mimeType`
    /// ```
    RULE = {
        name: "prompts/embedded-resource-mime-type",
        layer: Session,
        level: Error,
        party: Server,
        spec: "server/prompts#embedded-resources",
        help: "add the `mimeType` of the resource",
        check: Check::Message(&[On::Result("prompts/get")], check),
    }
}

fn check(message: &Message<'_>, _: &Session, findings: &mut Findings<'_>) {
    let messages = message.in_result("messages");
    for content in messages
        .into_iter()
        .flat_map(Node::items)
        .filter_map(|message| message.get("content"))
    {
        let is_resource = content
            .get("type")
            .is_some_and(|kind| kind.is_text("resource"));
        let resource = content.get("resource").filter(|_| is_resource);
        if let Some(resource) = resource.filter(|resource| resource.get("mimeType").is_none()) {
            findings.at(resource, "an embedded resource states its `mimeType`");
        }
    }
}
