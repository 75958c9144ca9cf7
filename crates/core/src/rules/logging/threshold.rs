//! `logging/threshold`

use crate::rules::prelude::*;
use crate::session::{LogLevel, Logging};

rule! {
    /// A log message is below the level that the client has set.
    ///
    /// The client is flooded with what it asked not to see.
    ///
    /// ```mcp,good,2025-06-18
    /// === open server:{"logging":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"error"}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"error","data":"compiling"}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open server:{"logging":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"error"}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"compiling"}}
    ///                                                                         ^^^^^^ the client set `error`
    /// ```
    RULE = {
        name: "logging/threshold",
        layer: Session,
        level: Warning,
        revisions: RevisionSet::until(Revision::V2025_11_25),
        party: Server,
        spec: "server/utilities/logging#setting-log-level",
        help: "send only messages at the level that was set or above",
        needs: [LogLevel],
        check: Check::Message(&[On::Call("notifications/message")], check),
    }
}

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    let Some(level) = message.param("level") else {
        return;
    };
    let (least, sent) = (Logging::threshold(message, session), LogLevel::read(level));
    if let (Some(least), Some(sent)) = (least, sent)
        && sent < least
    {
        findings.at(level, "this level is below the one that the client has set");
    }
}
