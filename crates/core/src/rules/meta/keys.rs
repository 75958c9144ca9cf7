//! One walk over the `_meta` objects of a message, for all rules about their keys.

use super::key::{Key, KeyFault};
use super::trace::{is_baggage, is_traceparent, is_tracestate};
use super::{
    key_name, key_prefix, reserved_prefix, reserved_prefix_2025_06_18, reverse_dns, trace_context,
};
use crate::rules::prelude::*;
use crate::rules::support::each_object;
use crate::syntax::KeyHash;

/// Checks every message.
pub(super) static GROUP: Group = Group {
    keys: &["_meta"],
    on: &[
        On::AnyRequest,
        On::AnyNotification,
        On::AnyResult,
        On::AnyError,
    ],
    check,
};

fn check(message: &Message<'_>, _: &Session, findings: &mut Findings<'_>) {
    let root = message.root();
    if !has_meta(root) {
        return;
    }
    each_object(root, |object| {
        if let Some(meta) = object.get("_meta")
            && meta.kind() == Kind::Object
        {
            for (key, value) in meta.members() {
                check_key(key, value, message, findings);
            }
        }
    });
}

/// Whether a key is `_meta`: only few keys with its hash are.
fn has_meta(root: Node<'_>) -> bool {
    const META: KeyHash = KeyHash::of(b"_meta");
    let bytes = root.bytes();
    let own = root
        .tokens()
        .get(root.index() as usize..root.end() as usize);
    own.unwrap_or_default().iter().any(|token| {
        token.kind == Kind::Key
            && token.key_hash() == META
            && (token.complex || token.is_plain(bytes, "_meta"))
    })
}

fn check_key(key: Node<'_>, value: Node<'_>, message: &Message<'_>, findings: &mut Findings<'_>) {
    // The most common key, which is valid.
    if key.is_text("progressToken") {
        return;
    }
    let Some(name) = key.text() else {
        return;
    };
    match Key::read(&name) {
        Err(KeyFault::Prefix) => findings.raise(
            &key_prefix::RULE,
            key,
            "the prefix of the key is not a series of labels such as `com.example/`",
        ),
        Err(KeyFault::Name) => findings.raise(
            &key_name::RULE,
            key,
            "the name of the key does not begin and end with a letter or digit, with only letters, digits, `-`, `_` and `.` between",
        ),
        Ok(parts) => prefix(key, &parts, message, findings),
    }
    if message.has(Fact::TraceContext) {
        trace(&name, value, findings);
    }
}

fn prefix(key: Node<'_>, parts: &Key<'_>, message: &Message<'_>, findings: &mut Findings<'_>) {
    let defined = parts.is_defined();
    if message.has(Fact::MetaReservedSecond) && parts.is_reserved_by_second() && !defined {
        findings.raise(
            &reserved_prefix::RULE,
            key,
            "the prefix belongs to MCP, which does not define this key",
        );
    } else if message.has(Fact::MetaReservedBeforeLast)
        && parts.is_reserved_by_last_but_one()
        && !defined
    {
        findings.raise(
            &reserved_prefix_2025_06_18::RULE,
            key,
            "the prefix belongs to MCP, which does not define this key",
        );
    } else if parts.is_forward_domain() {
        findings.raise(
            &reverse_dns::RULE,
            key,
            "the prefix is a domain name as it is read, expected it reversed",
        );
    }
}

fn trace(name: &str, value: Node<'_>, findings: &mut Findings<'_>) {
    let fits: fn(&str) -> bool = match name {
        "traceparent" => is_traceparent,
        "tracestate" => is_tracestate,
        "baggage" => is_baggage,
        _ => return,
    };
    if !value.text().is_some_and(|text| fits(&text)) {
        findings.raise(
            &trace_context::RULE,
            value,
            "the value does not follow W3C Trace Context or Baggage",
        );
    }
}
