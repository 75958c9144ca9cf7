//! In `enforce` nothing passes that has an error, and nobody waits for what did not pass.

use crate::process::Gateway;
use crate::server::{Server, Then};
use crate::sound::{
    self, CALL, INITIALIZE, INITIALIZE_RESULT, JSON, LIST, PING, PONG, answer, stream,
};

const ENFORCE: &[&str] = &["--mode", "enforce"];
const SESSION: &str = "Mcp-Session-Id: session-t\r\nMCP-Protocol-Version: 2025-06-18\r\n";

#[test]
fn a_bad_request_is_refused_and_the_server_never_sees_it() {
    let server = Server::sound();
    let gateway = Gateway::new(&server.url(), ENFORCE);
    let mut client = gateway.client();
    let call = r#"{"jsonrpc":"2.0","id":"x-1","method":"tools/call","params":{"arguments":{}}}"#;
    let keys = r#""k":0,"#.repeat(150);
    let crowded =
        format!(r#"{{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{{{keys}"z":1}}}}"#);
    for (body, status, begins) in [
        (
            call,
            "200",
            r#"{"jsonrpc":"2.0","id":"x-1","error":{"code":-32602,"#,
        ),
        // A hundred and fifty warnings do not hide the error.
        (
            &crowded,
            "200",
            r#"{"jsonrpc":"2.0","id":5,"error":{"code":-32602,"#,
        ),
        // An id that is no JSON is not echoed.
        (
            r#"{"jsonrpc":"2.0","id":00,"method":"ping"}"#,
            "400",
            r#"{"jsonrpc":"2.0","error":{"code":-32700,"#,
        ),
        (
            "{\"jsonrpc\":\"2.0\",",
            "400",
            r#"{"jsonrpc":"2.0","error":{"code":-32700,"#,
        ),
        (
            r#"{"jsonrpc":"1.0","id":2,"method":"ping"}"#,
            "200",
            r#"{"jsonrpc":"2.0","id":2,"error":{"code":-32600,"#,
        ),
    ] {
        let answer = client.post("", body);
        assert!(answer.status.starts_with(status), "{body}: {answer:?}");
        assert_eq!(answer.header("content-type"), Some("application/json"));
        assert!(
            answer.text().starts_with(begins),
            "{body}: {}",
            answer.text()
        );
    }
    // What a value was is nobody's business.
    assert!(
        client
            .post("", call)
            .text()
            .contains("\"rule\":\"schema/missing-member\"")
    );
    client.send(
        "POST",
        "/mcp",
        "Accept: text/html\r\nContent-Type: application/json\r\n",
        PING,
    );
    assert!(client.answer().status.starts_with("406"));
    // Without sessions, the status says it too.
    let modern = r#"{"jsonrpc":"2.0","id":4,"method":"tools/none","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}"#;
    let headers = "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/none\r\n";
    assert!(client.post(headers, modern).status.starts_with("404"));
    let headers = "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: ping\r\n";
    let answer = client.post(headers, modern.replace("tools/none", "tools/list"));
    assert!(answer.status.starts_with("400"));
    assert!(answer.text().contains("-32020"), "{}", answer.text());
    assert!(server.requests().is_empty());
    // The connection and the session go on.
    assert_eq!(client.post("", PING).text(), PONG);
    let ended = gateway.end();
    assert_eq!(ended.status.code(), Some(1));
    assert!(
        ended.stderr.contains("9 messages did not pass"),
        "{}",
        ended.stderr
    );
}

#[test]
fn a_batch_that_uses_an_id_twice_is_refused() {
    let server = Server::except(|request| {
        let result = INITIALIZE_RESULT.replace("2025-06-18", "2025-03-26");
        let headers = format!("{JSON}Mcp-Session-Id: session-t\r\n");
        request
            .text()
            .contains("initialize")
            .then(|| answer("200 OK", &headers, result.as_bytes()))
    });
    let gateway = Gateway::new(&server.url(), ENFORCE);
    let mut client = gateway.client();
    client.post("", INITIALIZE.replace("2025-06-18", "2025-03-26"));
    let seen = server.requests().len();
    let ping = r#"{"jsonrpc":"2.0","id":7,"method":"ping"}"#;
    let answer = client.post(
        "Mcp-Session-Id: session-t\r\nMCP-Protocol-Version: 2025-03-26\r\n",
        format!("[{ping},{ping}]"),
    );
    let text = answer.text();
    assert!(text.contains("request/id-unique-in-session"), "{text}");
    assert_eq!(server.requests().len(), seen);
}

#[test]
fn a_bad_notification_is_refused_and_not_called_accepted() {
    let server = Server::sound();
    let gateway = Gateway::new(&server.url(), ENFORCE);
    let bad = r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{}}"#;
    let answer = gateway.client().post("", bad);
    assert!(answer.status.starts_with("400"), "{answer:?}");
    assert!(
        answer
            .text()
            .starts_with(r#"{"jsonrpc":"2.0","error":{"code":-32602,"#),
        "{answer:?}"
    );
    assert!(server.requests().is_empty());
    assert!(gateway.end().stderr.contains("schema/missing-member"));
}

#[test]
fn bad_answers_are_replaced() {
    let bad_list = r#"{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"add"}]}}"#;
    let stranger = r#"{"jsonrpc":"2.0","id":77,"result":{"tools":[]}}"#;
    let rest = "{\"jsonrpc\":\"2.0\",\"id\":2,\"error\":{\"code\":";
    for body in [
        bad_list,
        stranger,
        "not JSON at all",
        "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"tools\":[}}",
    ] {
        let server = Server::except(move |request| {
            (request.text() == LIST).then(|| answer("200 OK", JSON, body.as_bytes()))
        });
        let gateway = Gateway::new(&server.url(), ENFORCE);
        let mut client = gateway.client();
        client.post("", INITIALIZE);
        let answer = client.post(SESSION, LIST);
        assert!(answer.status.starts_with("200"), "{body}: {answer:?}");
        assert!(answer.text().starts_with(rest), "{body}: {}", answer.text());
    }
}

#[test]
fn bad_events_are_replaced_and_the_others_pass() {
    let progress = r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p","progress":1}}"#;
    let bad_progress =
        r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1}}"#;
    let bad_result = r#"{"jsonrpc":"2.0","id":3,"result":{"content":5}}"#;
    let server = Server::except(move |request| {
        request
            .text()
            .contains("tools/call")
            .then(|| stream(&[progress, bad_progress, bad_result]))
    });
    let gateway = Gateway::new(&server.url(), ENFORCE);
    let mut client = gateway.client();
    client.post("", INITIALIZE);
    let text = client
        .post(
            "Mcp-Session-Id: session-t\r\nMCP-Protocol-Version: 2025-06-18\r\n",
            CALL,
        )
        .text();
    let good = format!(": hello\n\nevent: message\nid: 0\ndata: {progress}\n\n");
    // Of what is left out, the id stays: a client may resume after it.
    let rest = text.strip_prefix(&good).unwrap_or_else(|| panic!("{text}"));
    assert!(
        rest.starts_with("event: message\nid: 1\n\nevent: message\nid: 2\ndata: {\"jsonrpc\":\"2.0\",\"id\":3,\"error\":{"),
        "{rest}"
    );
}

#[test]
fn an_answer_that_cannot_be_told_to_belong_to_anything_still_ends_the_wait() {
    let stranger = r#"{"jsonrpc":"2.0","id":77,"result":{"content":[]}}"#;
    let server =
        Server::except(move |request| (request.text() == CALL).then(|| stream(&[stranger])));
    let gateway = Gateway::new(&server.url(), ENFORCE);
    let mut client = gateway.client();
    client.post("", INITIALIZE);
    let text = client.post(SESSION, CALL).text();
    assert!(!text.contains("77"), "{text}");
    assert!(
        text.contains("data: {\"jsonrpc\":\"2.0\",\"id\":3,\"error\":{"),
        "{text}"
    );
}

#[test]
fn a_bad_request_of_the_server_is_answered_to_the_server() {
    let bad = r#"{"jsonrpc":"2.0","id":"s1","method":"sampling/createMessage","params":{}}"#;
    let server = Server::except(move |request| {
        request
            .text()
            .contains("tools/call")
            .then(|| stream(&[bad, crate::sound::CALL_RESULT]))
    });
    let gateway = Gateway::new(&server.url(), ENFORCE);
    let mut client = gateway.client();
    client.post("", INITIALIZE);
    let headers = "Mcp-Session-Id: session-t\r\nAuthorization: Bearer t\r\nMCP-Protocol-Version: 2025-06-18\r\n";
    let text = client.post(headers, CALL).text();
    assert!(!text.contains("sampling"), "{text}");
    let told = server.wait_for("\"s1\"");
    assert_eq!((told.method.as_str(), told.path.as_str()), ("POST", "/mcp"));
    assert!(
        told.text()
            .starts_with(r#"{"jsonrpc":"2.0","id":"s1","error":{"#),
        "{}",
        told.text()
    );
    assert_eq!(told.header("mcp-session-id"), Some("session-t"));
    assert_eq!(told.header("authorization"), Some("Bearer t"));
}

#[test]
fn quarantine_and_repair() {
    let list = r#"{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"bad"},{"name":"add","inputSchema":{"type":"object"}}]}}"#;
    let server = Server::new(move |_, wire| {
        wire.write_all(&answer("200 OK", JSON, list.as_bytes()))
            .unwrap();
        Then::Keep
    });
    let gateway = Gateway::new(
        &server.url(),
        &["--mode", "enforce", "--quarantine", "--repair"],
    );
    let mut client = gateway.client();
    let kept = client.post(
        "",
        r#"{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":null}}"#,
    );
    assert_eq!(
        kept.text(),
        r#"{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"add","inputSchema":{"type":"object"}}]}}"#
    );
    let sent = server.requests().pop().unwrap();
    assert_eq!(
        sent.text(),
        r#"{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{}}"#
    );
    let stderr = gateway.end().stderr;
    assert!(
        stderr.contains("tool `bad` was left out of the list"),
        "{stderr}"
    );
    assert!(stderr.contains("mended at /params/cursor"), "{stderr}");
}

#[test]
fn a_body_that_is_too_long_is_refused() {
    let server = Server::sound();
    let gateway = Gateway::new(&server.url(), &["--mode", "enforce", "--max-body", "1000"]);
    let answer = gateway.client().post("", vec![b' '; 1001]);
    assert!(answer.status.starts_with("413"));
    assert!(answer.text().contains("\"error\""));
    assert!(server.requests().is_empty());
}

#[test]
fn how_a_server_refuses_is_its_own_affair() {
    let page = b"<html>\xff no {\"jsonrpc\" here";
    let server = Server::new(move |_, wire| {
        wire.write_all(&answer("503 Busy now", JSON, page)).unwrap();
        Then::Keep
    });
    let gateway = Gateway::new(&server.url(), ENFORCE);
    let answer = gateway.client().post("", LIST);
    assert_eq!(
        (answer.status.as_str(), &answer.body[..]),
        ("503 Busy now", &page[..])
    );
}

#[test]
fn arguments_are_checked_on_every_connection_of_the_client() {
    let server = Server::sound();
    let gateway = Gateway::new(&server.url(), &["--mode", "enforce"]);
    let owner = "Authorization: Bearer a\r\n";
    gateway.client().post(owner, sound::LIST);
    let call = sound::CALL.replace(r#""a":1"#, r#""a":"one""#);
    for more in ["", "Mcp-Session-Id: made-up\r\n"] {
        let answer = gateway.client().post(&format!("{owner}{more}"), &call);
        assert!(
            answer.text().contains("tools/arguments-match-schema"),
            "{answer:?}"
        );
    }
    let other = gateway.client().post("Authorization: Bearer b\r\n", &call);
    assert!(
        other.text().contains("result"),
        "another client may see other tools: {other:?}"
    );
    let two = "Mcp-Session-Id: a\r\nMcp-Session-Id: b\r\n";
    let answer = gateway.client().post(two, sound::PING);
    assert!(answer.status.starts_with("400"), "{answer:?}");
}

#[test]
fn a_call_of_a_tool_that_was_not_listed_is_decided_as_asked_for() {
    let call = sound::CALL.replace(r#""a":1"#, r#""a":"one""#);
    for (what, good, bad) in [
        ("allow", "result", "result"),
        (
            "refuse",
            "has not listed this tool",
            "has not listed this tool",
        ),
        ("list", "result", "tools/arguments-match-schema"),
    ] {
        // The answer has the id of the request, also if the gateway makes it.
        let server = Server::except(|request| {
            let asked = request.json();
            let listed = sound::LIST_RESULT.replace("\"id\":2", &format!("\"id\":{}", asked["id"]));
            (asked["method"] == "tools/list").then(|| answer("200 OK", JSON, listed.as_bytes()))
        });
        let flags = ["--mode", "enforce", "--unknown-tools", what];
        let gateway = Gateway::new(&server.url(), &flags);
        let answer = gateway.client().post("", &call);
        assert!(answer.text().contains(bad), "{what}: {answer:?}");
        let answer = gateway.client().post("", sound::CALL);
        assert!(answer.text().contains(good), "{what}: {answer:?}");
    }
}
