//! `elicitation/no-content-unless-form-accept`

use super::answers::{ANSWERS, answers};
use crate::rules::prelude::*;

rule! {
    /// An answer that is no accepted form has `content`.
    ///
    /// Data that the user has not agreed to send is sent all the same, or a visited page is taken
    /// for a form.
    ///
    /// ```mcp,good,2025-06-18
    /// === open client:{"elicitation":{}} server:{"tools":{}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"Which branch?","requestedSchema":{"type":"object","properties":{"branch":{"type":"string"}}}}}
    /// --> {"jsonrpc":"2.0","id":1,"result":{"action":"decline"}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open client:{"elicitation":{}} server:{"tools":{}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"Which branch?","requestedSchema":{"type":"object","properties":{"branch":{"type":"string"}}}}}
    /// --> {"jsonrpc":"2.0","id":1,"result":{"action":"decline","content":{"branch":"main"}}}
    ///                                                                    ^^^^^^^^^^^^^^^^^ declined
    /// ```
    ///
    /// ```mcp,good,2026-07-28
    /// === open client:{"elicitation":{}} server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"deploy","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"who":{"method":"elicitation/create","params":{"message":"Which branch?","requestedSchema":{"type":"object","properties":{"branch":{"type":"string"}}}}}},"_meta":{…}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"deploy","inputResponses":{"who":{"action":"cancel"}},"_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open client:{"elicitation":{}} server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"deploy","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"who":{"method":"elicitation/create","params":{"message":"Which branch?","requestedSchema":{"type":"object","properties":{"branch":{"type":"string"}}}}}},"_meta":{…}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"deploy","inputResponses":{"who":{"action":"cancel","content":{"branch":"main"}}},"_meta":{…}}}
    ///                                                                                                                                  ^^^^^^^^^^^^^^^^^ cancelled
    /// ```
    ///
    /// ```mcp,good,2025-11-25
    /// === open client:{"elicitation":{"form":{},"url":{}}} server:{"tools":{}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"mode":"url","message":"Please sign in","elicitationId":"e1","url":"https://example.com/sign-in"}}
    /// --> {"jsonrpc":"2.0","id":1,"result":{"action":"accept"}}
    /// ```
    /// ```mcp,bad,2025-11-25
    /// === open client:{"elicitation":{"form":{},"url":{}}} server:{"tools":{}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"mode":"url","message":"Please sign in","elicitationId":"e1","url":"https://example.com/sign-in"}}
    /// --> {"jsonrpc":"2.0","id":1,"result":{"action":"accept","content":{"done":true}}}
    ///                                                                   ^^^^^^^^^^^^^ a URL has no form
    /// ```
    ///
    /// ```mcp,good,2026-07-28
    /// === open client:{"elicitation":{"form":{},"url":{}}} server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"deploy","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"who":{"method":"elicitation/create","params":{"mode":"url","message":"Please sign in","url":"https://example.com/sign-in"}}},"_meta":{…}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"deploy","inputResponses":{"who":{"action":"accept"}},"_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open client:{"elicitation":{"form":{},"url":{}}} server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"deploy","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"who":{"method":"elicitation/create","params":{"mode":"url","message":"Please sign in","url":"https://example.com/sign-in"}}},"_meta":{…}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"deploy","inputResponses":{"who":{"action":"accept","content":{"done":true}}},"_meta":{…}}}
    ///                                                                                                                                  ^^^^^^^^^^^^^ a URL has no form
    /// ```
    RULE = {
        name: "elicitation/no-content-unless-form-accept",
        layer: Session,
        level: Error,
        revisions: RevisionSet::since(Revision::V2025_06_18),
        party: Client,
        spec: "schema#elicitresult",
        help: "send `content` with an accepted form only",
        check: Check::Message(ANSWERS, check),
    }
}

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    for answer in answers(message, session) {
        let Some(content) = answer.result.get("content") else {
            continue;
        };
        if answer.is("decline") || answer.is("cancel") {
            findings.at(content, "`content`, though the user has not accepted");
        } else if answer.form.is_some_and(|form| form.url) {
            findings.at(content, "`content`, though the user was sent to a URL");
        }
    }
}
