//! The attacks.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::table::Sender;

/// The carriers that can carry an attack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Over {
    /// Byte streams.
    Lines,
    /// HTTP.
    Http,
    /// All of them.
    Both,
}

/// Bytes with which somebody tries to get the word `evil` past the check.
pub(crate) struct Attack {
    pub(crate) name: &'static str,
    pub(crate) sender: Sender,
    pub(crate) over: Over,
    /// The headers over HTTP that say how the bytes are meant.
    pub(crate) headers: &'static [(&'static str, &'static str)],
    /// A line without its newline, or a body.
    pub(crate) bytes: Vec<u8>,
    /// The rule that `shadow` reports.
    pub(crate) rule: Option<&'static str>,
}

pub(super) const JSON: &[(&str, &str)] = &[("content-type", "application/json")];
pub(super) const STREAM: &[(&str, &str)] = &[("content-type", "text/event-stream")];

/// A call that is not valid, so that it does not pass where it is judged.
pub(super) const BAD_CALL: &str =
    r#"{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":["evil"]}}"#;
/// An answer that is not valid.
pub(super) const BAD_RESULT: &str = r#"{"jsonrpc":"2.0","id":2,"result":{"tools":"evil"}}"#;
/// An answer that is valid, but to nobody.
pub(super) const STRAY_RESULT: &str = r#"{"jsonrpc":"2.0","id":77,"result":{"tools":[{"name":"evil","inputSchema":{"type":"object"}}]}}"#;

pub(crate) fn attacks() -> Vec<Attack> {
    let mut attacks = lines();
    attacks.extend(super::names::attacks());
    attacks.extend(super::bodies::attacks());
    attacks.extend(super::events::attacks());
    attacks.extend(repeated_keys());
    attacks.extend(requests());
    attacks.extend(coded_responses());
    attacks.extend(mislabelled_responses());
    attacks
}

/// A line ends where the most lenient reader ends it.
fn lines() -> Vec<Attack> {
    let inner = r#"{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"evil"}}"#;
    let rule = Some("framing/no-embedded-newline");
    let line = |name, sender, text: String, rule| Attack {
        name,
        sender,
        over: Over::Lines,
        headers: &[],
        bytes: text.into_bytes(),
        rule,
    };
    vec![
        line(
            "a carriage return within a request",
            Sender::Client,
            format!(
                "{{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"ping\",\"params\":{{\"_meta\":{{\"x\":\r{inner}\r}}}}}}"
            ),
            rule,
        ),
        line(
            "a carriage return before a request",
            Sender::Client,
            format!("\r \r{inner}\r\r"),
            rule,
        ),
        line(
            "a carriage return within an answer",
            Sender::Server,
            format!(
                "{{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{{\"tools\":[],\"_meta\":{{\"x\":\r{STRAY_RESULT}\r}}}}}}"
            ),
            rule,
        ),
        line(
            "a carriage return in what follows a broken line",
            Sender::Server,
            format!("{{\"jsonrpc\":\"2.0\",\"id\":2,\n  x\r{STRAY_RESULT}\r\n"),
            None,
        ),
        line(
            "a text with a message behind a carriage return",
            Sender::Server,
            format!("progress 1%\r{STRAY_RESULT}\r"),
            None,
        ),
    ]
}

/// Of two members of one name the first counts, or the last.
fn repeated_keys() -> Vec<Attack> {
    let call = |name, text: &str| Attack {
        name,
        sender: Sender::Client,
        over: Over::Both,
        headers: JSON,
        bytes: text.as_bytes().to_vec(),
        rule: Some("json/unique-keys"),
    };
    let answer = |name, text: &str| Attack {
        sender: Sender::Server,
        ..call(name, text)
    };
    vec![
        call(
            "two methods",
            r#"{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"evil"},"method":"tools/list"}"#,
        ),
        call(
            "two methods, one with an escape",
            r#"{"jsonrpc":"2.0","id":5,"m\u0065thod":"tools/call","params":{"name":"evil"},"method":"tools/list"}"#,
        ),
        call(
            "two params",
            r#"{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"evil"},"params":{"name":"fine"}}"#,
        ),
        call(
            "two names",
            r#"{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"fine","\u006eame":"evil"}}"#,
        ),
        call(
            "two arguments",
            r#"{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"fine","arguments":{"a":1},"arguments":{"a":"evil"}}}"#,
        ),
        call(
            "two of one argument, deep within",
            r#"{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"fine","arguments":{"a":[{"b":"evil","b":1}]}}}"#,
        ),
        answer(
            "two results",
            r#"{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"evil","inputSchema":{"type":"object"}}]},"result":{"tools":[]}}"#,
        ),
        answer(
            "two lists in a result",
            r#"{"jsonrpc":"2.0","id":2,"result":{"tools":[],"t\u006fols":[{"name":"evil","inputSchema":{"type":"object"}}]}}"#,
        ),
    ]
}

/// Bodies of requests that are labelled as something else than they are read as.
fn requests() -> Vec<Attack> {
    let request = |name, headers, bytes: Vec<u8>, rule| Attack {
        name,
        sender: Sender::Client,
        over: Over::Http,
        headers,
        bytes,
        rule,
    };
    let plain = |text: &str| text.as_bytes().to_vec();
    vec![
        request(
            "a charset that shows another message",
            &[("content-type", "application/json; charset=utf-7")],
            plain(&BAD_CALL.replacen('{', "+AHs-", 1)),
            None,
        ),
        request(
            "UTF-16",
            &[("content-type", "application/json; charset=utf-16le")],
            BAD_CALL.bytes().flat_map(|byte| [byte, 0]).collect(),
            None,
        ),
        request(
            "a compressed call that is not valid",
            &[
                ("content-type", "application/json"),
                ("content-encoding", "gzip"),
            ],
            gzip(BAD_CALL),
            Some("schema/wrong-type"),
        ),
        request(
            "a coding that nobody knows",
            &[
                ("content-type", "application/json"),
                ("content-encoding", "x-rot"),
            ],
            BAD_CALL.bytes().map(|byte| byte ^ 0x80).collect(),
            None,
        ),
        request(
            "a form",
            &[("content-type", "application/x-www-form-urlencoded")],
            plain("jsonrpc=2.0&id=5&method=tools/call&params[name]=evil"),
            Some("json/well-formed"),
        ),
        request(
            "a message in a form",
            &[(
                "content-type",
                "application/x-www-form-urlencoded; charset=utf-8",
            )],
            plain(BAD_CALL),
            Some("schema/wrong-type"),
        ),
        request(
            "a message that resembles a registration",
            JSON,
            plain(
                r#"{"jsonrp\u0063":"2.0","id":5,"method":"tools/call","params":{"name":["evil"],"arguments":{"client_id":"c"}}}"#,
            ),
            Some("schema/wrong-type"),
        ),
    ]
}

fn response(
    name: &'static str,
    headers: &'static [(&'static str, &'static str)],
    bytes: Vec<u8>,
    rule: Option<&'static str>,
) -> Attack {
    Attack {
        name,
        sender: Sender::Server,
        over: Over::Http,
        headers,
        bytes,
        rule,
    }
}

fn event(text: &str) -> String {
    format!("event: message\ndata: {text}\n\n")
}

/// Answers in codings and charsets.
fn coded_responses() -> Vec<Attack> {
    let plain = |text: &str| text.as_bytes().to_vec();
    let wrong_type = Some("schema/wrong-type");
    vec![
        response(
            "an empty coding",
            &[
                ("content-type", "application/json"),
                ("content-encoding", ""),
            ],
            plain(BAD_RESULT),
            wrong_type,
        ),
        response(
            "the coding that is none",
            &[
                ("content-type", "application/json"),
                ("content-encoding", "identity"),
            ],
            plain(BAD_RESULT),
            wrong_type,
        ),
        response(
            "a compressed answer",
            &[
                ("content-type", "application/json"),
                ("content-encoding", "gzip"),
            ],
            gzip(BAD_RESULT),
            wrong_type,
        ),
        response(
            "an answer in a coding that nobody knows",
            &[
                ("content-type", "application/json"),
                ("content-encoding", "x-rot"),
            ],
            BAD_RESULT.bytes().map(|byte| byte ^ 0x80).collect(),
            None,
        ),
        response(
            "a compressed stream",
            &[
                ("content-type", "text/event-stream"),
                ("content-encoding", "gzip"),
            ],
            gzip(&event(BAD_RESULT)),
            wrong_type,
        ),
        response(
            "a stream in a coding that nobody knows",
            &[
                ("content-type", "text/event-stream"),
                ("content-encoding", "x-rot"),
            ],
            event(BAD_RESULT).bytes().map(|byte| byte ^ 0x80).collect(),
            None,
        ),
        response(
            "an answer in UTF-16",
            &[("content-type", "application/json; charset=utf-16le")],
            BAD_RESULT.bytes().flat_map(|byte| [byte, 0]).collect(),
            None,
        ),
    ]
}

/// Answers that are labelled as something else than they are read as.
fn mislabelled_responses() -> Vec<Attack> {
    let plain = |text: &str| text.as_bytes().to_vec();
    let wrong_type = Some("schema/wrong-type");
    let content_type = Some("http/response-content-type");
    vec![
        response(
            "a type that begins like that of a stream",
            &[("content-type", "text/event-streamx")],
            plain(&event(BAD_RESULT)),
            content_type,
        ),
        response(
            "a page with the answer",
            &[("content-type", "text/html; x=application/json")],
            plain(BAD_RESULT),
            wrong_type,
        ),
        response(
            "an answer without a type",
            &[],
            plain(BAD_RESULT),
            wrong_type,
        ),
        response(
            "an event in a comment",
            STREAM,
            plain(&format!(": x\u{b}data: {BAD_RESULT}\u{b}\u{b}\n\n")),
            None,
        ),
        response(
            "an event in a field that nobody knows",
            STREAM,
            plain(&format!(
                "x: x\u{2028}data: {BAD_RESULT}\u{2028}\u{2028}\n\n"
            )),
            None,
        ),
        response(
            "an event of another name",
            STREAM,
            plain(&format!("event: other\ndata: {BAD_RESULT}\n\n")),
            None,
        ),
        response(
            "an answer that resembles a registration",
            JSON,
            plain(r#"{"jsonrp\u0063":"2.0","id":2,"result":{"tools":"evil","client_id":"c"}}"#),
            None,
        ),
    ]
}

pub(super) fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}
