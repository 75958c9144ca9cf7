//! `tools/embedded-needs-resources`

use crate::rules::prelude::*;

rule! {
    /// A tool returns an embedded resource, but its server does not declare `resources`.
    ///
    /// Clients that are shown the resource cannot read, list or follow it.
    ///
    /// ```mcp,good,2025-06-18
    /// === open server:{"resources":{},"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"log"}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"resource","resource":{"uri":"file:///log.txt","mimeType":"text/plain","text":"ok"}}]}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"log"}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"resource","resource":{"uri":"file:///log.txt","mimeType":"text/plain","text":"ok"}}]}}
    ///                                                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ `resources` is not declared
    /// ```
    ///
    /// ```mcp,good,2026-07-28
    /// === open server:{"resources":{},"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"log","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[{"type":"resource","resource":{"uri":"file:///log.txt","mimeType":"text/plain","text":"ok"}}],"_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"log","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[{"type":"resource","resource":{"uri":"file:///log.txt","mimeType":"text/plain","text":"ok"}}],"_meta":{…}}}
    ///                                                                          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ `resources` is not declared
    /// ```
    RULE = {
        name: "tools/embedded-needs-resources",
        layer: Session,
        level: Warning,
        revisions: RevisionSet::since(Revision::V2025_06_18),
        party: Server,
        spec: "server/tools#embedded-resources",
        help: "declare `resources`, or return the content as text",
        uses: [Sender(Resources)],
        check: Check::Keyed(&["resource"], &[On::Result("tools/call")], check),
    }
}

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    let Some(content) = message.in_result("content") else {
        return;
    };
    let mut embedded = content.items().filter(|block| {
        block
            .get("type")
            .is_some_and(|kind| kind.is_text("resource"))
    });
    if let Some(first) = embedded.next()
        && let Some(declared) = session.declared(Party::Server, message)
        && !declared.has(Capability::Resources)
    {
        findings.at(
            first,
            "an embedded resource, but the server has not declared `resources`",
        );
    }
}
