//! Rules of the family `json`: whether the text is JSON, and within limits.

use crate::catalogue::{Rule, rule};

/// All of them, by name.
pub(super) static ALL: &[&Rule] = &[
    &DEPTH_LIMIT,
    &FINITE_NUMBERS,
    &INTEGER_PRECISION,
    &NO_BOM,
    &PAIRED_SURROGATES,
    &SIZE_LIMIT,
    &TOKEN_LIMIT,
    &TOP_LEVEL_OBJECT,
    &UNIQUE_KEYS,
    &VIOLATION_LIMIT,
    &WELL_FORMED,
];

rule! {
    /// The text is not JSON.
    ///
    /// Nobody can read it: the receiver answers with a parse error, or not at all.
    ///
    /// ```mcp,good,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"ping"}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"ping",}
    ///                                            ^ JSON has no trailing commas
    /// ```
    WELL_FORMED = {
        name: "json/well-formed",
        layer: Json,
        level: Error,
        spec: "basic#messages",
        code: -32700,
        covers: ["http/sse-event-data"],
        help: "build the message with a JSON library instead of by hand",
    }
}

rule! {
    /// A byte-order mark stands before the text.
    ///
    /// JSON forbids it (RFC 8259, section 8.1); parsers fail at the first byte.
    ///
    /// ```mcp,good,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"ping"}
    /// ```
    /// ```mcp,bad,2025-06-18,raw
    /// --> \xEF\xBB\xBF{"jsonrpc":"2.0","id":1,"method":"ping"}
    ///     ^^^^^^^^^^^^ a byte-order mark
    /// ```
    NO_BOM = {
        name: "json/no-bom",
        layer: Json,
        level: Error,
        spec: "basic/transports#messages",
        code: -32700,
        help: "open the stream as plain UTF-8, not as UTF-8 with signature",
    }
}

rule! {
    /// The message has a number that is not finite.
    ///
    /// NaN and the infinities are not JSON: one of them makes the whole message unreadable.
    ///
    /// ```mcp,good,2025-06-18
    /// <-- {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":0.5}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// <-- {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":NaN}}
    ///                                                                                               ^^^ not JSON
    /// ```
    FINITE_NUMBERS = {
        name: "json/finite-numbers",
        layer: Json,
        level: Error,
        spec: "basic#messages",
        code: -32700,
        help: "send null or leave the member out; JSON has no such number",
    }
}

rule! {
    /// An object repeats a member name.
    ///
    /// Receivers disagree on which of them counts, so two programs read two different messages:
    /// `enforce` refuses it, unless all of them have the same value.
    ///
    /// ```mcp,good,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"ping"}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}
    ///                             ^^^^ `id` again
    /// ```
    UNIQUE_KEYS = {
        name: "json/unique-keys",
        layer: Json,
        level: Warning,
        spec: "basic#messages",
        code: -32600,
        help: "send each member once",
    }
}

rule! {
    /// A string has half of a surrogate pair.
    ///
    /// It is no character: many parsers refuse the message, others replace it without a word.
    ///
    /// ```mcp,good,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"say","arguments":{"text":"\ud83d\ude00"}}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"say","arguments":{"text":"\ud83d"}}}
    ///                                                                                               ^^^^^^ the second half is missing
    /// ```
    PAIRED_SURROGATES = {
        name: "json/paired-surrogates",
        layer: Json,
        level: Warning,
        spec: "basic#messages",
        code: -32700,
        help: "write both halves of the pair, or the character itself in UTF-8",
    }
}

rule! {
    /// The message is not an object.
    ///
    /// A bare string, number or null is JSON but not a message.
    ///
    /// ```mcp,good,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"ping"}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> "ping"
    ///     ^^^^^^ a string, not an object
    /// ```
    TOP_LEVEL_OBJECT = {
        name: "json/top-level-object",
        layer: Json,
        level: Error,
        spec: "basic#messages",
        code: -32600,
        help: "send a JSON-RPC object",
    }
}

rule! {
    /// An id or token is beyond 2^53 - 1.
    ///
    /// It is legal, but peers that keep numbers as doubles round it and cannot match the answer to
    /// the request.
    ///
    /// ```mcp,good,2025-06-18
    /// --> {"jsonrpc":"2.0","id":9007199254740991,"method":"ping"}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> {"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}
    ///                           ^^^^^^^^^^^^^^^^ a double reads 9007199254740992
    /// ```
    INTEGER_PRECISION = {
        name: "json/integer-precision",
        layer: Json,
        level: Note,
        spec: "basic#requests",
        help: "stay within 2^53 - 1, or use a string",
    }
}

rule! {
    /// The message is larger than the limit.
    ///
    /// A receiver that reads without a bound can be made to run out of memory.
    ///
    /// ```mcp,good,2025-06-18,bytes:59
    /// --> {"jsonrpc":"2.0","id":1,"method":"ping"}
    /// ```
    /// ```mcp,bad,2025-06-18,bytes:59
    /// --> {"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"trace":"a37f"}}}
    ///                                                                ^^^^^^^^^^^^^^^^^ from here on it is too large
    /// ```
    SIZE_LIMIT = {
        name: "json/size-limit",
        layer: Json,
        level: Error,
        spec: "basic#messages",
        code: -32700,
        help: "send less at once, or raise the limit",
    }
}

rule! {
    /// The message is nested deeper than the limit.
    ///
    /// Deep nesting overflows the stack of recursive parsers.
    ///
    /// ```mcp,good,2025-06-18,depth:4
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"a":[]}}}
    /// ```
    /// ```mcp,bad,2025-06-18,depth:4
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"a":[[]]}}}
    ///                                                                                            ^ the fifth level
    /// ```
    DEPTH_LIMIT = {
        name: "json/depth-limit",
        layer: Json,
        level: Error,
        spec: "basic#messages",
        code: -32700,
        help: "flatten the data, or raise the limit",
    }
}

rule! {
    /// The message has more values than the limit.
    ///
    /// Millions of tiny values cost a receiver many times their bytes.
    ///
    /// ```mcp,good,2025-06-18,tokens:15
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"a":1}}}
    /// ```
    /// ```mcp,bad,2025-06-18,tokens:15
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"a":1,"b":2}}}
    ///                                                                                             ^ the 16th token
    /// ```
    TOKEN_LIMIT = {
        name: "json/token-limit",
        layer: Json,
        level: Error,
        spec: "basic#messages",
        code: -32700,
        help: "send less at once, or raise the limit",
    }
}

rule! {
    /// The message has more faults than are listed.
    ///
    /// A hostile message could have millions of faults, and each takes memory to report.
    /// Errors are listed before warnings and notes, so the verdict is that of the whole message.
    ///
    /// ```mcp,good,2025-06-18,violations:1
    /// --> {"jsonrpc":"2.0","id":1,"method":"ping"}
    /// ```
    /// ```mcp,bad,2025-06-18,violations:1
    /// --> {"jsonrpc":"2.0","id":1,"id":1,"method":"ping","method":"ping"}
    ///                             ^^^^ json/unique-keys
    ///                                                    ^^^^^^^^ not listed, because one fault is
    /// ```
    VIOLATION_LIMIT = {
        name: "json/violation-limit",
        layer: Json,
        level: Note,
        spec: "basic#messages",
        help: "mend the faults that are listed and check again, or raise the limit",
    }
}
