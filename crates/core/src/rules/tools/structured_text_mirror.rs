//! `tools/structured-text-mirror`

use super::results::{finished, succeeded};
use crate::catalogue::Limits;
use crate::rules::prelude::*;
use crate::session::message::Digester;
use crate::syntax::{Tape, scan};

rule! {
    /// A result has `structuredContent` that no text block repeats.
    ///
    /// Clients that do not know structured results show the content only, and their users see
    /// nothing.
    ///
    /// ```mcp,good,2025-06-18
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"weather"}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{ \"unit\": \"C\", \"degrees\": 22 }"}],"structuredContent":{"degrees":22,"unit":"C"}}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"weather"}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"degrees":22,"unit":"C"}}}
    ///                                                                        ^^^^^^^^^^^^^^^^^^^^^^^^^ not in any text
    /// ```
    ///
    /// ```mcp,good,2026-07-28
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"weather","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[{"type":"text","text":"{ \"unit\": \"C\", \"degrees\": 22 }"}],"structuredContent":{"degrees":22,"unit":"C"},"_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"weather","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[{"type":"text","text":"22 degrees"}],"structuredContent":{"degrees":22,"unit":"C"},"_meta":{…}}}
    ///                                                                                                                                   ^^^^^^^^^^^^^^^^^^^^^^^^^ not in any text
    /// ```
    RULE = {
        name: "tools/structured-text-mirror",
        layer: Session,
        level: Warning,
        revisions: RevisionSet::since(Revision::V2025_06_18),
        party: Server,
        spec: "server/tools#structured-content",
        help: "add a text block with the same value as serialised JSON",
        check: Check::Message(&[On::Result("tools/call")], check),
    }
}

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    if message.mentions("structuredContent") {
        look_at(message, session, findings);
    }
}

#[inline(never)]
fn look_at(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    let Some(structured) = message.in_result("structuredContent") else {
        return;
    };
    let content = succeeded(message).and_then(|result| result.get("content"));
    let Some(content) = content else {
        return;
    };
    let mut texts = content
        .items()
        .filter(|block| block.get("type").is_some_and(|kind| kind.is_text("text")))
        .filter_map(|block| block.get("text"));
    if !texts.any(|text| repeats(text, structured, &message.policy.limits))
        && !is_misfit(message, session)
    {
        findings.at(
            structured,
            "no text block of `content` has this value as serialised JSON",
        );
    }
}

/// Whether the structured result does not fit its schema, which is reported: the text may be the
/// intended one.
fn is_misfit(message: &Message<'_>, session: &Session) -> bool {
    let Some((result, tool)) = finished(message, session) else {
        return false;
    };
    let (Some(schema), Some(structured)) = (&tool.output, result.get("structuredContent")) else {
        return false;
    };
    let mut misfit = false;
    schema.check(structured, |_, _| misfit = true);
    misfit
}

/// Whether a text is a value as JSON, in any notation.
fn repeats(text: Node<'_>, value: Node<'_>, limits: &Limits) -> bool {
    // Most likely the same serialiser wrote both.
    if text.has_text(value.raw()) {
        return true;
    }
    let Some(text) = text.text() else {
        return false;
    };
    if value.kind() == Kind::String {
        return value.text() == Some(text);
    }
    let (bytes, mut tape) = (text.as_bytes(), Tape::new());
    if scan(bytes, &limits.for_scan(), &mut tape).is_err() {
        return false;
    }
    let digester = Digester::default();
    tape.root(bytes)
        .is_some_and(|root| digester.value(root) == digester.value(value))
}
