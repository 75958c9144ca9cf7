//! The text that people see for each kind of fault. A stranger must understand each without the
//! source of the program.

use crate::conversation::{conversation, policy, show};
use mcp_assay::Direction::ServerToClient;
use mcp_assay_report::{Format, RecordFault, SourceState, Style, Totals};

/// Name, revision, conversation.
type Case = (&'static str, &'static str, &'static [u8]);

const FRAMING: &[Case] = &[
    ("two_messages_on_one_line", "2025-06-18", br#"<-- {"jsonrpc":"2.0","id":1,"result":{}}{"jsonrpc":"2.0","id":2,"result":{}}"#),
    ("not_utf8", "2025-06-18", b"--> {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"caf\xe9\"}}"),
];

const JSON: &[Case] = &[
    ("banner_on_stdout", "auto", b"<-- Weather server v1.2 listening on stdio"),
    ("empty_line", "auto", b"<-- "),
    ("cut_off", "auto", br#"<-- {"jsonrpc":"2.0","id":1,"result":{"tools":["#),
    ("cut_off_in_string", "auto", br#"<-- {"jsonrpc":"2.0","id":1,"result":{"text":"once upon a ti"#),
    ("trailing_comma", "auto", br#"--> {"jsonrpc":"2.0","id":1,"method":"ping",}"#),
    ("missing_comma", "auto", br#"--> {"jsonrpc":"2.0" "id":1,"method":"ping"}"#),
    ("missing_colon", "auto", br#"--> {"jsonrpc":"2.0","id" 1,"method":"ping"}"#),
    ("unquoted_key", "auto", br#"--> {jsonrpc:"2.0","id":1,"method":"ping"}"#),
    ("single_quotes", "auto", b"--> {'jsonrpc':'2.0','id':1,'method':'ping'}"),
    ("python_literal", "auto", br#"<-- {"jsonrpc":"2.0","id":1,"result":{"content":[],"isError":True}}"#),
    ("comment", "auto", br#"--> {"jsonrpc":"2.0", /* mine */ "id":1,"method":"ping"}"#),
    ("not_a_number", "auto", br#"<-- {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":NaN}}"#),
    ("leading_zero", "auto", br#"--> {"jsonrpc":"2.0","id":007,"method":"ping"}"#),
    ("unknown_escape", "auto", br#"--> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"C:\dir"}}"#),
    ("raw_control_character", "auto", b"<-- {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"text\":\"\x1b[31mred\x1b[0m\"}}"),
    ("byte_order_mark", "auto", b"--> \xef\xbb\xbf{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}"),
    ("trailing_bytes", "auto", br#"<-- {"jsonrpc":"2.0","id":1,"result":{}} done"#),
    ("repeated_key", "2025-06-18", br#"--> {"jsonrpc":"2.0","id":1,"method":"ping","id":2}"#),
    ("half_a_surrogate_pair", "2025-06-18", br#"--> {"jsonrpc":"2.0","id":"\ud83d","method":"ping"}"#),
    ("bare_string", "auto", br#"<-- "ready""#),
    ("id_beyond_doubles", "2025-06-18", br#"--> {"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}"#),
];

const JSONRPC: &[Case] = &[
    ("no_version", "2025-06-18", br#"--> {"id":1,"method":"ping"}"#),
    ("version_is_a_number", "2025-06-18", br#"--> {"jsonrpc":2.0,"id":1,"method":"ping"}"#),
    ("no_kind", "2025-06-18", br#"<-- {"jsonrpc":"2.0","id":1,"results":{}}"#),
    ("two_kinds", "2025-06-18", br#"--> {"jsonrpc":"2.0","id":1,"method":"ping","result":{}}"#),
    ("method_is_a_number", "2025-06-18", br#"--> {"jsonrpc":"2.0","id":1,"method":7}"#),
    ("positional_params", "2025-06-18", br#"--> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":["add",1,2]}"#),
    ("null_id", "2025-06-18", br#"--> {"jsonrpc":"2.0","id":null,"method":"ping"}"#),
    ("fractional_id", "2025-06-18", br#"--> {"jsonrpc":"2.0","id":1.5,"method":"ping"}"#),
    ("id_is_an_object", "2025-06-18", br#"--> {"jsonrpc":"2.0","id":{"n":1},"method":"ping"}"#),
    ("request_without_id", "2025-06-18", br#"--> {"jsonrpc":"2.0","method":"tools/list"}"#),
    ("notification_with_id", "2025-06-18", br#"--> {"jsonrpc":"2.0","id":2,"method":"notifications/initialized"}"#),
    ("result_and_error", "2025-06-18", br#"<-- {"jsonrpc":"2.0","id":1,"result":{},"error":{"code":-32603,"message":"oops"}}"#),
    ("result_is_null", "2025-06-18", b"--> {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n<-- {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":null}"),
    ("result_without_id", "2025-06-18", br#"<-- {"jsonrpc":"2.0","result":{}}"#),
    ("error_with_null_id", "2025-06-18", br#"<-- {"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse error"}}"#),
    ("error_is_a_string", "2025-06-18", br#"<-- {"jsonrpc":"2.0","id":1,"error":"not found"}"#),
    ("error_code_is_a_string", "2025-06-18", br#"<-- {"jsonrpc":"2.0","id":1,"error":{"code":"ENOENT","message":"not found"}}"#),
    ("error_without_message", "2025-06-18", br#"<-- {"jsonrpc":"2.0","id":1,"error":{"code":-32603,"msg":"not found"}}"#),
    ("batch_in_a_revision_without", "2025-06-18", br#"--> [{"jsonrpc":"2.0","id":1,"method":"ping"}]"#),
    ("batch_before_it_was_defined", "2024-11-05", br#"--> [{"jsonrpc":"2.0","id":1,"method":"ping"}]"#),
    ("batch_is_empty", "2025-03-26", b"--> []"),
    ("batch_of_two_kinds", "2025-03-26", br#"--> [{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":7,"result":{}}]"#),
    ("fault_inside_a_batch", "2025-03-26", br#"--> [{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{}}]"#),
];

const SCHEMA: &[Case] = &[
    ("member_is_missing", "2025-06-18", b"--> {\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/list\"}\n<-- {\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{\"tools\":[{\"name\":\"add\",\"description\":\"adds two numbers\"}]}}"),
    ("member_is_misspelt", "2025-06-18", b"--> {\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/list\"}\n<-- {\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{\"tools\":[{\"name\":\"add\",\"input_schema\":{\"type\":\"object\"}}]}}"),
    ("params_are_missing", "2025-06-18", br#"--> {"jsonrpc":"2.0","id":3,"method":"tools/call"}"#),
    ("wrong_type", "2025-06-18", br#"--> {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"add","arguments":"{\"a\":1}"}}"#),
    ("wrong_type_in_an_array", "2025-06-18", b"--> {\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/list\"}\n<-- {\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{\"tools\":[\"add\"]}}"),
    ("object_instead_of_array", "2025-06-18", b"--> {\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/list\"}\n<-- {\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{\"tools\":{\"add\":{}}}}"),
    ("bool_as_a_string", "2025-06-18", b"--> {\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\",\"params\":{\"name\":\"say\"}}\n<-- {\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{\"content\":[],\"isError\":\"true\"}}"),
    ("wrong_type_in_meta", "2026-07-28", br#"--> {"jsonrpc":"2.0","id":3,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":20260728,"io.modelcontextprotocol/clientCapabilities":{}}}}"#),
    ("wrong_type_of_a_token", "2025-06-18", br#"<-- {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":true,"progress":"50%"}}"#),
    ("null_instead_of_absent", "2025-06-18", b"--> {\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/list\"}\n<-- {\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{\"tools\":[],\"nextCursor\":null}}"),
    ("unknown_value", "2025-06-18", br#"--> {"jsonrpc":"2.0","id":3,"method":"logging/setLevel","params":{"level":"warn"}}"#),
    ("literal", "2025-06-18", b"--> {\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/list\"}\n<-- {\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{\"tools\":[{\"name\":\"add\",\"inputSchema\":{\"type\":\"array\"}}]}}"),
    ("out_of_range", "2025-06-18", b"--> {\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\",\"params\":{\"name\":\"add\"}}\n<-- {\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"3\",\"annotations\":{\"priority\":7}}]}}"),
    ("variant_of_a_later_revision", "2024-11-05", b"--> {\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\",\"params\":{\"name\":\"say\"}}\n<-- {\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{\"content\":[{\"type\":\"audio\",\"data\":\"\",\"mimeType\":\"audio/wav\"}]}}"),
    ("variant_of_no_revision", "2025-06-18", b"--> {\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\",\"params\":{\"name\":\"say\"}}\n<-- {\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{\"content\":[{\"type\":\"txt\",\"text\":\"hello\"}]}}"),
    ("variant_without_tag", "2025-06-18", b"--> {\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\",\"params\":{\"name\":\"say\"}}\n<-- {\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{\"content\":[{\"text\":\"hello\"}]}}"),
    ("nearest_branch", "2025-06-18", b"--> {\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"resources/read\",\"params\":{\"uri\":\"file:///a\"}}\n<-- {\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{\"contents\":[{\"uri\":\"file:///a\",\"blob\":17}]}}"),
    ("method_of_a_later_revision", "2025-03-26", br#"<-- {"jsonrpc":"2.0","id":3,"method":"elicitation/create","params":{"message":"?","requestedSchema":{"type":"object","properties":{}}}}"#),
    ("method_of_an_earlier_revision", "2026-07-28", br#"--> {"jsonrpc":"2.0","id":3,"method":"logging/setLevel","params":{"level":"info"}}"#),
    ("method_is_misspelt", "2025-06-18", br#"--> {"jsonrpc":"2.0","id":3,"method":"tool/list"}"#),
    ("method_of_no_revision", "2025-06-18", br#"--> {"jsonrpc":"2.0","id":3,"method":"shutdown"}"#),
    ("request_in_the_wrong_direction", "2025-06-18", br#"<-- {"jsonrpc":"2.0","id":3,"method":"tools/list"}"#),
    ("notification_in_the_wrong_direction", "2025-06-18", br#"--> {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#),
    ("revision_of_the_handshake", "auto", b"--> {\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{},\"clientInfo\":{\"name\":\"c\",\"version\":\"1\"}}}\n<-- {\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{\"protocolVersion\":\"2024-11-05\",\"capabilities\":{},\"serverInfo\":{\"name\":\"s\"}}}\n--> {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"elicitation/create\",\"params\":{}}"),
    ("result_type_is_missing", "2026-07-28", b"--> {\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\",\"params\":{\"name\":\"say\",\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\"io.modelcontextprotocol/clientCapabilities\":{}}}}\n<-- {\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{\"content\":[]}}"),
];

/// Attempts of traffic to act on the reader's terminal.
const HOSTILE: &[Case] = &[
    ("escape_sequences_in_a_name", "2025-06-18", b"--> {\"jsonrpc\":\"2.0\",\"id\":\"\\u001b[2J\",\"method\":\"\\u001b]0;owned\\u0007\"}"),
    ("escape_sequences_between_tokens", "2025-06-18", b"--> {\"jsonrpc\":\"2.0\",\x1b[2J\"id\":1}"),
    ("reordered_text", "2025-06-18", "--> {\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\",\"params\":{\"name\":\"\u{202e}timbus\u{202c}\",\"arguments\":7}}".as_bytes()),
    ("tabs", "2025-06-18", b"--> {\t\"jsonrpc\":\t\"2.0\",\t\"id\":\tnull,\t\"method\":\t\"ping\"}"),
    ("wide_characters", "2025-06-18", "--> {\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\",\"params\":{\"name\":\"天気予報\",\"arguments\":\"東京🗼\"}}".as_bytes()),
];

fn check(cases: &[Case]) {
    for (name, revision, text) in cases {
        let shown = show(
            Format::Human,
            Style::PLAIN,
            policy(revision),
            &conversation(text),
        );
        assert!(
            !shown.contains("all clean") && !shown.contains("message: clean"),
            "{name} is not found"
        );
        snapshot(name, &shown);
    }
}

fn snapshot(name: &str, shown: &str) {
    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!(name, shown);
    });
}

#[test]
fn framing() {
    check(FRAMING);
}

#[test]
fn json() {
    check(JSON);
}

#[test]
fn jsonrpc() {
    check(JSONRPC);
}

#[test]
fn schema() {
    check(SCHEMA);
}

#[test]
fn hostile() {
    check(HOSTILE);
}

#[test]
fn limits() {
    let mut small = policy("2025-06-18");
    (
        small.limits.bytes,
        small.limits.depth,
        small.limits.tokens,
        small.limits.open_requests,
    ) = (80, 4, 12, 1);
    for (name, text) in [
        ("limit_of_size", &br#"--> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a name far too long"}}"#[..]),
        ("limit_of_depth", br#"<-- {"jsonrpc":"2.0","id":1,"result":{"a":[[[[]]]]}}"#),
        ("limit_of_tokens", br#"<-- {"jsonrpc":"2.0","id":1,"result":{"a":[1,2,3,4,5,6,7,8]}}"#),
        ("limit_of_open_requests", b"--> {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n--> {\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}"),
    ] {
        snapshot(name, &show(Format::Human, Style::PLAIN, small.clone(), &conversation(text)));
    }
}

#[test]
fn one_line_of_five_megabytes() {
    let half = "x".repeat(5 << 19);
    let item = |text: &str| format!(r#"{{"type":"text","text":{text}}}"#);
    let content = [
        item(&format!("\"{half}\"")),
        item("17"),
        item(&format!("\"{half}\"")),
    ]
    .join(",");
    let response = format!(r#"{{"jsonrpc":"2.0","id":3,"result":{{"content":[{content}]}}}}"#);
    let request = br#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"say"}}"#;
    let messages = [
        (ServerToClient.reverse(), &request[..]),
        (ServerToClient, response.as_bytes()),
    ];
    let shown = show(Format::Human, Style::PLAIN, policy("2025-06-18"), &messages);
    assert!(shown.len() < 2000, "{} bytes", shown.len());
    snapshot("one_line_of_five_megabytes", &shown);

    let unwanted = format!(
        r#"{{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{{"arguments":{{"a":"{half}"}}}}}}"#
    );
    let messages = [(ServerToClient.reverse(), unwanted.as_bytes())];
    snapshot(
        "missing_from_a_large_object",
        &show(Format::Human, Style::PLAIN, policy("2025-06-18"), &messages),
    );
}

#[test]
fn a_pretty_printed_message() {
    let message = "{\n  \"jsonrpc\": \"2.0\",\n  \"id\": 3,\n  \"method\": \"tools/call\",\n  \"params\": {\n    \"name\": 7\n  }\n}";
    let messages = [(ServerToClient.reverse(), message.as_bytes())];
    snapshot(
        "pretty_printed",
        &show(Format::Human, Style::PLAIN, policy("2025-06-18"), &messages),
    );
}

#[test]
fn many_violations_of_one_message() {
    let tools = [r#"{"name":1}"#; 9].join(",");
    let text = format!(
        "--> {{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/list\"}}\n<-- {{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{{\"tools\":[{tools}]}}}}"
    );
    let shown = show(
        Format::Human,
        Style::PLAIN,
        policy("2025-06-18"),
        &conversation(text.as_bytes()),
    );
    assert_eq!(shown.matches("error[").count(), 10);
    assert!(shown.contains("\nand 8 more in this message\n"), "{shown}");
    assert!(shown.ends_with("2 messages: 1 clean, 1 with errors\n  9  schema/missing-member\n  9  schema/wrong-type\n"), "{shown}");
}

#[test]
fn narrow_terminals_get_narrow_windows() {
    let text = br#"--> {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"add","arguments":"a long string in the wrong place"}}"#;
    let style = Style {
        width: 60,
        fold: true,
        ..Style::PLAIN
    };
    let shown = show(
        Format::Human,
        style,
        policy("2025-06-18"),
        &conversation(text),
    );
    let snippet: Vec<_> = shown
        .lines()
        .filter(|line| line.starts_with(" |"))
        .collect();
    assert!(
        snippet.iter().all(|line| line.chars().count() <= 60),
        "{shown}"
    );
    snapshot("narrow", &shown);
}

#[test]
fn colour_only_where_wanted() {
    let text = br#"--> {"jsonrpc":"2.0","id":null,"method":"ping"}"#;
    let plain = show(
        Format::Human,
        Style::PLAIN,
        policy("2025-06-18"),
        &conversation(text),
    );
    let coloured = show(
        Format::Human,
        Style {
            colour: true,
            ..Style::PLAIN
        },
        policy("2025-06-18"),
        &conversation(text),
    );
    assert!(!plain.contains('\x1b'));
    assert!(coloured.contains("\x1b["));
}

#[test]
fn a_clean_run_is_one_line() {
    let ping = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";
    let two = format!("--> {ping}\n<-- {ping}");
    let shown = |text: &[u8]| {
        show(
            Format::Human,
            Style::PLAIN,
            policy("2025-06-18"),
            &conversation(text),
        )
    };
    assert_eq!(shown(two.as_bytes()), "2 messages: all clean\n");
    assert_eq!(
        shown(format!("--> {ping}").as_bytes()),
        "1 message: clean\n"
    );
    assert_eq!(
        show(Format::Human, Style::PLAIN, policy("auto"), &[]),
        "no messages\n"
    );
}

#[test]
fn a_broken_record() {
    let reporter = Format::Human.reporter(Style::PLAIN);
    let (mut out, mut totals) = (Vec::new(), Totals::default());
    totals.add_record_fault();
    let fault = RecordFault {
        source: "a\x1b.ndjson",
        line: 9,
        message: "`dir` is \"up\", expected `c2s` or `s2c`",
    };
    reporter
        .record_fault(&fault, &mut SourceState::default(), &mut out)
        .unwrap();
    reporter.finish(&totals, &mut out).unwrap();
    snapshot("broken_record", &String::from_utf8(out).unwrap());
}
