//! `elicitation/schema-consistent`

use super::requests::GROUP;
use crate::rules::prelude::*;
use crate::rules::support::Among;

rule! {
    /// A form contradicts itself.
    ///
    /// It demands a field that it does not have, offers a default that it would refuse, or names
    /// more or fewer choices than there are; nobody can fill it in as it is meant.
    ///
    /// ```mcp,good,2025-06-18
    /// === open client:{"elicitation":{}} server:{"tools":{}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"Which branch?","requestedSchema":{"type":"object","properties":{"branch":{"type":"string"}},"required":["branch"]}}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open client:{"elicitation":{}} server:{"tools":{}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"Which branch?","requestedSchema":{"type":"object","properties":{"branch":{"type":"string"}},"required":["tag"]}}}
    ///                                                                                                                                                                                        ^^^^^ there is no such field
    /// ```
    ///
    /// ```mcp,good,2025-06-18,only
    /// === open client:{"elicitation":{}} server:{"tools":{}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"Which colour?","requestedSchema":{"type":"object","properties":{"color":{"type":"string","enum":["r","g"],"enumNames":["Red","Green"]}}}}}
    /// ```
    /// ```mcp,bad,2025-06-18,only
    /// === open client:{"elicitation":{}} server:{"tools":{}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"Which colour?","requestedSchema":{"type":"object","properties":{"color":{"type":"string","enum":["r","g"],"enumNames":["Red"]}}}}}
    ///                                                                                                                                                                                                      ^^^^^^^ one name for two values
    /// ```
    ///
    /// ```mcp,good,2025-11-25
    /// === open client:{"elicitation":{}} server:{"tools":{}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"How many?","requestedSchema":{"type":"object","properties":{"count":{"type":"integer","minimum":1,"default":1}}}}}
    /// ```
    /// ```mcp,bad,2025-11-25
    /// === open client:{"elicitation":{}} server:{"tools":{}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"How many?","requestedSchema":{"type":"object","properties":{"count":{"type":"integer","minimum":1,"default":0}}}}}
    ///                                                                                                                                                                                            ^ less than the minimum
    /// ```
    ///
    /// ```mcp,good,2026-07-28
    /// === open client:{"elicitation":{}} server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"deploy","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"who":{"method":"elicitation/create","params":{"message":"Which colour?","requestedSchema":{"type":"object","properties":{"color":{"type":"string","enum":["red","green"],"default":"red"}}}}}},"_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open client:{"elicitation":{}} server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"deploy","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"who":{"method":"elicitation/create","params":{"message":"Which colour?","requestedSchema":{"type":"object","properties":{"color":{"type":"string","enum":["red","green"],"default":"blue"}}}}}},"_meta":{…}}}
    ///                                                                                                                                                                                                                                                                          ^^^^^^ not one of the choices
    /// ```
    RULE = {
        name: "elicitation/schema-consistent",
        layer: Session,
        level: Warning,
        revisions: RevisionSet::since(Revision::V2025_06_18),
        party: Server,
        spec: "client/elicitation#requested-schema",
        code: -32602,
        help: "require fields that are there, and give defaults and names that fit",
        check: Check::Group(&GROUP),
    }
}

/// Checks the whole form.
pub(super) fn check_form(schema: Node<'_>, findings: &mut Findings<'_>) {
    let Some(fields) = schema.get("properties") else {
        return;
    };
    let required = schema.get("required").into_iter().flat_map(Node::items);
    let mut keys = Among::new(fields.members().map(|(key, _)| key));
    for name in required.filter(|name| name.kind() == Kind::String) {
        if !keys.has(name) {
            findings.raise(
                &RULE,
                name,
                "a field is required that the form does not have",
            );
        }
    }
}

/// Checks one field of the form.
pub(super) fn check_field(field: Node<'_>, findings: &mut Findings<'_>) {
    if let (Some(values), Some(names)) = (field.get("enum"), field.get("enumNames"))
        && values.items().count() != names.items().count()
    {
        findings.raise(
            &RULE,
            names,
            "`enumNames` and `enum` are not of the same length",
        );
    }
    let Some(default) = field.get("default") else {
        return;
    };
    let found = match default.kind() {
        Kind::String => refused_text(field, default),
        Kind::Number => refused_number(field, default),
        Kind::Array => refused_choice(field, default),
        _ => None,
    };
    if let Some(found) = found {
        findings.raise(&RULE, default, found);
    }
}

fn refused_text(field: Node<'_>, default: Node<'_>) -> Option<&'static str> {
    if !are_offered(field, core::iter::once(default)) {
        return Some("the default is not one of the choices");
    }
    let bound = |name| field.get(name).and_then(Node::as_i64);
    let length = i64::try_from(default.text()?.chars().count()).ok()?;
    if bound("minLength").is_some_and(|least| length < least) {
        return Some("the default is shorter than `minLength`");
    }
    bound("maxLength")
        .is_some_and(|most| length > most)
        .then_some("the default is longer than `maxLength`")
}

fn refused_number(field: Node<'_>, default: Node<'_>) -> Option<&'static str> {
    let bound = |name| {
        let bound = field.get(name).filter(|bound| bound.kind() == Kind::Number);
        bound.map(Node::as_f64)
    };
    let value = default.as_f64();
    let whole = field
        .get("type")
        .is_some_and(|kind| kind.is_text("integer"));
    if whole && !default.is_integer() {
        return Some("the default is not an integer");
    }
    if bound("minimum").is_some_and(|least| value < least) {
        return Some("the default is less than `minimum`");
    }
    bound("maximum")
        .is_some_and(|most| value > most)
        .then_some("the default is greater than `maximum`")
}

fn refused_choice(field: Node<'_>, default: Node<'_>) -> Option<&'static str> {
    let bound = |name| field.get(name).and_then(Node::as_i64);
    let count = i64::try_from(default.items().count()).ok()?;
    let items = field.get("items")?;
    if !are_offered(items, default.items()) {
        return Some("the default has a value that is not one of the choices");
    }
    if bound("minItems").is_some_and(|least| count < least) {
        return Some("the default has fewer values than `minItems`");
    }
    bound("maxItems")
        .is_some_and(|most| count > most)
        .then_some("the default has more values than `maxItems`")
}

/// Whether all values are among the choices, if there are any.
fn are_offered<'a>(choices: Node<'a>, mut values: impl Iterator<Item = Node<'a>>) -> bool {
    if let Some(listed) = choices.get("enum") {
        let mut listed = Among::new(listed.items());
        return values.all(|value| listed.has(value));
    }
    let Some(titled) = choices.get("oneOf").or_else(|| choices.get("anyOf")) else {
        return true;
    };
    let constants = titled.items().filter_map(|choice| choice.get("const"));
    let mut constants = Among::new(constants);
    values.all(|value| constants.has(value))
}
