//! `logging/deprecated`

use crate::rules::prelude::*;
use crate::session::LEVEL_KEY;

rule! {
    /// A party uses `logging`, which is deprecated.
    ///
    /// A later revision will do without it, and those who count on it will see nothing any more.
    ///
    /// Reported once in a session.
    ///
    /// ```mcp,good,2026-07-28
    /// --> {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"private","_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// --> {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"logging":{}},"ttlMs":0,"cacheScope":"private","_meta":{…}}}
    ///                                                                                                                            ^^ deprecated
    /// ```
    /// ```mcp,good,2026-07-28
    /// --> {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"private","_meta":{…}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"build","arguments":{},"_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// --> {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"private","_meta":{…}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"build","arguments":{},"_meta":{…,"io.modelcontextprotocol/logLevel":"info"}}}
    ///                                                                                                                                         ^^^^^^ asks for what is deprecated
    /// ```
    RULE = {
        name: "logging/deprecated",
        layer: Session,
        level: Warning,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        spec: "deprecated#deprecated",
        help: "write to standard error, or use OpenTelemetry",
        once: [PerSession],
        check: Check::Message(&[On::AnyRequest, On::Result("server/discover")], check),
    }
}

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    if let Some(result) = message.result() {
        let declared = result.get("capabilities");
        if let Some(logging) = declared.and_then(|declared| declared.get("logging")) {
            findings.at(logging, "logging is deprecated");
        }
        return;
    }
    // A client that uses an offered feature is not at fault; the offer of the server must be known.
    let offered = session
        .declared(Party::Server, message)
        .is_none_or(|declared| declared.has(Capability::Logging));
    let level = message.meta().and_then(|meta| meta.get(LEVEL_KEY));
    if let Some(level) = level.filter(|_| !offered) {
        findings.at(
            level,
            "log messages are asked for, and logging is deprecated",
        );
    }
}
