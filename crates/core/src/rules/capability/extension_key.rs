//! `capability/extension-key`

use crate::rules::prelude::*;

rule! {
    /// An extension is declared under an invalid name.
    ///
    /// Two extensions of the same short name cannot be told apart; a prefix says whose it is.
    ///
    /// ```mcp,good,2026-07-28
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"client","version":"1"},"io.modelcontextprotocol/clientCapabilities":{"extensions":{"com.example/search":{}}}}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"client","version":"1"},"io.modelcontextprotocol/clientCapabilities":{"extensions":{"tasks":{}}}}}}
    ///                                                                                                                                                                                                                                                              ^^^^^^^ no prefix
    /// ```
    /// ```mcp,good,2026-07-28
    /// --> {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}}},"ttlMs":0,"cacheScope":"private","_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// --> {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"extensions":{"com.example-/search":{}}},"ttlMs":0,"cacheScope":"private","_meta":{…}}}
    ///                                                                                                                                ^^^^^^^^^^^^^^^^^^^^^ a label ends with a letter or digit
    /// ```
    RULE = {
        name: "capability/extension-key",
        layer: Session,
        level: Error,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        spec: "basic/versioning#extension-negotiation",
        code: -32602,
        help: "name an extension by a prefix of dotted labels, a slash and a name, such as `com.example/search`",
        check: Check::Group(&super::declared::GROUP),
    }
}

/// Checks the capability `extensions`.
pub(super) fn check_capability(extensions: Node<'_>, findings: &mut Findings<'_>) {
    for (key, _) in extensions.members() {
        if let Some(fault) = key.text().and_then(|name| fault(&name)) {
            findings.raise(&RULE, key, fault);
        }
    }
}

fn fault(name: &str) -> Option<&'static str> {
    let Some((prefix, name)) = name.split_once('/') else {
        return Some("the name of an extension has a prefix and a slash");
    };
    if !prefix.split('.').all(is_label) {
        return Some(
            "a prefix is labels with dots between; a label begins with a letter, ends with a letter or digit and has only those and `-` between",
        );
    }
    (!is_name(name)).then_some(
        "the name after the prefix begins and ends with a letter or digit and has only those, `-`, `_` and `.` between",
    )
}

fn is_label(label: &str) -> bool {
    let bytes = label.as_bytes();
    bytes.first().is_some_and(u8::is_ascii_alphabetic)
        && bytes.last().is_some_and(u8::is_ascii_alphanumeric)
        && bytes
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-')
}

/// Whether a text is a name; the grammar of keys allows an empty one.
fn is_name(name: &str) -> bool {
    let bytes = name.as_bytes();
    bytes.first().is_none_or(u8::is_ascii_alphanumeric)
        && bytes.last().is_none_or(u8::is_ascii_alphanumeric)
        && bytes
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(byte))
}
