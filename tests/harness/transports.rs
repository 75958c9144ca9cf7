//! The same over HTTP, and what is recorded of it.

use mcp_assay::{Direction, Revision};
use mcp_assay_harness::{Error, Outcome};
use serde_json::json;

use crate::server::{faulty, harness, live};

#[test]
fn over_http_as_bodies_and_as_streams() -> Result<(), Error> {
    for arguments in [&[][..], &["--stream"]] {
        let http = live(arguments);
        for revision in [Revision::V2025_11_25, Revision::V2026_07_28] {
            let mut server = harness(&http).revision(revision).start()?;
            server.initialize()?;
            server.expect_tool("echo")?;
            let echoed = server.call_tool("echo", json!({"text": "é"}))?;
            assert_eq!(echoed.structured, Some(json!({"echoed": "é"})));
            assert_eq!(server.read_resource("test://one")?.len(), 1);
            server.ping()?;
            server.expect_no_violations()?;
            server.close()?;
        }
    }
    Ok(())
}

#[test]
fn a_session_is_deleted_at_the_end() -> Result<(), Error> {
    let http = live(&[]);
    let mut server = harness(&http).start()?;
    server.initialize()?;
    server.close()?;
    assert!(server.capture().contains(r#""method":"DELETE""#));
    Ok(())
}

#[test]
fn who_wants_a_token_or_is_not_there_says_so() {
    let http = live(&["--fault", "wants-a-token"]);
    let mut server = harness(&http).start().unwrap();
    let error = server.initialize().unwrap_err();
    assert!(
        error
            .to_string()
            .contains("status 401: the server wants authorisation"),
        "{error}"
    );
    let gone = harness(&http);
    drop(http);
    let error = gone.start().unwrap().initialize().unwrap_err();
    assert!(
        error.to_string().contains("nobody answers at the URL"),
        "{error}"
    );
}

#[test]
fn a_header_is_sent_and_not_recorded() {
    let http = live(&[]);
    let mut server = harness(&http)
        .header("authorization", "Bearer secret")
        .start()
        .unwrap();
    server.initialize().unwrap();
    assert!(!server.capture().contains("secret"));
}

#[test]
fn everything_that_passed_is_recorded() -> Result<(), Error> {
    use Direction::{ClientToServer, ServerToClient};
    let mut server = faulty("").start()?;
    server.initialize()?;
    server.ping()?;
    let directions: Vec<Direction> = server
        .records()
        .iter()
        .map(mcp_assay_harness::Record::direction)
        .collect();
    assert_eq!(
        directions,
        [
            ClientToServer,
            ServerToClient,
            ClientToServer,
            ClientToServer,
            ServerToClient
        ]
    );
    assert_eq!(server.capture().lines().count(), 5);
    let methods: Vec<_> = server
        .timings()
        .iter()
        .map(|timing| (timing.method.as_str(), timing.outcome))
        .collect();
    assert_eq!(
        methods,
        [("initialize", Outcome::Result), ("ping", Outcome::Result)]
    );
    Ok(())
}

#[test]
fn notifications_are_kept() -> Result<(), Error> {
    let mut server = faulty("lists-change-unannounced").lenient().start()?;
    server.initialize()?;
    server.ping()?;
    let changed = server.notifications("notifications/tools/list_changed");
    assert_eq!(changed.len(), 1);
    Ok(())
}

/// A server that answers three requests over HTTP: a tool wants an argument repeated in a header.
fn mirroring() -> (String, std::thread::JoinHandle<Vec<String>>) {
    use std::io::{Read as _, Write as _};
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}/mcp", listener.local_addr().expect("an address"));
    let served = std::thread::spawn(move || {
        let mut heads = Vec::new();
        for result in [
            json!({"tools": [{"name": "plan", "inputSchema": {"type": "object", "properties":
                {"region": {"type": "string", "x-mcp-header": "Region"}}}}], "ttlMs": 1, "cacheScope": "public"}),
            json!({"content": []}),
        ] {
            let (mut stream, _) = listener.accept().expect("a client");
            let (mut text, mut buffer) = (String::new(), [0; 4096]);
            let body = loop {
                let count = stream.read(&mut buffer).expect("a request");
                text.push_str(&String::from_utf8_lossy(&buffer[..count]));
                if let Some((_, body)) = text.split_once("\r\n\r\n")
                    && let Ok(body) = serde_json::from_str::<serde_json::Value>(body)
                {
                    break body;
                }
            };
            let mut answer = json!({"jsonrpc": "2.0", "id": body["id"], "result": result});
            answer["result"]["resultType"] = json!("complete");
            answer["result"]["_meta"] =
                json!({"io.modelcontextprotocol/serverInfo": {"name": "m", "version": "1"}});
            let answer = answer.to_string();
            write!(
                stream,
                "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{answer}",
                answer.len()
            )
            .expect("the answer");
            heads.push(text.to_ascii_lowercase());
        }
        heads
    });
    (url, served)
}

#[test]
fn arguments_are_repeated_in_headers_where_a_tool_asks_for_it() -> Result<(), Error> {
    let (url, answering) = mirroring();
    let mut server = mcp_assay_harness::Harness::url(url)
        .revision(Revision::V2026_07_28)
        .start()?;
    server.list_tools()?;
    server.call_tool("plan", json!({"region": "north"}))?;
    let heads = answering.join().expect("the server ends");
    assert!(!heads[0].contains("mcp-param"));
    assert!(
        heads[1].contains("\r\nmcp-param-region: north\r\n"),
        "{}",
        heads[1]
    );
    Ok(())
}
