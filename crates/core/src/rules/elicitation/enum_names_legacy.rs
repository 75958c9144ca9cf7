//! `elicitation/enum-names-legacy`

use super::requests::GROUP;
use crate::rules::prelude::*;

rule! {
    /// A form gives choices their titles in the old way, by `enumNames`.
    ///
    /// It is not part of JSON Schema, and new clients need not know it: they show bare values.
    ///
    /// ```mcp,good,2025-11-25
    /// === open client:{"elicitation":{}} server:{"tools":{}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"Which colour?","requestedSchema":{"type":"object","properties":{"color":{"type":"string","oneOf":[{"const":"r","title":"Red"}]}}}}}
    /// ```
    /// ```mcp,bad,2025-11-25
    /// === open client:{"elicitation":{}} server:{"tools":{}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"Which colour?","requestedSchema":{"type":"object","properties":{"color":{"type":"string","enum":["r"],"enumNames":["Red"]}}}}}
    ///                                                                                                                                                                                                  ^^^^^^^ the old way
    /// ```
    ///
    /// ```mcp,good,2026-07-28
    /// === open client:{"elicitation":{}} server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"deploy","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"who":{"method":"elicitation/create","params":{"message":"Which colour?","requestedSchema":{"type":"object","properties":{"color":{"type":"string","oneOf":[{"const":"r","title":"Red"}]}}}}}},"_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open client:{"elicitation":{}} server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"deploy","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"who":{"method":"elicitation/create","params":{"message":"Which colour?","requestedSchema":{"type":"object","properties":{"color":{"type":"string","enum":["r"],"enumNames":["Red"]}}}}}},"_meta":{…}}}
    ///                                                                                                                                                                                                                                                                  ^^^^^^^ the old way
    /// ```
    RULE = {
        name: "elicitation/enum-names-legacy",
        layer: Session,
        level: Warning,
        revisions: RevisionSet::since(Revision::V2025_11_25),
        party: Server,
        spec: "schema#legacytitledenumschema",
        help: "use `oneOf` with `const` and `title` (for several choices `items.anyOf`)",
        check: Check::Group(&GROUP),
    }
}

pub(super) fn check(field: Node<'_>, findings: &mut Findings<'_>) {
    if let Some(names) = field.get("enumNames") {
        findings.raise(
            &RULE,
            names,
            "`enumNames` is the old way to give choices titles; `oneOf` with `const` and `title` replaces it",
        );
    }
}
