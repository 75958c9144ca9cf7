//! Rules of the family `schema`: structure, driven by the model.

use crate::catalogue::{Rule, rule};

/// All of them, by name.
pub(super) static ALL: &[&Rule] = &[
    &MISSING_MEMBER,
    &NO_NULL_OPTIONAL,
    &OUT_OF_RANGE,
    &OVERRIDE,
    &UNKNOWN_METHOD,
    &UNKNOWN_VALUE,
    &UNKNOWN_VARIANT,
    &WRONG_TYPE,
];

rule! {
    /// A required member is missing.
    ///
    /// Typed receivers refuse the whole message; others fail later, where the member is used.
    ///
    /// ```mcp,good,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add"}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"tool":"add"}}
    ///                                                            ^^^^^^^^^^^^^^ `name` is missing
    /// ```
    ///
    /// ```mcp,good,2026-07-28,only
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"private","_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28,only
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"tools":[],"ttlMs":0,"cacheScope":"private","_meta":{…}}}
    ///                                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ `resultType` is missing
    /// ```
    MISSING_MEMBER = {
        name: "schema/missing-member",
        layer: Schema,
        level: Error,
        spec: "basic#schema",
        code: -32602,
        covers: [
            "caching/hints-present",
            "cancel/request-id-present",
            "capability/missing-required-data",
            "completion/ref-type",
            "content/block-shape",
            "discover/result-shape",
            "elicitation/schema-flat",
            "elicitation/url-fields",
            "elicitation/url-required-error-data",
            "lifecycle/initialize-params",
            "lifecycle/initialize-result",
            "logging/data-present",
            "meta/client-capabilities",
            "meta/protocol-version",
            "progress/value-number",
            "response/result-type-present",
            "schema/dispatch-on-result-type",
            "schema/error-data",
            "schema/notification-params",
            "schema/request-params",
            "schema/result",
            "subscriptions/filter-shape",
            "tools/input-schema-object",
            "tools/output-schema-root-object",
            "tools/result-content",
            "version/unsupported-error-data",
        ],
        help: "add the member",
    }
}

rule! {
    /// A value is of the wrong type.
    ///
    /// Typed receivers refuse the whole message; others misread the value.
    ///
    /// ```mcp,good,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add"}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":7}}
    ///                                                                    ^ expected a string
    /// ```
    WRONG_TYPE = {
        name: "schema/wrong-type",
        layer: Schema,
        level: Error,
        spec: "basic#schema",
        code: -32602,
        covers: [
            "caching/ttl-value",
            "capability/missing-required-data",
            "capability/object-shape",
            "content/block-shape",
            "discover/result-shape",
            "elicitation/content-primitives",
            "lifecycle/initialize-params",
            "lifecycle/initialize-result",
            "meta/object",
            "pagination/cursor-string",
            "progress/token-type",
            "progress/value-number",
            "prompts/arguments-strings",
            "prompts/message-shape",
            "sampling/single-content",
            "schema/embedded-valid",
            "schema/error-data",
            "schema/notification-params",
            "schema/request-params",
            "schema/result",
            "subscriptions/filter-shape",
            "tools/arguments-object",
            "tools/input-schema-object",
            "tools/result-content",
            "tools/structured-object",
            "version/unsupported-error-data",
        ],
        help: "send a value of the type that the schema gives",
    }
}

rule! {
    /// An optional member is null instead of absent.
    ///
    /// The schema has no null there: many serialisers write it for unset fields, and typed
    /// receivers refuse it.
    ///
    /// ```mcp,good,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":null}}
    ///                                                                      ^^^^ leave it out
    /// ```
    NO_NULL_OPTIONAL = {
        name: "schema/no-null-optional",
        layer: Schema,
        level: Error,
        spec: "basic#schema",
        code: -32602,
        covers: ["pagination/cursor-string"],
        help: "leave the member out",
    }
}

rule! {
    /// A string is none of the values allowed here.
    ///
    /// Receivers that switch on it find no branch.
    ///
    /// ```mcp,good,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"warning"}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"warn"}}
    ///                                                                           ^^^^^^ no such level
    /// ```
    UNKNOWN_VALUE = {
        name: "schema/unknown-value",
        layer: Schema,
        level: Error,
        spec: "basic#schema",
        code: -32602,
        covers: [
            "caching/scope-value",
            "content/annotation-audience",
            "elicitation/action-value",
            "elicitation/schema-flat",
            "elicitation/schema-formats",
            "elicitation/url-required-error-data",
            "logging/level-name",
            "prompts/message-shape",
            "sampling/role",
            "sampling/tool-choice-mode",
            "schema/error-data",
            "schema/notification-params",
            "schema/request-params",
            "schema/result",
            "tasks/status-value",
            "tools/input-schema-object",
            "tools/output-schema-root-object",
        ],
        help: "use one of the values that the revision knows",
    }
}

rule! {
    /// A number or the length of an array is outside its bounds.
    ///
    /// Receivers that rely on the bounds compute nonsense or refuse the message.
    ///
    /// ```mcp,good,2025-06-18
    /// <-- {"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{"messages":[],"maxTokens":99,"modelPreferences":{"speedPriority":1}}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// <-- {"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{"messages":[],"maxTokens":99,"modelPreferences":{"speedPriority":10}}}
    ///                                                                                                                                          ^^ expected 0 to 1
    /// ```
    OUT_OF_RANGE = {
        name: "schema/out-of-range",
        layer: Schema,
        level: Error,
        spec: "basic#schema",
        code: -32602,
        covers: [
            "schema/request-params",
            "schema/result",
            "content/annotation-priority",
            "completion/max-100",
            "sampling/priority-range",
            "caching/ttl-value",
        ],
        help: "stay within the bounds",
    }
}

rule! {
    /// A value names a kind that does not exist here.
    ///
    /// The member that tells kinds apart has a value that the revision in force does not know, so
    /// no receiver can read the rest.
    ///
    /// ```mcp,good,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"play"}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"la"}]}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"play"}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"markdown","text":"la"}]}}
    ///                                                          ^^^^^^^^^^ no such content
    /// ```
    ///
    /// ```mcp,good,2025-03-26
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"play"}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"audio","data":"UklGRg==","mimeType":"audio/wav"}]}}
    /// ```
    /// ```mcp,bad,2024-11-05
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"play"}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"audio","data":"UklGRg==","mimeType":"audio/wav"}]}}
    ///                                                          ^^^^^^^ exists since 2025-03-26
    /// ```
    UNKNOWN_VARIANT = {
        name: "schema/unknown-variant",
        layer: Schema,
        level: Error,
        spec: "basic#schema",
        code: -32602,
        covers: [
            "schema/request-params",
            "schema/result",
            "content/type-in-revision",
            "completion/ref-type",
            "sampling/content-types",
            "elicitation/mode-value",
            "elicitation/schema-flat",
            "elicitation/schema-no-multi-select",
            "mrtr/input-kind",
        ],
        help: "use one of the kinds that the revision knows",
    }
}

rule! {
    /// The method does not exist in the revision in force.
    ///
    /// The receiver answers with method not found, or ignores the notification.
    ///
    /// ```mcp,good,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/lists"}
    ///                                      ^^^^^^^^^^^^^ no such method
    /// ```
    ///
    /// ```mcp,good,2025-11-25
    /// --> {"jsonrpc":"2.0","id":1,"method":"ping"}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// --> {"jsonrpc":"2.0","id":1,"method":"ping"}
    ///                                      ^^^^^^ exists until 2025-11-25
    /// ```
    UNKNOWN_METHOD = {
        name: "schema/unknown-method",
        layer: Schema,
        level: Error,
        spec: "basic/lifecycle#operation",
        code: -32601,
        covers: [
            "ext-tasks/legacy-gone",
            "http/sse-no-server-requests",
            "mrtr/no-server-requests",
            "request/method-in-revision",
            "request/notification-in-revision",
            "request/removed-elicitation-complete",
            "request/removed-initialize",
            "request/removed-initialized",
            "request/removed-ping",
            "request/removed-roots-list-changed",
            "request/removed-set-level",
            "request/removed-subscribe",
            "version/negotiated-respected",
        ],
        help: "use a method of the revision in force, or negotiate the revision that has it",
    }
}

rule! {
    /// The message does not fit the schema that replaces the built-in model.
    ///
    /// Raised only where a schema of your own is in force.
    ///
    /// ```mcp,good,2025-06-18,member:tenant
    /// --> {"jsonrpc":"2.0","id":1,"method":"ping","params":{"tenant":"a"}}
    /// ```
    /// ```mcp,bad,2025-06-18,member:tenant
    /// --> {"jsonrpc":"2.0","id":1,"method":"ping","params":{}}
    ///                                                      ^^ the schema given demands `tenant`
    /// ```
    OVERRIDE = {
        name: "schema/override",
        layer: Schema,
        level: Error,
        spec: "basic#schema",
        code: -32602,
        help: "make it fit the schema that it is checked against",
    }
}
