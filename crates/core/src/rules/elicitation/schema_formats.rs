//! `elicitation/schema-formats`

use super::requests::GROUP;
use crate::rules::prelude::*;

rule! {
    /// A choice in a form has a `format` besides `email`, `uri`, `date` and `date-time`.
    ///
    /// Clients draw a field by its format and know no others; they refuse the form, or drop the
    /// format.
    ///
    /// ```mcp,good,2025-06-18
    /// === open client:{"elicitation":{}} server:{"tools":{}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"Which branch?","requestedSchema":{"type":"object","properties":{"day":{"type":"string","enum":["2025-06-18"],"format":"date"}}}}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open client:{"elicitation":{}} server:{"tools":{}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"Which branch?","requestedSchema":{"type":"object","properties":{"host":{"type":"string","enum":["::1"],"format":"ipv6"}}}}}
    ///                                                                                                                                                                                                ^^^^^^ not one of the four
    /// ```
    ///
    /// ```mcp,good,2026-07-28
    /// === open client:{"elicitation":{}} server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"deploy","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"who":{"method":"elicitation/create","params":{"message":"Which branch?","requestedSchema":{"type":"object","properties":{"day":{"type":"string","enum":["2026-07-28"],"format":"date"}}}}}},"_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open client:{"elicitation":{}} server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"deploy","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"who":{"method":"elicitation/create","params":{"message":"Which branch?","requestedSchema":{"type":"object","properties":{"host":{"type":"string","oneOf":[{"const":"::1","title":"This computer"}],"format":"ipv6"}}}}}},"_meta":{…}}}
    ///                                                                                                                                                                                                                                                                                                   ^^^^^^ not one of the four
    /// ```
    RULE = {
        name: "elicitation/schema-formats",
        layer: Session,
        level: Error,
        revisions: RevisionSet::since(Revision::V2025_06_18),
        party: Server,
        spec: "client/elicitation#requested-schema",
        code: -32602,
        help: "use `email`, `uri`, `date` or `date-time`, or no format",
        check: Check::Group(&GROUP),
    }
}

/// Checks the format of a choice, which may have further members; the model checks text fields.
pub(super) fn check(field: Node<'_>, findings: &mut Findings<'_>) {
    let is_choice = field.get("enum").is_some() || field.get("oneOf").is_some();
    if let Some(format) = field.get("format").filter(|_| is_choice)
        && !["email", "uri", "date", "date-time"]
            .into_iter()
            .any(|known| format.is_text(known))
    {
        findings.raise(
            &RULE,
            format,
            "a format besides `email`, `uri`, `date` and `date-time`",
        );
    }
}
