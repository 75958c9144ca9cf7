//! `elicitation/accept-matches-schema`

use super::answers::{ANSWERS, answers};
use crate::rules::prelude::*;

rule! {
    /// An accepted form is returned with content that the requested schema does not accept.
    ///
    /// The server has asked for certain values and gets others, or none.
    ///
    /// ```mcp,good,2025-06-18
    /// === open client:{"elicitation":{}} server:{"tools":{}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"Which branch?","requestedSchema":{"type":"object","properties":{"branch":{"type":"string"}},"required":["branch"]}}}
    /// --> {"jsonrpc":"2.0","id":1,"result":{"action":"accept","content":{"branch":"main"}}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open client:{"elicitation":{}} server:{"tools":{}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"Which branch?","requestedSchema":{"type":"object","properties":{"branch":{"type":"string"}},"required":["branch"]}}}
    /// --> {"jsonrpc":"2.0","id":1,"result":{"action":"accept","content":{}}}
    ///                                                                   ^^ `branch` is required
    /// ```
    ///
    /// ```mcp,good,2025-06-18
    /// === open client:{"elicitation":{}} server:{"tools":{}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"Which branch?","requestedSchema":{"type":"object","properties":{"branch":{"type":"string"}},"required":["branch"]}}}
    /// --> {"jsonrpc":"2.0","id":1,"result":{"action":"accept","content":{"branch":"main"}}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open client:{"elicitation":{}} server:{"tools":{}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"Which branch?","requestedSchema":{"type":"object","properties":{"branch":{"type":"string"}},"required":["branch"]}}}
    /// --> {"jsonrpc":"2.0","id":1,"result":{"action":"accept"}}
    ///                                      ^^^^^^^^^^^^^^^^^^^ no content at all
    /// ```
    ///
    /// ```mcp,good,2026-07-28
    /// === open client:{"elicitation":{}} server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"deploy","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"who":{"method":"elicitation/create","params":{"message":"Which branch?","requestedSchema":{"type":"object","properties":{"branch":{"type":"string"}},"required":["branch"]}}}},"_meta":{…}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"deploy","inputResponses":{"who":{"action":"accept","content":{"branch":"main"}}},"_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open client:{"elicitation":{}} server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"deploy","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"who":{"method":"elicitation/create","params":{"message":"Which branch?","requestedSchema":{"type":"object","properties":{"branch":{"type":"string"}},"required":["branch"]}}}},"_meta":{…}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"deploy","inputResponses":{"who":{"action":"accept","content":{"branch":7}}},"_meta":{…}}}
    ///                                                                                                                                            ^ a string is asked for
    /// ```
    RULE = {
        name: "elicitation/accept-matches-schema",
        layer: Tools,
        level: Error,
        revisions: RevisionSet::since(Revision::V2025_06_18),
        party: Client,
        spec: "client/elicitation#response-actions",
        help: "return what the form asks for, or `decline`",
        check: Check::Message(ANSWERS, check),
    }
}

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    for answer in answers(message, session) {
        let Some(form) = answer.form.filter(|form| answer.is("accept") && !form.url) else {
            continue;
        };
        match (answer.result.get("content"), &form.schema) {
            (Some(content), Some(schema)) => schema.check(content, |at, keyword, place| {
                let text = "does not fit `{}` of the requested schema";
                findings.by_keyword(at, text, ("requestedSchema", place, keyword));
            }),
            (None, _) if !form.needs_nothing => {
                findings.at(
                    answer.result,
                    "accepted without `content`, though the requested schema asks for some",
                );
            }
            _ => {}
        }
    }
}
