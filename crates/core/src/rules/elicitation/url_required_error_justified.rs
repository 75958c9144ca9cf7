//! `elicitation/url-required-error-justified`

use crate::rules::prelude::*;
use crate::session::required;

rule! {
    /// An error demands that the user visit a URL, but names none, or the client cannot do that.
    ///
    /// The client has no way to go on: the same request would be refused again and again.
    ///
    /// ```mcp,good,2025-11-25
    /// === open client:{"elicitation":{"form":{},"url":{}}} server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"mail"}}
    /// <-- {"jsonrpc":"2.0","id":1,"error":{"code":-32042,"message":"Sign in first","data":{"elicitations":[{"mode":"url","message":"Please sign in","elicitationId":"e1","url":"https://example.com/sign-in"}]}}}
    /// ```
    /// ```mcp,bad,2025-11-25
    /// === open client:{"elicitation":{"form":{},"url":{}}} server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"mail"}}
    /// <-- {"jsonrpc":"2.0","id":1,"error":{"code":-32042,"message":"Sign in first","data":{"elicitations":[]}}}
    ///                                                                                                     ^^ nothing to visit
    /// ```
    ///
    /// ```mcp,good,2025-11-25
    /// === open client:{"elicitation":{"form":{},"url":{}}} server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"mail"}}
    /// <-- {"jsonrpc":"2.0","id":1,"error":{"code":-32042,"message":"Sign in first","data":{"elicitations":[{"mode":"url","message":"Please sign in","elicitationId":"e1","url":"https://example.com/sign-in"}]}}}
    /// ```
    /// ```mcp,bad,2025-11-25
    /// === open client:{"elicitation":{}} server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"mail"}}
    /// <-- {"jsonrpc":"2.0","id":1,"error":{"code":-32042,"message":"Sign in first","data":{"elicitations":[{"mode":"url","message":"Please sign in","elicitationId":"e1","url":"https://example.com/sign-in"}]}}}
    ///                                             ^^^^^^ the client knows forms only
    /// ```
    RULE = {
        name: "elicitation/url-required-error-justified",
        layer: Session,
        level: Error,
        revisions: RevisionSet::only(Revision::V2025_11_25),
        party: Server,
        spec: "client/elicitation#url-elicitation-required-error",
        help: "name the URLs to visit, and only to a client that declares `elicitation.url`",
        uses: [Receiver(ElicitationUrl)],
        check: Check::Message(&[On::AnyError], check),
    }
}

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    let Some(required) = required(message) else {
        return;
    };
    if required.items().next().is_none() {
        findings.at(
            required,
            "the error demands a visit to a URL, but lists none",
        );
        return;
    }
    let declared = session.declared(Party::Client, message);
    if declared.is_some_and(|declared| !declared.has(Capability::ElicitationUrl))
        && let Some(code) = message.exchange.envelope.error_code()
    {
        findings.at(code, "the client has not declared `elicitation.url`");
    }
}
