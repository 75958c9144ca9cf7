//! `tools/schema-bounded`

use super::patterns::{is_catastrophic, patterns};
use crate::compiled_schema::Trouble;
use crate::rules::prelude::*;
use crate::rules::support::faults;
use crate::session::message::published;

rule! {
    /// A tool's schema costs more to check than anybody should spend.
    ///
    /// A schema comes from a stranger. One that multiplies by composition, or a pattern that
    /// backtracks without end, stops whoever checks a call against it; so it is not enforced here.
    ///
    /// ```mcp,good,2024-11-05
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"find","inputSchema":{"type":"object","properties":{"a":{"type":"string","pattern":"^[a-z]+(-[a-z]+)*$"}}}}]}}
    /// ```
    /// ```mcp,bad,2024-11-05
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"find","inputSchema":{"type":"object","properties":{"a":{"type":"string","pattern":"^([a-z]+)*$"}}}}]}}
    ///                                                                                                                                           ^^^^^^^^^^^^^ repeats a repetition
    /// ```
    ///
    /// ```mcp,good,2026-07-28
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[{"name":"find","inputSchema":{"type":"object","properties":{"a":{"type":"string","pattern":"^[a-z]+(-[a-z]+)*$"}}}}],"ttlMs":0,"cacheScope":"public","_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[{"name":"find","inputSchema":{"type":"object","properties":{"a":{"type":"string","pattern":"^(\\d+,?)+$"}}}}],"ttlMs":0,"cacheScope":"public","_meta":{…}}}
    ///                                                                                                                                                                   ^^^^^^^^^^^^^ the comma may be missing
    /// ```
    ///
    /// ```mcp,good,2025-11-25
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"find","inputSchema":{"type":"object","properties":{"text":{"$ref":"#/$defs/a"}},"$defs":{"a":{"type":"string"}}}}]}}
    /// ```
    /// ```mcp,bad,2025-11-25
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"find","inputSchema":{"type":"object","properties":{"text":{"$ref":"#/$defs/a"}},"$defs":{"a":{"allOf":[{"$ref":"#/$defs/b"},{"$ref":"#/$defs/b"},{"$ref":"#/$defs/b"}]},"b":{"allOf":[{"$ref":"#/$defs/c"},{"$ref":"#/$defs/c"},{"$ref":"#/$defs/c"}]},"c":{"allOf":[{"$ref":"#/$defs/d"},{"$ref":"#/$defs/d"},{"$ref":"#/$defs/d"}]},"d":{"allOf":[{"$ref":"#/$defs/e"},{"$ref":"#/$defs/e"},{"$ref":"#/$defs/e"}]},"e":{"allOf":[{"$ref":"#/$defs/f"},{"$ref":"#/$defs/f"},{"$ref":"#/$defs/f"}]},"f":{"allOf":[{"$ref":"#/$defs/g"},{"$ref":"#/$defs/g"},{"$ref":"#/$defs/g"}]},"g":{"allOf":[{"$ref":"#/$defs/h"},{"$ref":"#/$defs/h"},{"$ref":"#/$defs/h"}]},"h":{"allOf":[{"$ref":"#/$defs/i"},{"$ref":"#/$defs/i"},{"$ref":"#/$defs/i"}]},"i":{"allOf":[{"$ref":"#/$defs/j"},{"$ref":"#/$defs/j"},{"$ref":"#/$defs/j"}]},"j":{"type":"string"}}}}]}}
    ///                                                                                                                                                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ each definition asks for the next one three times
    /// ```
    RULE = {
        name: "tools/schema-bounded",
        layer: Tools,
        level: Warning,
        party: Server,
        spec: "server/tools#security-considerations",
        help: "make the schema smaller and flatter, and its patterns unambiguous",
        check: Check::Message(&[On::Result("tools/list"), On::Call("sampling/createMessage")], check),
    }
}

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    if session.state.tools.is_fine_page(message) {
        return;
    }
    faults(message, session, |fault| {
        if let Trouble::TooMuch(found) = fault.trouble {
            findings.at(fault.at, found);
        }
    });
    for (_, schema) in published(message) {
        for pattern in patterns(schema).filter(|pattern| is_catastrophic(*pattern)) {
            findings.at(
                pattern,
                "the pattern repeats a repetition: many programs take exponential time for it",
            );
        }
    }
}
