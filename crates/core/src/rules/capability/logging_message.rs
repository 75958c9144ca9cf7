//! `capability/logging-message`

use crate::rules::prelude::*;
use crate::rules::support::method_needs;

rule! {
    /// A server that has not declared `logging` sends a log message.
    ///
    /// The client may not be ready to take log messages, and it cannot know that it may set their
    /// level.
    ///
    /// ```mcp,good,2025-06-18
    /// === open server:{"logging":{}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"ready"}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open server:{"tools":{}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"ready"}}
    ///                               ^^^^^^^^^^^^^^^^^^^^^^^ the server has not declared `logging`
    /// ```
    /// ```mcp,good,2026-07-28,without:logging/deprecated
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"deploy","arguments":{},"_meta":{…,"io.modelcontextprotocol/logLevel":"info"}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[],"_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28,without:logging/deprecated
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"deploy","arguments":{},"_meta":{…,"io.modelcontextprotocol/logLevel":"info"}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"ready"}}
    ///                               ^^^^^^^^^^^^^^^^^^^^^^^ the server has not declared `logging`
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[],"_meta":{…}}}
    /// ```
    RULE = {
        name: "capability/logging-message",
        layer: Session,
        level: Error,
        party: Server,
        spec: "server/utilities/logging#capabilities",
        help: "declare `logging`, or write to standard error",
        uses: [Sender(Logging)],
        check: Check::Message(&[On::Call("notifications/message")], method_needs),
    }
}
