//! The messages that every carrier must refuse, and the refusal of each.

use mcp_assay_contract::canonical::CanonicalError;

/// The largest message in bytes, for every carrier.
pub(crate) const MAX_MESSAGE: usize = 2000;

/// A message after a handshake, and its refusal.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) revision: &'static str,
    pub(crate) sender: Sender,
    pub(crate) message: String,
    pub(crate) canonical: CanonicalError,
    /// The JSON-RPC code of the refusal.
    pub(crate) code: i64,
    /// The rule in the data of the refusal, and in the log; none if the check itself fails.
    pub(crate) rule: Option<&'static str>,
    pub(crate) answer: Answer,
    /// The HTTP status, where there is one.
    pub(crate) status: u16,
}

/// The party at fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sender {
    Client,
    /// It answers `tools/list`, which has the id 2, with the message.
    Server,
}

/// The error that stands for the message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Answer {
    /// One error with this id, which is JSON.
    Id(&'static str),
    /// One error whose id is not known: null, or none since 2025-11-25.
    WithoutId,
    /// A batch of errors with these ids.
    Batch(&'static [&'static str]),
    /// Nobody waits: nothing on a byte stream, an error without an id over HTTP.
    Dropped,
    /// The response belongs to no request: nothing on a byte stream, where the right one may still
    /// come; an error for the request of the exchange over HTTP.
    Unattributed,
}

/// All messages.
pub(crate) fn cases() -> Vec<Case> {
    let mut cases = from_client();
    cases.extend(from_server());
    cases
}

fn client(
    name: &'static str,
    revision: &'static str,
    message: &str,
    code: i64,
    rule: &'static str,
    answer: Answer,
    status: u16,
) -> Case {
    Case {
        name,
        revision,
        sender: Sender::Client,
        message: message.to_owned(),
        canonical: CanonicalError::InvalidInput,
        code,
        rule: Some(rule),
        answer,
        status,
    }
}

fn server(
    name: &'static str,
    message: &str,
    code: i64,
    rule: &'static str,
    answer: Answer,
) -> Case {
    Case {
        sender: Sender::Server,
        canonical: CanonicalError::InvalidOutput,
        ..client(name, "2025-06-18", message, code, rule, answer, 200)
    }
}

#[expect(clippy::too_many_lines, reason = "a table")]
fn from_client() -> Vec<Case> {
    let keys = r#""k":0,"#.repeat(150);
    let padding = "x".repeat(MAX_MESSAGE);
    let call = r#"{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{}}"#;
    let bad_batch = format!("[{call},{}]", call.replace('5', "\"b\""));
    let batch = format!(r#"[{call},{{"jsonrpc":"2.0","id":"b","method":"ping"}}]"#);
    vec![
        client(
            "a bad request",
            "2025-06-18",
            call,
            -32602,
            "schema/missing-member",
            Answer::Id("5"),
            200,
        ),
        Case {
            canonical: CanonicalError::NotFound,
            ..client(
                "an unknown method",
                "2025-06-18",
                r#"{"jsonrpc":"2.0","id":"u","method":"tools/none"}"#,
                -32601,
                "schema/unknown-method",
                Answer::Id("\"u\""),
                200,
            )
        },
        client(
            "a bad notification",
            "2025-06-18",
            r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{}}"#,
            -32602,
            "schema/missing-member",
            Answer::Dropped,
            400,
        ),
        Case {
            canonical: CanonicalError::InvalidOutput,
            ..client(
                "a response to nothing",
                "2025-06-18",
                r#"{"jsonrpc":"2.0","id":77,"result":{}}"#,
                -32062,
                "response/id-known",
                Answer::Dropped,
                400,
            )
        },
        client(
            "a bad batch where there are batches",
            "2025-03-26",
            &bad_batch,
            -32602,
            "schema/missing-member",
            Answer::Batch(&["5", "\"b\""]),
            400,
        ),
        client(
            "a batch where there are none",
            "2025-06-18",
            &batch,
            -32600,
            "jsonrpc/no-batch",
            Answer::WithoutId,
            400,
        ),
        client(
            "an unreadable line",
            "2025-06-18",
            r#"{"jsonrpc":"2.0","#,
            -32700,
            "json/well-formed",
            Answer::WithoutId,
            400,
        ),
        client(
            "an unreadable line of 2025-03-26",
            "2025-03-26",
            r#"{"jsonrpc":"2.0","#,
            -32700,
            "json/well-formed",
            Answer::WithoutId,
            400,
        ),
        client(
            "an unreadable line of 2025-11-25",
            "2025-11-25",
            r#"{"jsonrpc":"2.0","#,
            -32700,
            "json/well-formed",
            Answer::WithoutId,
            400,
        ),
        client(
            "a null id",
            "2025-06-18",
            r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
            -32600,
            "jsonrpc/request-id-not-null",
            Answer::WithoutId,
            400,
        ),
        client(
            "an oversized message",
            "2025-06-18",
            &format!(
                r#"{{"jsonrpc":"2.0","id":6,"method":"ping","params":{{"_meta":{{"x":"{padding}"}}}}}}"#
            ),
            -32700,
            "json/size-limit",
            Answer::Id("6"),
            413,
        ),
        client(
            "150 warnings and an error",
            "2025-06-18",
            &format!(
                r#"{{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{{{keys}"z":1}}}}"#
            ),
            -32602,
            "schema/missing-member",
            Answer::Id("5"),
            200,
        ),
    ]
}

fn from_server() -> Vec<Case> {
    vec![
        server(
            "a bad response",
            r#"{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"add"}]}}"#,
            -32062,
            "schema/missing-member",
            Answer::Id("2"),
        ),
        server(
            "a response with an unknown id",
            r#"{"jsonrpc":"2.0","id":77,"result":{"tools":[]}}"#,
            -32062,
            "response/id-known",
            Answer::Unattributed,
        ),
        server(
            "an unreadable response",
            r#"{"jsonrpc":"2.0","id":2,"result":{"tools":[}}"#,
            -32062,
            "json/well-formed",
            Answer::Id("2"),
        ),
    ]
}
