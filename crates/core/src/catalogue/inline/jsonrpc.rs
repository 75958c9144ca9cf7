//! Rules of the family `jsonrpc`: whether the message is JSON-RPC 2.0.

use crate::catalogue::{Rule, rule};
use crate::{Revision, RevisionSet};

/// All of them, by name.
pub(super) static ALL: &[&Rule] = &[
    &BATCH_NOT_EMPTY,
    &BATCH_ONE_KIND,
    &BATCH_UNDEFINED,
    &ERROR_CODE_INTEGER,
    &ERROR_ID_NOT_NULL,
    &ERROR_ID_REQUIRED,
    &ERROR_MESSAGE_STRING,
    &ERROR_OBJECT,
    &ID_NOT_FRACTIONAL,
    &ID_TYPE,
    &KNOWN_KIND,
    &METHOD_STRING,
    &NO_BATCH,
    &NOT_TWO_KINDS,
    &NOTIFICATION_NO_ID,
    &PARAMS_OBJECT,
    &REQUEST_HAS_ID,
    &REQUEST_ID_NOT_NULL,
    &RESULT_HAS_ID,
    &RESULT_OBJECT,
    &RESULT_XOR_ERROR,
    &VERSION_MEMBER,
];

rule! {
    /// The member `jsonrpc` is not the string `2.0`.
    ///
    /// Without it the message is not JSON-RPC 2.0, and strict peers refuse it.
    ///
    /// ```mcp,good,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"ping"}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> {"jsonrpc":"1.0","id":1,"method":"ping"}
    ///                ^^^^^ expected `2.0`
    /// ```
    ///
    /// ```mcp,good,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"ping"}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> {"id":1,"method":"ping"}
    ///     ^^^^^^^^^^^^^^^^^^^^^^^^ `jsonrpc` is missing
    /// ```
    VERSION_MEMBER = {
        name: "jsonrpc/version-member",
        layer: Jsonrpc,
        level: Error,
        spec: "basic#messages",
        code: -32600,
        help: "add `\"jsonrpc\":\"2.0\"`",
    }
}

rule! {
    /// The message is neither request, notification nor response.
    ///
    /// Nobody can tell what to do with it.
    ///
    /// ```mcp,good,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"ping"}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1}
    ///     ^^^^^^^^^^^^^^^^^^^^^^^^ no `method`, `result` or `error`
    /// ```
    KNOWN_KIND = {
        name: "jsonrpc/known-kind",
        layer: Jsonrpc,
        level: Error,
        spec: "basic#messages",
        code: -32600,
        help: "add `method` for a request or notification, `result` or `error` for a response",
    }
}

rule! {
    /// The message mixes members of requests and of responses.
    ///
    /// One peer takes it for a request, another for a response.
    ///
    /// ```mcp,good,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"ping"}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"ping","result":{}}
    ///                                                      ^^ a request has no result
    /// ```
    NOT_TWO_KINDS = {
        name: "jsonrpc/not-two-kinds",
        layer: Jsonrpc,
        level: Error,
        spec: "basic#messages",
        code: -32600,
        help: "send the request and the response as two messages",
    }
}

rule! {
    /// The member `method` is not a string.
    ///
    /// No receiver can look the method up.
    ///
    /// ```mcp,good,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"ping"}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":7}
    ///                                      ^ expected a string
    /// ```
    METHOD_STRING = {
        name: "jsonrpc/method-string",
        layer: Jsonrpc,
        level: Error,
        spec: "basic#requests",
        code: -32600,
        help: "name the method as a string",
    }
}

rule! {
    /// The member `params` is not an object.
    ///
    /// MCP has neither the positional form of plain JSON-RPC nor null.
    ///
    /// ```mcp,good,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"ping","params":{}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"ping","params":[]}
    ///                                                      ^^ expected an object
    /// ```
    PARAMS_OBJECT = {
        name: "jsonrpc/params-object",
        layer: Jsonrpc,
        level: Error,
        spec: "basic#requests",
        code: -32600,
        help: "send an object, or leave `params` out",
    }
}

rule! {
    /// A request is sent without an id.
    ///
    /// It silently becomes a notification, and its sender waits for an answer that never comes.
    ///
    /// ```mcp,good,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"ping"}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> {"jsonrpc":"2.0","method":"ping"}
    ///     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ `id` is missing
    /// ```
    REQUEST_HAS_ID = {
        name: "jsonrpc/request-has-id",
        layer: Jsonrpc,
        level: Error,
        spec: "basic#requests",
        code: -32600,
        help: "add an `id`",
    }
}

rule! {
    /// The id is neither a string nor an integer.
    ///
    /// Receivers cannot match the answer with the request.
    ///
    /// ```mcp,good,2025-06-18
    /// --> {"jsonrpc":"2.0","id":"a","method":"ping"}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> {"jsonrpc":"2.0","id":true,"method":"ping"}
    ///                           ^^^^ expected a string or an integer
    /// ```
    ID_TYPE = {
        name: "jsonrpc/id-type",
        layer: Jsonrpc,
        level: Error,
        spec: "basic#requests",
        code: -32600,
        help: "use a string or an integer",
    }
}

rule! {
    /// The id of a request is null.
    ///
    /// MCP is stricter than plain JSON-RPC here: a null id cannot be answered.
    ///
    /// ```mcp,good,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"ping"}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> {"jsonrpc":"2.0","id":null,"method":"ping"}
    ///                           ^^^^ expected a string or an integer
    /// ```
    REQUEST_ID_NOT_NULL = {
        name: "jsonrpc/request-id-not-null",
        layer: Jsonrpc,
        level: Error,
        spec: "basic#requests",
        code: -32600,
        help: "use a string or an integer",
    }
}

rule! {
    /// The id has a fractional part.
    ///
    /// Fractions do not survive every number type, so the answer may not match the request.
    ///
    /// ```mcp,good,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1.0,"method":"ping"}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1.5,"method":"ping"}
    ///                           ^^^ expected an integer
    /// ```
    ID_NOT_FRACTIONAL = {
        name: "jsonrpc/id-not-fractional",
        layer: Jsonrpc,
        level: Error,
        spec: "basic#requests",
        code: -32600,
        help: "use an integer",
    }
}

rule! {
    /// A notification is sent with an id.
    ///
    /// It becomes a request that the receiver does not know, and is answered with an error.
    ///
    /// ```mcp,good,2025-06-18
    /// --> {"jsonrpc":"2.0","method":"notifications/initialized"}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"notifications/initialized"}
    ///                           ^ a notification has no id
    /// ```
    NOTIFICATION_NO_ID = {
        name: "jsonrpc/notification-no-id",
        layer: Jsonrpc,
        level: Error,
        spec: "basic#notifications",
        code: -32600,
        help: "leave the `id` out",
    }
}

rule! {
    /// A response has both a result and an error.
    ///
    /// One peer reads success, another failure.
    ///
    /// ```mcp,good,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"ping"}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"ping"}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{},"error":{"code":-32603,"message":"disk full"}}
    ///                                                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ done, or failed?
    /// ```
    RESULT_XOR_ERROR = {
        name: "jsonrpc/result-xor-error",
        layer: Jsonrpc,
        level: Error,
        spec: "basic#responses",
        code: -32600,
        help: "send only one of them",
    }
}

rule! {
    /// The result is not an object.
    ///
    /// Receivers look for members in it and fail.
    ///
    /// ```mcp,good,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"ping"}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"ping"}
    /// <-- {"jsonrpc":"2.0","id":1,"result":null}
    ///                                      ^^^^ expected an object
    /// ```
    RESULT_OBJECT = {
        name: "jsonrpc/result-object",
        layer: Jsonrpc,
        level: Error,
        spec: "basic#responses",
        code: -32600,
        help: "send an object; an empty outcome is `{}`",
    }
}

rule! {
    /// A result does not say which request it answers.
    ///
    /// The request waits until it times out.
    ///
    /// ```mcp,good,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"ping"}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"ping"}
    /// <-- {"jsonrpc":"2.0","result":{}}
    ///     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ `id` is missing
    /// ```
    RESULT_HAS_ID = {
        name: "jsonrpc/result-has-id",
        layer: Jsonrpc,
        level: Error,
        spec: "basic#responses",
        code: -32600,
        help: "repeat the id of the request",
    }
}

rule! {
    /// An error does not say which request it answers.
    ///
    /// The request waits until it times out. From 2025-11-25 on the id may be left out where it
    /// could not be read; before, the rule is silent if the session shows that the peer sent
    /// something without a usable id, because no error can name that.
    ///
    /// ```mcp,good,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"ping"}
    /// <-- {"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"disk full"}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"ping"}
    /// <-- {"jsonrpc":"2.0","error":{"code":-32603,"message":"disk full"}}
    ///     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ `id` is missing
    /// ```
    ERROR_ID_REQUIRED = {
        name: "jsonrpc/error-id-required",
        layer: Jsonrpc,
        level: Error,
        revisions: RevisionSet::until(Revision::V2025_06_18),
        spec: "basic#responses",
        code: -32600,
        help: "repeat the id of the request",
    }
}

rule! {
    /// The id of an error is null.
    ///
    /// Plain JSON-RPC writes null for an unknown id; the MCP schema has no null id, and typed
    /// clients drop the message. From 2025-11-25 on an unknown id is left out. Before, an error
    /// must have one: there a null with the code -32700 or -32600 is only a note.
    ///
    /// ```mcp,good,2025-11-25
    /// <-- {"jsonrpc":"2.0","error":{"code":-32700,"message":"not JSON"}}
    /// ```
    /// ```mcp,bad,2025-11-25
    /// <-- {"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"not JSON"}}
    ///                           ^^^^ leave it out
    /// ```
    ///
    /// ```mcp,good,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"ping"}
    /// <-- {"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"disk full"}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"ping"}
    /// <-- {"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"disk full"}}
    ///                           ^^^^ the id of the request is 1
    /// ```
    ERROR_ID_NOT_NULL = {
        name: "jsonrpc/error-id-not-null",
        layer: Jsonrpc,
        level: Error,
        spec: "basic#responses",
        code: -32600,
        help: "leave the `id` out if it could not be read",
    }
}

rule! {
    /// The member `error` is not an object.
    ///
    /// Receivers look for code and message in it and fail.
    ///
    /// ```mcp,good,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"ping"}
    /// <-- {"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"disk full"}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"ping"}
    /// <-- {"jsonrpc":"2.0","id":1,"error":"disk full"}
    ///                                     ^^^^^^^^^^^ expected an object
    /// ```
    ERROR_OBJECT = {
        name: "jsonrpc/error-object",
        layer: Jsonrpc,
        level: Error,
        spec: "basic#responses",
        code: -32600,
        help: "send an object with `code` and `message`",
    }
}

rule! {
    /// The error has no integer code.
    ///
    /// Receivers tell errors apart by their code.
    ///
    /// ```mcp,good,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"ping"}
    /// <-- {"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"disk full"}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"ping"}
    /// <-- {"jsonrpc":"2.0","id":1,"error":{"code":"ENOSPC","message":"disk full"}}
    ///                                             ^^^^^^^^ expected an integer
    /// ```
    ERROR_CODE_INTEGER = {
        name: "jsonrpc/error-code-integer",
        layer: Jsonrpc,
        level: Error,
        spec: "basic#responses",
        code: -32600,
        help: "send an integer code",
    }
}

rule! {
    /// The error has no message string.
    ///
    /// People see the message; typed clients refuse the error without it.
    ///
    /// ```mcp,good,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"ping"}
    /// <-- {"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"disk full"}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"ping"}
    /// <-- {"jsonrpc":"2.0","id":1,"error":{"code":-32603}}
    ///                                     ^^^^^^^^^^^^^^^ `message` is missing
    /// ```
    ERROR_MESSAGE_STRING = {
        name: "jsonrpc/error-message-string",
        layer: Jsonrpc,
        level: Error,
        spec: "basic#responses",
        code: -32600,
        help: "send a short sentence",
    }
}

rule! {
    /// The message is a batch, which this revision does not have.
    ///
    /// Batches existed only in 2025-03-26: a peer of another revision takes the array for garbage.
    ///
    /// ```mcp,good,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"ping"}
    /// --> {"jsonrpc":"2.0","id":2,"method":"ping"}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> [{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"}]
    ///     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ an array
    /// ```
    NO_BATCH = {
        name: "jsonrpc/no-batch",
        layer: Jsonrpc,
        level: Error,
        revisions: RevisionSet::since(Revision::V2025_06_18),
        spec: "changelog#major-changes",
        code: -32600,
        covers: ["http/body-single-message"],
        help: "send the messages one by one",
    }
}

rule! {
    /// The message is a batch, which the schema of 2024-11-05 does not define.
    ///
    /// JSON-RPC allows it, few peers of that revision accept it.
    ///
    /// ```mcp,good,2024-11-05
    /// --> {"jsonrpc":"2.0","id":1,"method":"ping"}
    /// --> {"jsonrpc":"2.0","id":2,"method":"ping"}
    /// ```
    /// ```mcp,bad,2024-11-05
    /// --> [{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"}]
    ///     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ an array
    /// ```
    BATCH_UNDEFINED = {
        name: "jsonrpc/batch-undefined",
        layer: Jsonrpc,
        level: Note,
        revisions: RevisionSet::only(Revision::V2024_11_05),
        spec: "basic/messages#requests",
        code: -32600,
        help: "send the messages one by one",
        hidden_by: [BATCH_NOT_EMPTY, BATCH_ONE_KIND],
    }
}

rule! {
    /// The batch is empty.
    ///
    /// An empty array is not a batch; JSON-RPC answers it with an error.
    ///
    /// ```mcp,good,2025-03-26
    /// --> [{"jsonrpc":"2.0","id":1,"method":"ping"}]
    /// ```
    /// ```mcp,bad,2025-03-26
    /// --> []
    ///     ^^ nothing in it
    /// ```
    BATCH_NOT_EMPTY = {
        name: "jsonrpc/batch-not-empty",
        layer: Jsonrpc,
        level: Error,
        revisions: RevisionSet::until(Revision::V2025_03_26),
        spec: "basic#batching",
        code: -32600,
        help: "send nothing instead",
    }
}

rule! {
    /// The batch mixes requests with responses.
    ///
    /// Transports decide by the kind how a batch is answered.
    ///
    /// ```mcp,good,2025-03-26
    /// --> [{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"}]
    /// <-- [{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":2,"result":{}}]
    /// ```
    /// ```mcp,bad,2025-03-26
    /// --> [{"jsonrpc":"2.0","id":1,"method":"ping"}]
    /// <-- [{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":7,"method":"ping"}]
    ///                                           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ a request among responses
    /// ```
    BATCH_ONE_KIND = {
        name: "jsonrpc/batch-one-kind",
        layer: Jsonrpc,
        level: Error,
        revisions: RevisionSet::until(Revision::V2025_03_26),
        spec: "basic/transports#sending-messages-to-the-server",
        code: -32600,
        help: "send requests and notifications in one batch, responses in another",
    }
}
