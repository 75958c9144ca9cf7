//! `schema/external-ref`

use crate::compiled_schema::Trouble;
use crate::rules::prelude::*;
use crate::rules::support::faults;

rule! {
    /// A published schema refers to another document.
    ///
    /// Peers must not fetch it, so they cannot check arguments against the schema and are likely to
    /// leave the tool out.
    ///
    /// ```mcp,good,2026-07-28
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[{"name":"find","inputSchema":{"type":"object","properties":{"a":{"$ref":"#/$defs/b"}},"$defs":{"b":{"type":"string"}}}}],"ttlMs":0,"cacheScope":"public","_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[{"name":"find","inputSchema":{"type":"object","properties":{"a":{"$ref":"https://example.com/b.json"}}}}],"ttlMs":0,"cacheScope":"public","_meta":{…}}}
    ///                                                                                                                                                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ another document
    /// ```
    RULE = {
        name: "schema/external-ref",
        layer: Tools,
        level: Note,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        party: Server,
        spec: "basic#ref-resolution",
        help: "put the definition into `$defs` of the schema itself",
        check: Check::Message(&[On::Result("tools/list"), On::Call("sampling/createMessage")], check),
    }
}

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    faults(message, session, |fault| {
        if fault.trouble == Trouble::External {
            findings.at(
                fault.at,
                "refers to another document, which peers must not fetch",
            );
        }
    });
}
