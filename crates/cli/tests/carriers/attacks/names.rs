//! Attacks by members: repeated, spelt differently, in capital letters, in batches, behind others.

use super::table::{Attack, BAD_CALL, BAD_RESULT, JSON, Over};
use crate::table::Sender;

pub(super) fn attacks() -> Vec<Attack> {
    let mut attacks = of_requests();
    attacks.extend(of_answers());
    attacks.extend(not_text());
    attacks
}

fn attack(name: &'static str, sender: Sender, text: &str, rule: Option<&'static str>) -> Attack {
    Attack {
        name,
        sender,
        over: Over::Both,
        headers: JSON,
        bytes: text.as_bytes().to_vec(),
        rule,
    }
}

fn of_requests() -> Vec<Attack> {
    let call = |name, text: &str, rule| attack(name, Sender::Client, text, rule);
    let repeated = Some("json/unique-keys");
    let deep = format!(
        r#"{{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{{"name":"fine","arguments":{{"a":{}{{"b":1,"b":"evil"}}{}}}}}}}"#,
        "[".repeat(40),
        "]".repeat(40)
    );
    vec![
        call(
            "a method in capital letters",
            r#"{"jsonrpc":"2.0","id":5,"method":"ping","METHOD":"tools/call","params":{"name":"evil"}}"#,
            None,
        ),
        call(
            "params with a long s",
            "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"tools/call\",\"params\":{\"name\":\"fine\"},\"param\u{17f}\":{\"name\":\"evil\"}}",
            None,
        ),
        call(
            "arguments in capital letters",
            r#"{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"fine","Arguments":{"a":"evil"}}}"#,
            None,
        ),
        call(
            "a name in capital letters, with an escape",
            r#"{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"fine","N\u0061ME":"evil"}}"#,
            None,
        ),
        call(
            "two ids",
            r#"{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"evil"},"id":6}"#,
            repeated,
        ),
        call(
            "two versions",
            r#"{"jsonrpc":"1.0","id":5,"method":"tools/call","params":{"name":"evil"},"jsonrpc":"2.0"}"#,
            repeated,
        ),
        call(
            "two of a member of the metadata",
            r#"{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"fine","_meta":{"x":1,"x":"evil"}}}"#,
            repeated,
        ),
        call("two of a member forty levels deep", &deep, repeated),
        call(
            "three of a member, of which the first and the last are the same",
            r#"{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"fine","name":"evil","name":"fine"},"params":{"name":"evil"}}"#,
            repeated,
        ),
        call(
            "a name that is a pair of escapes",
            "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"tools/call\",\"params\":{\"name\":\"fine\",\"arguments\":{\"\u{1f600}\":1,\"\\ud83d\\ude00\":\"evil\"}}}",
            repeated,
        ),
        call(
            "a number in two spellings",
            r#"{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"evil","arguments":{"a":1,"a":1.0}}}"#,
            repeated,
        ),
        call(
            "a batch where there are none",
            r#"[{"jsonrpc":"2.0","id":4,"method":"ping"},{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"evil"}}]"#,
            None,
        ),
        call(
            "a batch in a batch",
            r#"[[{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"evil"}}]]"#,
            None,
        ),
        call(
            "a second message behind the first",
            &format!(r#"{{"jsonrpc":"2.0","id":4,"method":"ping"}} {BAD_CALL}"#),
            None,
        ),
        call(
            "a second message behind a comma",
            &format!("{BAD_CALL},{{}}"),
            None,
        ),
        call(
            "a message behind a byte order mark",
            &format!("\u{feff}{BAD_CALL}"),
            None,
        ),
        call(
            "a call that is an answer, too",
            r#"{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"evil"},"result":{}}"#,
            None,
        ),
    ]
}

fn of_answers() -> Vec<Attack> {
    let answer = |name, text: &str, rule| attack(name, Sender::Server, text, rule);
    let evil = r#"{"tools":[{"name":"evil","inputSchema":{"type":"object"}}]}"#;
    vec![
        answer(
            "a result in capital letters",
            &format!(r#"{{"jsonrpc":"2.0","id":2,"result":{{"tools":[]}},"Result":{evil}}}"#),
            None,
        ),
        answer(
            "a list in capital letters",
            r#"{"jsonrpc":"2.0","id":2,"result":{"tools":[],"TOOLS":[{"name":"evil","inputSchema":{"type":"object"}}]}}"#,
            None,
        ),
        answer(
            "a result and an error",
            &format!(
                r#"{{"jsonrpc":"2.0","id":2,"result":{evil},"error":{{"code":1,"message":"m"}}}}"#
            ),
            None,
        ),
        answer(
            "an answer that is a request, too",
            &format!(r#"{{"jsonrpc":"2.0","id":2,"method":"ping","result":{evil}}}"#),
            None,
        ),
        answer(
            "an answer behind another",
            &format!(r#"{{"jsonrpc":"2.0","id":2,"result":{{"tools":[]}}}}{BAD_RESULT}"#),
            None,
        ),
        answer(
            "two answers in a batch where there are none",
            &format!(
                r#"[{{"jsonrpc":"2.0","id":2,"result":{{"tools":[]}}}},{{"jsonrpc":"2.0","id":2,"result":{evil}}}]"#
            ),
            None,
        ),
        answer(
            "an answer whose id is a text",
            &format!(r#"{{"jsonrpc":"2.0","id":"2","result":{evil}}}"#),
            Some("response/id-type-preserved"),
        ),
        answer(
            "an answer without a version",
            &format!(r#"{{"id":2,"result":{evil}}}"#),
            None,
        ),
    ]
}

/// Bytes that are no text of JSON, and are read as one all the same.
fn not_text() -> Vec<Attack> {
    let mut invalid =
        br#"{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"evil"#.to_vec();
    invalid.extend_from_slice(b"\xff\"}}");
    let bytes = |name, sender, bytes: Vec<u8>| Attack {
        bytes,
        ..attack(name, sender, "", None)
    };
    vec![
        bytes("a text that is not UTF-8", Sender::Client, invalid),
        Attack {
            over: Over::Http,
            ..bytes(
                "UTF-16 without a label",
                Sender::Client,
                BAD_CALL.bytes().flat_map(|byte| [byte, 0]).collect(),
            )
        },
        Attack {
            over: Over::Http,
            ..bytes(
                "UTF-16 of the other order without a label",
                Sender::Server,
                BAD_RESULT.bytes().flat_map(|byte| [0, byte]).collect(),
            )
        },
    ]
}
