//! Weighs passive violations that the probe itself brought about.

use mcp_assay::{Layer, Level, Party, Policy, Rule, rules};
use serde_json::Value;

use crate::judge::Broken;
use crate::record::{Content, Record};

/// Drops violations in values that the peer merely repeats, and lowers to warnings those that the
/// agreed revision only recommends to avoid, those that follow a malformed message of ours, and
/// null ids in bodies of HTTP refusals.
pub(crate) fn weigh(
    records: &[Record],
    broken: &mut Vec<Broken>,
    policy: &Policy,
    malformed: Option<usize>,
) {
    broken.retain(|broken| !repeats_argument(records, broken));
    drop_consequences(broken);
    if policy.strict {
        return;
    }
    let lenient = rules::version::NEGOTIATED_RESPECTED.recommended;
    for broken in broken {
        // The sentence names the later revision; before 2025-06-18 the agreed one SHOULD be kept.
        let is_of_later = broken.message.contains("` exists since ");
        // MCP does not say how to react to bytes that no client sends.
        let is_reaction = malformed.is_some_and(|sent| begun_at(records, broken) > sent);
        if is_reaction
            || is_null_in_refusal(records, broken)
            || is_of_later && broken.revision.is_some_and(|one| lenient.contains(one))
        {
            broken.level = broken.level.min(Level::Warning);
        }
    }
}

/// Drops violations that follow from another one of the same connection: each fault is told once.
fn drop_consequences(broken: &mut Vec<Broken>) {
    let has = |rule: &Rule| broken.iter().any(|one| *one.rule == *rule);
    // The stream of the request is left without an answer.
    let is_elsewhere = has(&rules::http::GET_NO_RESPONSES);
    // No version is listed that the server could keep to.
    let is_unlisted = has(&rules::discover::LISTS_SERVED_VERSION);
    let is_unreadable = broken
        .iter()
        .any(|one| one.level == Level::Error && one.pointer.starts_with("/result/capabilities"));
    let asks_wrongly: Vec<usize> = broken
        .iter()
        .filter(|one| *one.rule == rules::mrtr::SUPPORTED_METHODS)
        .map(|one| one.at)
        .collect();
    broken.retain(|one| {
        let of_stream = [
            &rules::http::SSE_RESPONSE_ARRIVES,
            &rules::http::SSE_NOT_CLOSED_EARLY,
            &rules::http::RESPONSE_CONTENT_TYPE,
        ]
        .contains(&one.rule);
        let of_version = *one.rule == rules::version::UNSUPPORTED_ERROR;
        let of_capability =
            one.rule.family() == "capability" && !one.pointer.starts_with("/result/capabilities");
        let of_hints = *one.rule == rules::caching::NO_HINTS_ON_INTERIM;
        !(is_elsewhere && of_stream
            || is_unlisted && of_version
            || is_unreadable && of_capability
            || of_hints && asks_wrongly.contains(&one.at))
    });
}

/// The record that a violation goes back to: a stream may have been opened long before.
fn begun_at(records: &[Record], broken: &Broken) -> usize {
    let exchange = records.get(broken.at).and_then(Record::exchange);
    let exchange = exchange.filter(|_| broken.rule.layer == Layer::Http);
    let begun = |one: i64| {
        let mut exchanges = records.iter().map(Record::exchange);
        exchanges.position(|known| known == Some(one))
    };
    exchange.and_then(begun).unwrap_or(broken.at)
}

/// Whether an error with a null id is the body of a refusal by HTTP status. The status refuses, and
/// the text only allows such a body; the schema has no null id, but JSON-RPC itself demands it.
fn is_null_in_refusal(records: &[Record], broken: &Broken) -> bool {
    let is_refusal = |record: &Record| match record.content {
        Content::Response { status, .. } => status >= 400,
        _ => false,
    };
    *broken.rule == rules::inline::ERROR_ID_NOT_NULL
        && records.get(broken.at).is_some_and(is_refusal)
}

/// Whether the value at fault is a string that was sent to the peer before: a tool that echoes its
/// argument is not to blame for the argument.
fn repeats_argument(records: &[Record], broken: &Broken) -> bool {
    let calls = ["tools/call", "prompts/get", "resources/read"];
    if !broken
        .method
        .as_deref()
        .is_some_and(|method| calls.contains(&method))
    {
        return false;
    }
    let Some((record, earlier)) = records.get(broken.at).zip(records.get(..broken.at)) else {
        return false;
    };
    let range = broken.span.start as usize..broken.span.end as usize;
    let Some(text) = record.bytes().get(range) else {
        return false;
    };
    let Ok(Value::String(value)) = serde_json::from_slice(text) else {
        return false;
    };
    let is_sent = |record: &&Record| record.direction().sender() != Party::Server;
    let mut sent = earlier.iter().filter(is_sent).filter_map(Record::message);
    sent.any(|message| {
        let params = &message["params"];
        holds(&params["arguments"], &value) || params["uri"] == value.as_str()
    })
}

/// Whether a string is somewhere in a value. Arguments are generated here, and not deep.
fn holds(value: &Value, text: &str) -> bool {
    match value {
        Value::String(one) => one == text,
        Value::Array(items) => items.iter().any(|item| holds(item, text)),
        Value::Object(members) => members.values().any(|member| holds(member, text)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use mcp_assay::Direction;

    use super::*;
    use crate::judge::Judge;
    use crate::options::Options;
    use crate::transport::Target;

    /// Records of lines: `> ` is ours, `< ` that of the server.
    fn records(lines: &[&str]) -> Vec<Record> {
        let record = |line: &&str| {
            let (sender, text) = line.split_at(2);
            let direction = match sender {
                "> " => Direction::ClientToServer,
                _ => Direction::ServerToClient,
            };
            Record {
                time: Duration::ZERO,
                content: Content::Line {
                    direction,
                    bytes: text.as_bytes().to_vec(),
                    unterminated: false,
                },
            }
        };
        lines.iter().map(record).collect()
    }

    fn found(lines: &[&str], malformed: Option<usize>) -> Vec<(&'static str, Level)> {
        found_in(&records(lines), malformed)
    }

    fn found_in(records: &[Record], malformed: Option<usize>) -> Vec<(&'static str, Level)> {
        let options = Options::new(Target::Command(vec!["server".to_owned()]));
        let mut judge = Judge::new(&options, Party::Server);
        let judged = records.iter().enumerate();
        let mut broken: Vec<_> = judged.flat_map(|(at, one)| judge.see(one, at)).collect();
        weigh(records, &mut broken, &options.policy, malformed);
        let found = broken.iter();
        found.map(|one| (one.rule.name, one.level)).collect()
    }

    fn opened<'l>(version: &'l [String; 2], more: &[&'l str]) -> Vec<&'l str> {
        let opening = [
            version[0].as_str(),
            version[1].as_str(),
            r#"> {"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        ];
        opening.into_iter().chain(more.iter().copied()).collect()
    }

    fn handshake(version: &str) -> [String; 2] {
        [
            format!(
                r#"> {{"jsonrpc":"2.0","id":1,"method":"initialize","params":{{"protocolVersion":"{version}","capabilities":{{}},"clientInfo":{{"name":"c","version":"1"}}}}}}"#
            ),
            format!(
                r#"< {{"jsonrpc":"2.0","id":1,"result":{{"protocolVersion":"{version}","capabilities":{{"tools":{{}}}},"serverInfo":{{"name":"s","version":"1"}}}}}}"#
            ),
        ]
    }

    #[test]
    fn a_tool_that_echoes_its_argument_is_not_to_blame_for_it() {
        let call = r#"> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"link","arguments":{"to":"not a uri"}}}"#;
        let answer = |uri: &str| {
            format!(
                r#"< {{"jsonrpc":"2.0","id":2,"result":{{"content":[{{"type":"resource_link","uri":"{uri}","name":"a"}}]}}}}"#
            )
        };
        let version = handshake("2025-06-18");
        let (echo, own) = (answer("not a uri"), answer("no uri either"));
        assert_eq!(found(&opened(&version, &[call, &echo]), None), []);
        let rule = rules::resources::URI_VALID.name;
        let blamed = found(&opened(&version, &[call, &own]), None);
        assert_eq!(blamed, [(rule, Level::Error)]);
    }

    #[test]
    fn content_of_a_later_revision_is_a_warning_where_the_agreed_one_should_be_kept() {
        let call = r#"> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"link"}}"#;
        let link = r#"< {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"resource_link","uri":"a://b","name":"a"}]}}"#;
        let strange =
            r#"< {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"smell","name":"a"}]}}"#;
        let version = handshake("2025-03-26");
        let rule = rules::inline::UNKNOWN_VARIANT.name;
        let of_later = found(&opened(&version, &[call, link]), None);
        assert_eq!(of_later, [(rule, Level::Warning)]);
        let of_none = found(&opened(&version, &[call, strange]), None);
        assert_eq!(of_none, [(rule, Level::Error)]);
    }

    #[test]
    fn a_null_id_in_the_body_of_a_refusal_is_a_warning() {
        let json = || vec![("content-type".to_owned(), "application/json".to_owned())];
        let post = br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
        let request = Content::Request {
            exchange: 1,
            method: "POST".to_owned(),
            path: "/mcp".to_owned(),
            headers: [
                json(),
                vec![("mcp-protocol-version".to_owned(), "2025-11-25".to_owned())],
            ]
            .concat(),
            body: post.to_vec(),
        };
        let refusal = br#"{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"no"}}"#;
        let found = |status, refusal: &[u8]| {
            let response = Content::Response {
                exchange: 1,
                status,
                headers: json(),
                body: refusal.to_vec(),
                streamed: false,
            };
            let contents = [request.clone(), response];
            let records = contents.map(|content| Record {
                time: Duration::ZERO,
                content,
            });
            found_in(&records, None)
        };
        let level = |status| {
            let rule = rules::inline::ERROR_ID_NOT_NULL.name;
            let found = found(status, refusal);
            let mut found = found.iter().filter(|(name, _)| *name == rule);
            found.next().map(|(_, level)| *level)
        };
        assert_eq!(level(400), Some(Level::Warning));
        assert_eq!(level(200), Some(Level::Error));
        // A refusal in words may quote the message.
        let quoted = br#"Invalid message: {"jsonrpc":"1.0","id":1,"method":"ping"}"#;
        assert_eq!(found(400, quoted), []);
    }

    #[test]
    fn an_event_of_a_stream_that_was_open_before_is_no_reaction() {
        let json = || vec![("content-type".to_owned(), "application/json".to_owned())];
        let stream = || vec![("content-type".to_owned(), "text/event-stream".to_owned())];
        let request = |exchange, method: &str, body: &[u8]| Content::Request {
            exchange,
            method: method.to_owned(),
            path: "/mcp".to_owned(),
            headers: [
                json(),
                vec![("mcp-protocol-version".to_owned(), "2025-06-18".to_owned())],
            ]
            .concat(),
            body: body.to_vec(),
        };
        let head = |exchange| Content::Response {
            exchange,
            status: 200,
            headers: stream(),
            body: Vec::new(),
            streamed: true,
        };
        let event = |exchange| Content::Event {
            exchange,
            name: None,
            id: Some("0".to_owned()),
            retry: None,
            data: Vec::new(),
        };
        let contents = vec![
            request(1, "POST", br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#),
            head(1),
            event(1),
            request(2, "GET", b""),
            head(2),
            request(3, "POST", b"{oops"),
            event(2),
        ];
        let records: Vec<_> = contents
            .into_iter()
            .map(|content| Record {
                time: Duration::ZERO,
                content,
            })
            .collect();
        let rule = rules::http::SSE_EVENT_ID_UNIQUE.name;
        let found = found_in(&records, Some(5));
        let levels: Vec<_> = found.iter().filter(|(name, _)| *name == rule).collect();
        assert_eq!(levels, [&(rule, Level::Error)], "{found:?}");
    }

    #[test]
    fn a_reaction_to_malformed_input_is_a_warning() {
        let log = r#"< {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"error","data":"bad line"}}"#;
        let version = handshake("2025-06-18");
        let lines = opened(&version, &["> {oops", log]);
        let level = |malformed| found(&lines, malformed).first().map(|(_, level)| *level);
        assert_eq!(level(Some(3)), Some(Level::Warning));
        assert_eq!(level(None), Some(Level::Error));
    }
}
