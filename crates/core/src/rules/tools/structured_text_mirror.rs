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
    /// A value that is wrapped in an object with one member may be repeated without the wrapping,
    /// and a list item by item.
    ///
    /// ```mcp,good,2025-06-18
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add"}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"5"}],"structuredContent":{"result":5}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"names"}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"ada"},{"type":"text","text":"bob"}],"structuredContent":{"result":["ada","bob"]}}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add"}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"6"}],"structuredContent":{"result":5}}}
    ///                                                                                                  ^^^^^^^^^^^^ another value
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
        hidden_by: [
            rules::inline::MISSING_MEMBER,
            rules::inline::WRONG_TYPE,
            rules::inline::UNKNOWN_VARIANT,
        ],
        check: Check::Keyed(&["structuredContent"], &[On::Result("tools/call")], check),
    }
}

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    let Some(structured) = message.in_result("structuredContent") else {
        return;
    };
    let content = succeeded(message).and_then(|result| result.get("content"));
    let Some(content) = content else {
        return;
    };
    let limits = &message.policy.limits;
    let any_repeats = |value| texts(content).any(|text| repeats(text, value, limits));
    let is_met = any_repeats(structured)
        || only_member(structured)
            .is_some_and(|value| any_repeats(value) || repeats_in_parts(content, value, limits));
    if !is_met && !is_misfit(message, session) {
        findings.at(
            structured,
            "no text block of `content` has this value as serialised JSON",
        );
    }
}

/// The texts of text blocks.
fn texts(content: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    let is_text = |kind: Node<'_>| kind.is_text("text");
    let blocks = content.items();
    let blocks = blocks.filter(move |block| block.get("type").is_some_and(is_text));
    blocks.filter_map(|block| block.get("text"))
}

/// The value of the only member of an object: frameworks wrap results that are not objects.
fn only_member(structured: Node<'_>) -> Option<Node<'_>> {
    let mut members = structured.members();
    match (members.next(), members.next()) {
        (Some((_, value)), None) => Some(value),
        _ => None,
    }
}

/// Whether a list is repeated by one text for each of its items, and nothing by no text.
fn repeats_in_parts(content: Node<'_>, value: Node<'_>, limits: &Limits) -> bool {
    let texts = texts(content);
    match value.kind() {
        Kind::Null => texts.count() == 0,
        Kind::Array => {
            let mut items = value.items();
            let mut pairs = texts.map(|text| (text, items.next()));
            let all =
                pairs.all(|(text, item)| item.is_some_and(|item| repeats(text, item, limits)));
            all && items.next().is_none()
        }
        _ => false,
    }
}

/// Whether the structured result does not fit its schema, which is reported: the text may be the
/// intended one.
fn is_misfit(message: &Message<'_>, session: &Session) -> bool {
    let Some((result, tool)) = finished(message, session) else {
        return false;
    };
    let structured = result.get("structuredContent");
    let (Some(schema), Some(structured)) = (tool.output(message), structured) else {
        return false;
    };
    let mut misfit = false;
    schema.check(structured, |_, _, _| misfit = true);
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
