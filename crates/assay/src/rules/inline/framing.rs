//! Rules of the family `framing`: how messages are cut from the stream.

use crate::rules::rule::{Parties, Rule, rule};
use crate::{Revision, RevisionSet};

/// All of them, by name.
pub(super) static ALL: &[&Rule] = &[&NEWLINE_DELIMITED, &UTF8];

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
        party: Parties::Both,
        spec: "basic/transports#messages",
        code: -32700,
        covers: [],
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
        revisions: RevisionSet::ALL,
        party: Parties::Both,
        spec: "basic/transports#stdio",
        code: -32700,
        covers: [],
        help: "write a newline after each message, and only there",
    }
}
