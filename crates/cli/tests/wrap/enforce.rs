//! In `enforce` nothing bad passes, and nobody waits for what was stopped.

use super::{Ended, wrap};

const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}"#;
const WELCOME: &str = r#"{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}"#;
const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;

/// A session: after the handshake the client says its lines, one by one, each after the server's
/// answer to the one before.
fn session(flags: &[&str], said: &[&str], answered: &[&str]) -> Ended {
    let mut script = format!("read line; echo '{WELCOME}'; read line; ");
    for answer in answered {
        let heard = "read line; echo \"got $line\" >&2; printf '%s\\n'";
        script = format!("{script}{heard} '{answer}'; ");
    }
    script.push_str("while read line; do echo \"got $line\" >&2; done");
    let mut flags = flags.to_vec();
    flags.extend(["--mode", "enforce"]);
    let mut wrapped = wrap(&flags, &script);
    wrapped.write(format!("{INITIALIZE}\n").as_bytes());
    wrapped.read(WELCOME.len() + 1);
    wrapped.write(format!("{INITIALIZED}\n").as_bytes());
    wrapped.say(format!("{}\n", said.join("\n")).as_bytes())
}

#[test]
fn a_bad_request_never_reaches_the_server() {
    let ended = session(
        &[],
        &[
            r#"{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{}}"#,
            r#"{"jsonrpc":"2.0","id":6,"method":"ping"}"#,
        ],
        &[r#"{"jsonrpc":"2.0","id":6,"result":{}}"#],
    );
    let out = String::from_utf8_lossy(&ended.stdout).into_owned();
    assert!(
        out.contains(r#"{"jsonrpc":"2.0","id":5,"error":{"code":-32602"#),
        "{out}"
    );
    assert!(
        out.contains(r#"{"jsonrpc":"2.0","id":6,"result":{}}"#),
        "{out}"
    );
    assert!(
        !ended.stderr.contains("got {\"jsonrpc\":\"2.0\",\"id\":5"),
        "{}",
        ended.stderr
    );
    assert!(
        ended.stderr.contains("got {\"jsonrpc\":\"2.0\",\"id\":6"),
        "{}",
        ended.stderr
    );
}

/// A hundred and fifty warnings, then an error; an id that is no JSON; a batch that uses an id
/// twice.
#[test]
fn nothing_talks_its_way_past() {
    let keys = r#""k":0,"#.repeat(150);
    let crowded =
        format!(r#"{{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{{{keys}"z":1}}}}"#);
    let odd_id = r#"{"jsonrpc":"2.0","id":00,"method":"ping"}"#;
    let ended = session(&[], &[&crowded, odd_id], &[]);
    let out = String::from_utf8_lossy(&ended.stdout).into_owned();
    let answers: Vec<&str> = out.lines().collect();
    let begins = [
        r#"{"jsonrpc":"2.0","id":5,"error":{"code":-32602,"#,
        r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"#,
    ];
    assert_eq!(answers.len(), begins.len(), "{out}");
    for (answer, begin) in answers.iter().zip(begins) {
        assert!(answer.starts_with(begin), "{answer}");
    }
    assert!(!ended.stderr.contains("got "), "{}", ended.stderr);
}

#[test]
fn a_batch_that_uses_an_id_twice_never_reaches_the_server() {
    let script = format!(
        "read line; echo '{}'; while read line; do echo \"got $line\" >&2; done",
        WELCOME.replace("2025-06-18", "2025-03-26")
    );
    let mut wrapped = wrap(&["--mode", "enforce"], &script);
    let initialize = INITIALIZE.replace("2025-06-18", "2025-03-26");
    wrapped.write(format!("{initialize}\n").as_bytes());
    wrapped.read(WELCOME.len() + 1);
    let ping = r#"{"jsonrpc":"2.0","id":7,"method":"ping"}"#;
    let ended = wrapped.say(format!("{INITIALIZED}\n[{ping},{ping}]\n").as_bytes());
    let out = String::from_utf8_lossy(&ended.stdout).into_owned();
    assert!(out.contains("request/id-unique-in-session"), "{out}");
    assert!(!ended.stderr.contains("got ["), "{}", ended.stderr);
}

#[test]
fn a_bad_answer_becomes_an_error_and_text_goes_to_standard_error() {
    let ended = session(
        &[],
        &[r#"{"jsonrpc":"2.0","id":6,"method":"tools/list"}"#],
        &["listing now\n{\"jsonrpc\":\"2.0\",\"id\":6,\"result\":{\"tools\":7}}"],
    );
    let out = String::from_utf8_lossy(&ended.stdout).into_owned();
    assert!(
        out.starts_with(r#"{"jsonrpc":"2.0","id":6,"error":{"code":-32062"#),
        "{out}"
    );
    assert!(!out.contains("listing now"), "{out}");
    assert!(ended.stderr.contains("listing now\n"), "{}", ended.stderr);
}

#[test]
fn a_broken_tool_is_kept_back_and_named() {
    let ended = session(
        &["--quarantine"],
        &[r#"{"jsonrpc":"2.0","id":6,"method":"tools/list"}"#],
        &[
            r#"{"jsonrpc":"2.0","id":6,"result":{"tools":[{"name":"good","inputSchema":{"type":"object"}},{"name":"broken"}]}}"#,
        ],
    );
    let out = String::from_utf8_lossy(&ended.stdout).into_owned();
    assert_eq!(
        out,
        "{\"jsonrpc\":\"2.0\",\"id\":6,\"result\":{\"tools\":[{\"name\":\"good\",\"inputSchema\":{\"type\":\"object\"}}]}}\n"
    );
    assert!(
        ended
            .stderr
            .contains("tool `broken` was left out of the list"),
        "{}",
        ended.stderr
    );
}

#[test]
fn small_mistakes_are_mended_and_told() {
    let ended = session(
        &["--repair"],
        &[r#"{"jsonrpc":"2.0","id":6,"method":"tools/list","params":{"cursor":null}}"#],
        &[r#"{"jsonrpc":"2.0","id":6,"result":{"tools":[]}}"#],
    );
    assert!(
        ended
            .stderr
            .contains(r#"got {"jsonrpc":"2.0","id":6,"method":"tools/list","params":{}}"#),
        "{}",
        ended.stderr
    );
    assert!(
        ended.stderr.contains("mended at /params/cursor"),
        "{}",
        ended.stderr
    );
}

#[test]
fn the_log_has_an_envelope_for_each_exchange_and_each_repair() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().to_str().expect("a plain path");
    session(
        &["--quarantine", "--log-dir", path],
        &[
            r#"{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{}}"#,
            r#"{"jsonrpc":"2.0","id":6,"method":"tools/list"}"#,
        ],
        &[r#"{"jsonrpc":"2.0","id":6,"result":{"tools":[{"name":"broken"}]}}"#],
    );
    let text = std::fs::read_to_string(folder.path().join("latest.jsonl")).expect("it is there");
    let events: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("an event is JSON"))
        .collect();
    let envelope = |id: u64| {
        let exchange =
            |event: &&serde_json::Value| event["event"] == "exchange" && event["id"] == id;
        let found: Vec<_> = events.iter().filter(exchange).collect();
        assert_eq!(found.len(), 1, "{text}");
        &found[0]["envelope"]
    };
    assert_eq!(envelope(5)["error"]["code"], "INVALID_INPUT");
    assert_eq!(envelope(6)["ok"], true);
    let repair = events.iter().find(|event| event["event"] == "repair");
    assert_eq!(repair.expect("it is logged")["tool"], "broken");
}

const PING: &str = r#"{"jsonrpc":"2.0","id":6,"method":"ping"}"#;
const PONG: &str = r#"{"jsonrpc":"2.0","id":6,"result":{}}"#;

#[test]
fn messages_of_several_lines_are_joined_both_ways_and_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().to_str().expect("a plain path");
    let ended = session(
        &["--repair", "--log-dir", path],
        &["{\n  \"jsonrpc\": \"2.0\",\n  \"id\": 6,\r\n  \"method\": \"ping\"\n}"],
        &["{\n\t\"jsonrpc\": \"2.0\",\n\t\"id\": 6,\n\t\"result\": {\n\t}\n}"],
    );
    assert!(
        ended
            .stderr
            .contains("got {\"jsonrpc\": \"2.0\",\"id\": 6,\"method\": \"ping\"}\n"),
        "{}",
        ended.stderr
    );
    let out = String::from_utf8_lossy(&ended.stdout).into_owned();
    assert_eq!(out, "{\"jsonrpc\": \"2.0\",\"id\": 6,\"result\": {}}\n");
    let told = "mended: 5 lines, 55 bytes became 1 line, 44 bytes (framing/no-embedded-newline)";
    assert!(ended.stderr.contains(told), "{}", ended.stderr);
    let text = std::fs::read_to_string(folder.path().join("latest.jsonl")).expect("it is there");
    let repairs: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("an event is JSON"))
        .filter(|event: &serde_json::Value| event["event"] == "repair")
        .collect();
    let [asked, answered] = &repairs[..] else {
        panic!("{text}");
    };
    assert_eq!(asked["kind"], "lines-joined");
    assert_eq!(asked["before"], "5 lines, 55 bytes");
    assert_eq!(asked["after"], "1 line, 44 bytes");
    assert_eq!(answered["before"], "6 lines, 49 bytes");
}

#[test]
fn what_never_becomes_a_message_is_not_lost() {
    let dump = "{\n  \"level\": \"info\",\n  \"port\": 8080\n}";
    let answer = format!("{dump}\n[\n{PONG}");
    let ended = session(&["--repair"], &[PING], &[&answer]);
    let out = String::from_utf8_lossy(&ended.stdout).into_owned();
    assert_eq!(out, format!("{PONG}\n"));
    assert!(
        ended.stderr.contains(&format!("{dump}\n[\n")),
        "{}",
        ended.stderr
    );
    assert!(!ended.stderr.contains("mended"), "{}", ended.stderr);
}

#[test]
fn a_log_of_json_is_text_and_no_answer() {
    let log = r#"{"level":30,"msg":"listening"}"#;
    let ended = session(&[], &[PING], &[&format!("{log}\n{PONG}")]);
    let out = String::from_utf8_lossy(&ended.stdout).into_owned();
    assert_eq!(out, format!("{PONG}\n"));
    assert!(
        ended.stderr.contains(&format!("{log}\n")),
        "{}",
        ended.stderr
    );
}

#[test]
fn a_half_message_is_answered_for_though_nothing_follows() {
    let script = format!(
        "read line; echo '{WELCOME}'; read line; read line; echo '{{\"jsonrpc\":\"2.0\",\"id\":6,\"result\":{{}}'; read line"
    );
    let mut wrapped = wrap(&["--repair", "--mode", "enforce"], &script);
    wrapped.write(format!("{INITIALIZE}\n").as_bytes());
    wrapped.read(WELCOME.len() + 1);
    wrapped.write(format!("{INITIALIZED}\n{PING}\n").as_bytes());
    // The server is still there and waits.
    let told = wrapped.read(40);
    let told = String::from_utf8_lossy(&told).into_owned();
    assert!(
        told.starts_with(r#"{"jsonrpc":"2.0","id":6,"error":"#),
        "{told}"
    );
    wrapped.say(b"\n");
}

#[test]
fn refusals_are_logged_in_the_revision_of_the_session() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let bad = [
        r#"{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{}}"#,
        "{oops",
        r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
    ];
    let ended = session(&["--log-dir", path], &bad, &[]);
    let answers = String::from_utf8_lossy(&ended.stdout).into_owned();
    assert_eq!(answers.lines().count(), bad.len(), "{answers}");
    let log = std::fs::read_to_string(folder.path().join("latest.jsonl")).unwrap();
    let refusals: Vec<serde_json::Value> = log
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .filter(|event: &serde_json::Value| event["event"] == "message" && event["kind"] == "error")
        .collect();
    assert_eq!(refusals.len(), bad.len(), "{log}");
    for refusal in refusals {
        assert_eq!(refusal["revision"], "2025-06-18", "{refusal}");
        let rules: Vec<_> = refusal["rules"].as_array().into_iter().flatten().collect();
        if refusal["id"] == 5 {
            assert_eq!(refusal["verdict"], "pass", "{refusal}");
        } else {
            // Of an id that could not be read there is a note, and nothing else.
            assert_eq!(refusal["verdict"], "flag", "{refusal}");
            assert_eq!(rules.len(), 1, "{refusal}");
            assert_eq!(rules[0]["rule"], "jsonrpc/error-id-not-null", "{refusal}");
        }
    }
}

#[test]
fn only_the_selected_messages_are_refused() {
    let call = r#"{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{}}"#;
    let read = r#"{"jsonrpc":"2.0","id":6,"method":"resources/read","params":{}}"#;
    let progress = r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{}}"#;
    for (flags, refused) in [
        (["--select", "method:tools/call"], [call].as_slice()),
        (["--select", "kind:notification"], &[progress]),
        (["--ignore", "method:tools/call"], &[read, progress]),
        (["--ignore", "kind:request"], &[progress]),
    ] {
        let ended = session(&flags, &[call, read, progress], &[]);
        for message in [call, read, progress] {
            assert_eq!(
                !ended.stderr.contains(&format!("got {message}")),
                refused.contains(&message),
                "{flags:?}: {message}\n{}",
                ended.stderr
            );
        }
    }
}
