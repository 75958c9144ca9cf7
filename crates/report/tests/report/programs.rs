//! The formats for programs: the order and the names of members are a contract.

use crate::conversation::{conversation, policy, show};
use mcp_assay_report::{Format, Origin, Pieces, RecordFault, SourceState, Style, Totals};

const TEXT: &[u8] = b"--> {\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/list\"}\n\
    <-- {\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{\"tools\":[{\"name\":\"add\"}]}}\n\
    <-- oops";

#[test]
fn ndjson_is_a_line_a_message_and_a_summary() {
    let lines = show(
        Format::Ndjson,
        Style::PLAIN,
        policy("2025-06-18"),
        &conversation(TEXT),
    );
    let expected = [
        r#"{"source":"log.ndjson","line":1,"dir":"c2s","session":null,"kind":"request","method":"tools/list","id":3,"#,
        r#""revision":"2025-06-18","verdict":"pass","violations":[]}"#,
        "\n",
        r#"{"source":"log.ndjson","line":2,"dir":"s2c","session":null,"kind":"response","method":"tools/list","id":3,"#,
        r#""revision":"2025-06-18","verdict":"block","violations":[{"rule":"schema/missing-member","layer":"schema","#,
        r#""level":"error","message":"`inputSchema` is missing from `Tool`","pointer":"/result/tools/0","#,
        r#""span":{"start":43,"end":57},"code":-32602,"help":"add `inputSchema`","spec":"2025-06-18/basic#schema","party":"server","#,
        r#""schema":{"document":"urn:mcp-assay:2025-06-18","pointer":"/$defs/Tool/required","keyword":"required"}}]}"#,
        "\n",
        r#"{"source":"log.ndjson","line":3,"dir":"s2c","session":null,"kind":"unreadable","method":null,"id":null,"#,
        r#""revision":"2025-06-18","verdict":"block","violations":[{"rule":"framing/stdout-messages-only","layer":"framing","#,
        r#""level":"error","message":"the server writes something to standard output that is no message","pointer":"","#,
        r#""span":{"start":0,"end":4},"code":null,"help":"write it to standard error","#,
        r#""spec":"2025-06-18/basic/transports#stdio","party":"server"}]}"#,
        "\n",
        r#"{"summary":{"messages":3,"pass":1,"flag":0,"block":2,"violations":{"framing/stdout-messages-only":1,"schema/missing-member":1}}}"#,
        "\n",
    ];
    assert_eq!(lines, expected.concat());
}

#[test]
fn json_is_one_document_of_the_same_objects() {
    let lines = show(
        Format::Ndjson,
        Style::PLAIN,
        policy("2025-06-18"),
        &conversation(TEXT),
    );
    let document = show(
        Format::Json,
        Style::PLAIN,
        policy("2025-06-18"),
        &conversation(TEXT),
    );
    let document: serde_json::Value = serde_json::from_str(&document).unwrap();
    let mut lines: Vec<serde_json::Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let summary = lines.pop().unwrap();
    assert_eq!(document["messages"].as_array(), Some(&lines));
    assert_eq!(document["summary"], summary["summary"]);
    let empty = show(Format::Json, Style::PLAIN, policy("auto"), &[]);
    assert_eq!(
        serde_json::from_str::<serde_json::Value>(&empty).unwrap()["messages"],
        serde_json::json!([])
    );
}

#[test]
fn ids_are_written_as_they_were_sent() {
    for (sent, written) in [
        ("1e2", "1e2"),
        ("-0", "-0"),
        ("12345678901234567890", "12345678901234567890"),
        (r#""a\u0062""#, r#""a\u0062""#),
        ("null", "null"),
        ("[1,\r2]", "[1, 2]"),
        // Half a surrogate pair is refused by many parsers.
        (r#""\ud800""#, "\"\u{fffd}\""),
    ] {
        let text = format!("--> {{\"jsonrpc\":\"2.0\",\"id\":{sent},\"method\":\"ping\"}}");
        let lines = show(
            Format::Ndjson,
            Style::PLAIN,
            policy("2025-06-18"),
            &conversation(text.as_bytes()),
        );
        assert!(
            lines.contains(&format!(",\"id\":{written},\"revision\"")),
            "{sent} is written in {lines}"
        );
    }
}

#[test]
fn absent_values_are_null() {
    let lines = show(
        Format::Ndjson,
        Style::PLAIN,
        policy("auto"),
        &conversation(b"<-- oops"),
    );
    assert!(
        lines.contains(r#""method":null,"id":null,"revision":null,"verdict":"block""#),
        "{lines}"
    );
    // No refusal makes sense for advice, so there is no code.
    let large = br#"--> {"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}"#;
    let lines = show(
        Format::Ndjson,
        Style::PLAIN,
        policy("2025-06-18"),
        &conversation(large),
    );
    assert!(
        lines.contains(r#""level":"note""#) && lines.contains(r#""code":null"#),
        "{lines}"
    );
    assert!(lines.contains(r#""verdict":"flag""#), "{lines}");
}

#[test]
fn broken_records_have_entries_of_their_own() {
    let fault = RecordFault {
        source: "a \"b\".ndjson",
        line: 4,
        message: "`dir` is missing",
    };
    let mut totals = Totals::default();
    totals.add_record_fault();
    let write = |format: Format| {
        let reporter = format.reporter(Style::PLAIN);
        let mut out = Pieces::begin(&*reporter, Vec::new()).unwrap();
        out.record_fault(&fault).unwrap();
        out.record_fault(&fault).unwrap();
        String::from_utf8(out.finish(&totals).unwrap()).unwrap()
    };
    let entry = r#"{"source":"a \"b\".ndjson","line":4,"record_fault":"`dir` is missing"}"#;
    let summary = r#"{"messages":0,"pass":0,"flag":0,"block":0,"violations":{},"record_faults":1}"#;
    assert_eq!(
        write(Format::Ndjson),
        format!("{entry}\n{entry}\n{{\"summary\":{summary}}}\n")
    );
    assert_eq!(
        write(Format::Json),
        format!("{{\"messages\":[\n{entry},\n{entry}\n],\"summary\":{summary}}}\n")
    );
}

#[test]
fn sessions_are_named() {
    let (mut validator, mut session) = (mcp_assay::Validator::default(), mcp_assay::Session::new());
    let checked = validator.check(&mut session, b"{}");
    let origin = Origin {
        source: "a",
        line: 1,
        session: Some("s\n1"),
        ..Origin::default()
    };
    let mut out = Vec::new();
    Format::Ndjson
        .reporter(Style::PLAIN)
        .message(&origin, &checked, &mut SourceState::default(), &mut out)
        .unwrap();
    assert!(
        String::from_utf8(out)
            .unwrap()
            .contains(r#""session":"s\n1""#)
    );
    let mut out = Vec::new();
    Format::Human
        .reporter(Style::PLAIN)
        .message(&origin, &checked, &mut SourceState::default(), &mut out)
        .unwrap();
    assert!(String::from_utf8(out).unwrap().contains("session s␊1"));
}

#[test]
fn totals_add_up() {
    let mut validator = mcp_assay::Validator::new(policy("2025-06-18"));
    let mut session = mcp_assay::Session::new();
    let (mut first, mut second) = (Totals::default(), Totals::default());
    first.add(&validator.check(&mut session, br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#));
    second.add(&validator.check(
        &mut session,
        br#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
    ));
    second.add(&validator.check(
        &mut session,
        br#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
    ));
    assert!(first.is_clean() && !second.is_clean());
    first.merge(&second);
    assert_eq!(
        (first.messages, first.pass, first.flag, first.block),
        (3, 1, 0, 2)
    );
    assert_eq!(first.violations["jsonrpc/request-id-not-null"], 2);
}
