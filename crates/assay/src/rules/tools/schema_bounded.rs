//! `tools/schema-bounded`

use super::patterns::{is_catastrophic, patterns};
use crate::message::Message;
use crate::rules::check::{Check, Findings, On};
use crate::rules::rule::{Parties, rule};
use crate::rules::support::{Trouble, faults, published};
use crate::session::Session;
use crate::{Party, RevisionSet};

rule! {
    /// A tool's schema costs more to check than anybody should spend.
    ///
    /// A schema comes from a stranger. One that multiplies by composition, or a pattern that backtracks without end, stops whoever checks a call against it; so it is not enforced here.
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
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"find","inputSchema":{"type":"object","properties":{"a":{"$ref":"#/$defs/d0"}},"$defs":{"d0":{"type":"string"}}}}]}}
    /// ```
    /// ```mcp,bad,2025-11-25
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"find","inputSchema":{"type":"object","properties":{"a":{"$ref":"#/$defs/d0"}},"$defs":{"d0":{"allOf":[{"$ref":"#/$defs/d1"},{"$ref":"#/$defs/d1"}]},"d1":{"allOf":[{"$ref":"#/$defs/d2"},{"$ref":"#/$defs/d2"}]},"d2":{"allOf":[{"$ref":"#/$defs/d3"},{"$ref":"#/$defs/d3"}]},"d3":{"allOf":[{"$ref":"#/$defs/d4"},{"$ref":"#/$defs/d4"}]},"d4":{"allOf":[{"$ref":"#/$defs/d5"},{"$ref":"#/$defs/d5"}]},"d5":{"allOf":[{"$ref":"#/$defs/d6"},{"$ref":"#/$defs/d6"}]},"d6":{"allOf":[{"$ref":"#/$defs/d7"},{"$ref":"#/$defs/d7"}]},"d7":{"allOf":[{"$ref":"#/$defs/d8"},{"$ref":"#/$defs/d8"}]},"d8":{"allOf":[{"$ref":"#/$defs/d9"},{"$ref":"#/$defs/d9"}]},"d9":{"allOf":[{"$ref":"#/$defs/d10"},{"$ref":"#/$defs/d10"}]},"d10":{"allOf":[{"$ref":"#/$defs/d11"},{"$ref":"#/$defs/d11"}]},"d11":{"allOf":[{"$ref":"#/$defs/d12"},{"$ref":"#/$defs/d12"}]},"d12":{"allOf":[{"$ref":"#/$defs/d13"},{"$ref":"#/$defs/d13"}]},"d13":{"allOf":[{"$ref":"#/$defs/d14"},{"$ref":"#/$defs/d14"}]},"d14":{"allOf":[{"$ref":"#/$defs/d15"},{"$ref":"#/$defs/d15"}]},"d15":{"allOf":[{"$ref":"#/$defs/d16"},{"$ref":"#/$defs/d16"}]},"d16":{"allOf":[{"$ref":"#/$defs/d17"},{"$ref":"#/$defs/d17"}]},"d17":{"allOf":[{"$ref":"#/$defs/d18"},{"$ref":"#/$defs/d18"}]},"d18":{"allOf":[{"$ref":"#/$defs/d19"},{"$ref":"#/$defs/d19"}]},"d19":{"allOf":[{"$ref":"#/$defs/d20"},{"$ref":"#/$defs/d20"}]},"d20":{"allOf":[{"$ref":"#/$defs/d21"},{"$ref":"#/$defs/d21"}]},"d21":{"allOf":[{"$ref":"#/$defs/d22"},{"$ref":"#/$defs/d22"}]},"d22":{"allOf":[{"$ref":"#/$defs/d23"},{"$ref":"#/$defs/d23"}]},"d23":{"allOf":[{"$ref":"#/$defs/d24"},{"$ref":"#/$defs/d24"}]},"d24":{"type":"string"}}}}]}}
    ///                                                                             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ each definition doubles the next one
    /// ```
    RULE = {
        name: "tools/schema-bounded",
        layer: Tools,
        level: Warning,
        revisions: RevisionSet::ALL,
        party: Parties::Only(Party::Server),
        spec: "server/tools#security-considerations",
        code: 0,
        covers: [],
        help: "make the schema smaller and flatter, and its patterns unambiguous",
        check: Check::Message(&[On::Result("tools/list"), On::Call("sampling/createMessage")], check),
    }
}

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
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
