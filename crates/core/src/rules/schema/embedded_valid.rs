//! `schema/embedded-valid`

use crate::compiled_schema::Trouble;
use crate::rules::prelude::*;
use crate::rules::support::faults;

rule! {
    /// A JSON Schema in a message is not valid in its dialect.
    ///
    /// Nobody can check anything against it; clients drop the tool, or the whole list. The dialect
    /// is 2020-12 unless `$schema` names another.
    ///
    /// ```mcp,good,2025-11-25
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"find","inputSchema":{"type":"object","properties":{"a":{"type":"string"}}}}]}}
    /// ```
    /// ```mcp,bad,2025-11-25
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"find","inputSchema":{"type":"object","properties":{"a":{"type":"text"}}}}]}}
    ///                                                                                                                        ^^^^^^ no such type
    /// ```
    ///
    /// ```mcp,good,2026-07-28,only
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[{"name":"find","inputSchema":{"type":"object","required":["a"]}}],"ttlMs":0,"cacheScope":"public","_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28,only
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[{"name":"find","inputSchema":{"type":"object","required":"a"}}],"ttlMs":0,"cacheScope":"public","_meta":{…}}}
    ///                                                                                                                                 ^^^ a list of names is expected
    /// ```
    ///
    /// ```mcp,good,2025-11-25
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"find","inputSchema":{"type":"object","properties":{"a":{"$ref":"#/$defs/b"}},"$defs":{"b":{"type":"string"}}}}]}}
    /// ```
    /// ```mcp,bad,2025-11-25
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"find","inputSchema":{"type":"object","properties":{"a":{"$ref":"#/$defs/b"}}}}]}}
    ///                                                                                                                        ^^^^^^^^^^^ there are no `$defs`
    /// ```
    RULE = {
        name: "schema/embedded-valid",
        layer: Tools,
        level: Error,
        revisions: RevisionSet::since(Revision::V2025_11_25),
        spec: "basic#schema-validation",
        help: "correct the schema, or name its dialect in `$schema`",
        check: Check::Message(&[On::Result("tools/list"), On::Call("sampling/createMessage")], check),
    }
}

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    faults(message, session, |fault| {
        if let Trouble::Invalid(found) = fault.trouble {
            findings.at(fault.at, found);
        }
    });
}
