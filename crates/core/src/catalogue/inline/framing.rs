//! Rules of the family `framing`: how messages are cut from the stream.

use crate::catalogue::{Rule, rule};
use crate::{Revision, RevisionSet};

/// All of them, by name.
pub(super) static ALL: &[&Rule] = &[
    &FINAL_NEWLINE,
    &NEWLINE_DELIMITED,
    &NO_EMBEDDED_NEWLINE,
    &NO_HEADER_FRAMING,
    &STDIN_MESSAGES_ONLY,
    &STDOUT_MESSAGES_ONLY,
    &UTF8,
];

rule! {
    /// The bytes of the message are not UTF-8.
    ///
    /// The peer cannot decode the text, and most readers drop the line or the whole connection.
    ///
    /// ```mcp,good,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"café"}}
    /// ```
    /// ```mcp,bad,2025-06-18,raw
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"caf\xE9"}}
    ///                                                                        ^^^^ Latin-1, not UTF-8
    /// ```
    UTF8 = {
        name: "framing/utf8",
        layer: Framing,
        level: Error,
        revisions: RevisionSet::since(Revision::V2025_03_26),
        spec: "basic/transports#messages",
        code: -32700,
        help: "encode the message as UTF-8 before it is written",
    }
}

rule! {
    /// Two messages stand on one line.
    ///
    /// A line is one message: a reader takes both for one text, fails to parse it, and loses both.
    ///
    /// ```mcp,good,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"ping"}
    /// --> {"jsonrpc":"2.0","id":2,"method":"ping"}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"ping"}{"jsonrpc":"2.0","id":2,"method":"ping"}
    ///                                             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ a second message on the line
    /// ```
    NEWLINE_DELIMITED = {
        name: "framing/newline-delimited",
        layer: Framing,
        level: Error,
        spec: "basic/transports#stdio",
        code: -32700,
        help: "write a newline after each message, and only there",
    }
}

rule! {
    /// The message is spread over several lines.
    ///
    /// A line is one message: a reader takes each line for a broken one and loses them all. The
    /// usual cause is JSON that is indented for people. A carriage return ends a line, too, for
    /// readers of universal newlines, and they execute an object that stands between two of them;
    /// only the one before the newline is harmless.
    ///
    /// ```mcp,good,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"ping"}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> {
    ///     ^ the message goes on in the next line
    /// -->   "jsonrpc": "2.0",
    /// -->   "id": 1,
    /// -->   "method": "ping"
    /// --> }
    /// ```
    ///
    /// ```mcp,good,2025-06-18,stdio
    /// --> {"jsonrpc":"2.0","id":1,"method":"ping"}
    /// ```
    /// ```mcp,bad,2025-06-18,stdio,raw
    /// --> {"jsonrpc":"2.0",\x0A"id":1,"method":"ping"}
    ///                      ^^^^ a newline within the message
    /// ```
    ///
    /// ```mcp,good,2025-06-18,stdio,raw
    /// --> {"jsonrpc":"2.0","id":1,"method":"ping"}\x0D
    /// ```
    /// ```mcp,bad,2025-06-18,stdio,raw
    /// --> {"jsonrpc":"2.0",\x0D"id":1,"method":"ping"}
    ///                      ^^^^ a carriage return within the message
    /// ```
    NO_EMBEDDED_NEWLINE = {
        name: "framing/no-embedded-newline",
        layer: Framing,
        level: Error,
        spec: "basic/transports#stdio",
        code: -32700,
        help: "write the message on one line, without indentation",
    }
}

rule! {
    /// The last message has no newline at its end.
    ///
    /// A reader that waits for the newline never sees the message, or takes it for one that was cut
    /// off.
    ///
    /// ```mcp,good,2025-06-18
    /// <-- {"jsonrpc":"2.0","id":9,"result":{}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// <-- {"jsonrpc":"2.0","id":9,"result":{}}<EOF>
    ///                                         ^ the stream ends without a newline
    /// ```
    FINAL_NEWLINE = {
        name: "framing/final-newline",
        layer: Framing,
        level: Error,
        spec: "basic/transports#stdio",
        help: "write a newline after the last message, too, and flush before the stream is closed",
    }
}

rule! {
    /// The server writes something to standard output that is no message.
    ///
    /// A banner, a log line or a stray print makes clients drop the connection; it belongs on
    /// standard error.
    ///
    /// ```mcp,good,2025-06-18
    /// <-- {"jsonrpc":"2.0","id":1,"result":{}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// <-- Server listening on stdio...
    ///     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ a line for the log
    /// <-- {"jsonrpc":"2.0","id":1,"result":{}}
    /// ```
    STDOUT_MESSAGES_ONLY = {
        name: "framing/stdout-messages-only",
        layer: Framing,
        level: Error,
        party: Server,
        spec: "basic/transports#stdio",
        help: "write it to standard error",
    }
}

rule! {
    /// The client writes something to the server that is no message.
    ///
    /// The server takes it for a broken message, answers with an error or gives up.
    ///
    /// ```mcp,good,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"ping"}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> hello?
    ///     ^^^^^^ not a message
    /// --> {"jsonrpc":"2.0","id":1,"method":"ping"}
    /// ```
    STDIN_MESSAGES_ONLY = {
        name: "framing/stdin-messages-only",
        layer: Framing,
        level: Error,
        party: Client,
        spec: "basic/transports#stdio",
        code: -32700,
        help: "write nothing but messages to the server",
    }
}

rule! {
    /// The messages are framed by header blocks, as in the Language Server Protocol.
    ///
    /// MCP ends a message with a newline; a reader takes the headers for broken messages.
    ///
    /// ```mcp,good,2025-06-18
    /// <-- {"jsonrpc":"2.0","id":1,"result":{}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// <-- Content-Length: 36
    ///     ^^^^^^^^^^^^^^^^^^ a header, not a message
    /// <-- Content-Type: application/json
    /// <-- {"jsonrpc":"2.0","id":1,"result":{}}Content-Length: 36
    /// <-- Content-Type: application/json
    /// <-- {"jsonrpc":"2.0","id":2,"result":{}}
    /// ```
    NO_HEADER_FRAMING = {
        name: "framing/no-header-framing",
        layer: Framing,
        level: Error,
        spec: "basic/transports#stdio",
        code: -32700,
        help: "write each message on a line of its own, without headers",
    }
}
