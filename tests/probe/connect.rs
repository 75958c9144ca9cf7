//! Servers that cannot be connected to: the probe names the cause, and says what to do.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::thread;
use std::time::Duration;

use mcp_assay_probe::Target;
use mcp_assay_testkit::http::server::{Server, Then};
use mcp_assay_testkit::http::{Request, Response, serve};
use serde_json::json;

use crate::{failed, run};

/// The reason why a URL cannot be probed.
fn why(url: &str) -> String {
    let target = Target::Url {
        url: url.to_owned(),
        headers: Vec::new(),
    };
    reason(target)
}

/// The reason why a command cannot be probed. Only Unix has `sh`.
#[cfg(unix)]
fn why_of(script: &str) -> String {
    let words = ["sh", "-c", script];
    reason(Target::Command(words.map(str::to_owned).to_vec()))
}

fn reason(target: Target) -> String {
    let result = run(target, |options| {
        options.start_timeout = Duration::from_secs(2);
        options.step_timeout = Duration::from_secs(1);
    });
    match result {
        Ok(report) => panic!("it was probed: {:?}", failed(&report)),
        Err(why) => why.to_string(),
    }
}

#[track_caller]
fn expect(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "`{part}` is not in: {text}");
    }
}

fn always(status: u16, headers: &[(&'static str, &str)], body: &str) -> String {
    let headers: Vec<_> = headers
        .iter()
        .map(|(name, value)| (*name, (*value).to_owned()))
        .collect();
    let body = body.as_bytes().to_vec();
    serve(move |_: &Request| Response {
        status,
        headers: headers.clone(),
        body: body.clone(),
    })
}

#[test]
fn a_redirect_is_shown_with_the_command_for_its_target() {
    for status in [301, 302, 303, 307, 308] {
        let url = always(status, &[("location", "https://other.example/mcp")], "");
        let command = "mcp-assay probe --url https://other.example/mcp";
        expect(&why(&url), &[&format!("status {status}"), command]);
    }
    expect(&why(&always(302, &[], "")), &["302", "not say where"]);
}

#[test]
fn a_redirect_that_keeps_method_and_host_is_followed() {
    let server = Server::new(|request, wire| {
        let response = if request.path == "/mcp" {
            let mut response = Response::bare(307);
            response.headers.push(("location", "/mcp/".to_owned()));
            response
        } else {
            let id = &request.json()["id"];
            let result = json!({"protocolVersion": "2025-06-18", "capabilities": {},
                "serverInfo": {"name": "redirected", "version": "1"}});
            match request.json()["method"].as_str() {
                Some("initialize") => {
                    Response::json(200, &json!({"jsonrpc": "2.0", "id": id, "result": result}))
                }
                Some("ping") => {
                    Response::json(200, &json!({"jsonrpc": "2.0", "id": id, "result": {}}))
                }
                _ => Response::bare(202),
            }
        };
        let _ = response.write(wire);
        Then::Close
    });
    let target = Target::Url {
        url: server.url(),
        headers: Vec::new(),
    };
    let report = run(target, |options| options.quick = true).expect("a report");
    assert_eq!(report.revisions.len(), 1);
    let posts = server.requests();
    assert_eq!(posts.iter().filter(|post| post.path == "/mcp").count(), 1);
}

#[test]
fn a_redirect_without_end_is_not_followed_for_ever() {
    let url = serve(|request: &Request| {
        let mut response = Response::bare(308);
        let target = format!("{}x", request.path);
        response.headers.push(("location", target));
        response
    });
    expect(&why(&url), &["redirects with status 308"]);
}

#[test]
fn a_wrong_path_is_shown_with_the_paths_that_answer() {
    let url = serve(|request: &Request| match request.path.as_str() {
        "/mcp" if request.method == "POST" => {
            let id = request.json()["id"].clone();
            Response::json(200, &json!({"jsonrpc": "2.0", "id": id, "result": {}}))
        }
        "/sse" => Response::text(200, "text/event-stream", "event: endpoint\ndata: /m\n\n"),
        _ => Response::bare(404),
    });
    let origin = url.trim_end_matches("/mcp");
    let text = why(&format!("{origin}/elsewhere"));
    expect(&text, &["POST /elsewhere is answered with status 404"]);
    expect(&text, &[&format!("--url {origin}/mcp")]);
    expect(&text, &[&format!("--url {origin}/sse")]);
    let nowhere = always(404, &[], "");
    expect(&why(&nowhere), &["404", "/sse"]);
}

#[test]
fn a_limit_on_requests_is_shown_with_the_time_to_retry() {
    let url = always(429, &[("retry-after", "17")], "slow down");
    expect(&why(&url), &["429", "17 s", "slow down"]);
}

#[test]
fn a_failing_server_is_shown_with_the_first_line_of_its_body() {
    let url = always(503, &[], "\nupstream is down\nmore");
    let text = why(&url);
    expect(&text, &["503", "upstream is down"]);
    assert!(!text.contains("more"), "{text}");
}

#[test]
fn a_web_page_is_recognised() {
    let page = "<!doctype html><html><head><title>Welcome</title></head></html>";
    let url = always(200, &[("content-type", "text/html")], page);
    expect(&why(&url), &["web page", "`Welcome`"]);
}

#[test]
fn a_refusal_by_status_is_shown_with_its_body() {
    let url = always(415, &[], "only application/mcp");
    expect(&why(&url), &["status 415", "only application/mcp"]);
}

#[test]
fn a_body_with_an_error_of_its_own_kind_is_a_refusal_by_status() {
    let json = [("content-type", "application/json")];
    let url = always(400, &json, r#"{"error":"Missing x-api-key header"}"#);
    expect(&why(&url), &["status 400", "Missing x-api-key header"]);
    let html = [("content-type", "text/html")];
    let page = "<html>\r\n<head><title>502 Bad Gateway</title></head></html>";
    expect(&why(&always(502, &html, page)), &[": 502 Bad Gateway"]);
    let empty = why(&always(200, &json, ""));
    expect(&empty, &["`initialize`", "status 200 and no message"]);
}

#[test]
fn a_command_that_cannot_be_started_is_named() {
    let text = reason(Target::Command(vec!["/no/such/command".to_owned()]));
    expect(&text, &["`/no/such/command`"]);
}

#[cfg(unix)]
#[test]
fn a_silent_server_that_names_a_url_may_serve_over_http() {
    let text = why_of("echo 'Listening on http://localhost:3000/mcp.' >&2; sleep 60");
    expect(&text, &["mcp-assay probe --url http://localhost:3000/mcp"]);
    assert!(!text.ends_with('.'), "{text}");
    let elsewhere = why_of("echo 'see http://example.com/docs' >&2; sleep 60");
    assert!(!elsewhere.contains("--url"), "{elsewhere}");
}

#[test]
fn nobody_at_the_address_is_told_from_a_name_that_nobody_has() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    drop(listener);
    let text = why(&format!("http://{address}/mcp"));
    expect(&text, &["nothing listens", &address.to_string()]);
    let text = why("http://no-such-host.invalid/mcp");
    expect(&text, &["`no-such-host.invalid`", "DNS"]);
}

#[test]
fn a_server_without_tls_is_recognised() {
    let url = always(200, &[], "").replace("http://", "https://");
    expect(&why(&url), &["TLS failed", "--url http://"]);
}

#[test]
fn an_answer_that_is_not_http_is_recognised() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    thread::spawn(move || {
        let mut held = Vec::new();
        for mut stream in listener.incoming().flatten() {
            // Bytes that nobody reads reset the connection, perhaps before the answer arrives.
            let _ = stream.read(&mut [0; 4096]);
            let _ = stream.write_all(b"SSH-2.0-OpenSSH_9.6\r\n\r\n");
            held.push(stream);
        }
    });
    expect(&why(&format!("http://{address}/mcp")), &["not HTTP"]);
}

#[cfg(unix)]
#[test]
fn a_malformed_answer_is_shown_with_carets() {
    let text = why_of(r#"read line; echo '{"jsonrpc":"2.0","id":1,"result":{'; sleep 9"#);
    expect(&text, &["`initialize` is malformed", "\n", "^"]);
}

#[cfg(unix)]
#[test]
fn an_error_is_shown_with_its_code_and_message() {
    let answer = r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"no licence"}}"#;
    let text = why_of(&format!("read line; echo '{answer}'; sleep 9"));
    expect(&text, &["error -32603: no licence", "^^^^"]);
}

#[cfg(unix)]
#[test]
fn a_server_that_ends_is_shown_with_its_exit_code_and_last_lines() {
    let text = why_of("echo first >&2; echo 'no module named x' >&2; exit 7");
    expect(
        &text,
        &["exit code 7", "\n  | first", "\n  | no module named x"],
    );
    let text = why_of("kill -9 $$");
    expect(&text, &["signal 9"]);
}

#[cfg(unix)]
#[test]
fn silence_is_shown_with_the_limit_that_was_waited() {
    let text = why_of("echo 'Listening on stdio'; sleep 60");
    expect(&text, &["2s (--start-timeout)", "Listening on stdio"]);
}

#[cfg(unix)]
#[test]
fn the_first_answer_has_a_limit_of_its_own() {
    // Over stdio and as a stream that begins with comments.
    let answer = r#"{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}"#;
    let ping = r#"{"jsonrpc":"2.0","id":2,"result":{}}"#;
    let script = format!("read a; sleep 2; echo '{answer}'; read b; read c; echo '{ping}'; read d");
    let target = Target::Command(["sh", "-c", &script].map(str::to_owned).to_vec());
    let quick = |target| {
        run(target, |options| {
            options.step_timeout = Duration::from_millis(700);
            options.start_timeout = Duration::from_secs(20);
            options.quick = true;
        })
    };
    let report = quick(target).expect("a report");
    assert_eq!(failed(&report), []);
    let server = Server::new(|request, wire| {
        let id = &request.json()["id"];
        let method = request.json()["method"].as_str().map(str::to_owned);
        let head =
            "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
        match method.as_deref() {
            Some("initialize") => {
                let _ = wire.write_all(head.as_bytes());
                for _ in 0..4 {
                    let _ = wire.write_all(b": still at it\n\n");
                    thread::sleep(Duration::from_millis(400));
                }
                let result = json!({"protocolVersion": "2025-06-18", "capabilities": {},
                    "serverInfo": {"name": "slow", "version": "1"}});
                let answer = json!({"jsonrpc": "2.0", "id": id, "result": result});
                let _ = wire.write_all(format!("data: {answer}\n\n").as_bytes());
            }
            Some("ping") => {
                let answer = json!({"jsonrpc": "2.0", "id": id, "result": {}});
                let _ = Response::json(200, &answer).write(wire);
            }
            _ => {
                let _ = Response::bare(202).write(wire);
            }
        }
        Then::Close
    });
    let target = Target::Url {
        url: server.url(),
        headers: Vec::new(),
    };
    let report = quick(target).expect("a report");
    assert_eq!(failed(&report), []);
    assert!(matches!(
        quick(Target::Command(vec!["false".to_owned()])),
        Err(mcp_assay_probe::Unreachable::NoHandshake(_))
    ));
}

#[test]
fn comments_alone_are_not_the_oldest_transport() {
    let server = Server::new(|_, wire| {
        let head =
            "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
        let _ = wire.write_all(head.as_bytes());
        while wire.write_all(b": wait\n\n").is_ok() {
            thread::sleep(Duration::from_millis(200));
        }
        Then::Close
    });
    let text = why(&server.url());
    expect(
        &text,
        &["no answer to `initialize`", "2s (--start-timeout)"],
    );
}

#[test]
fn a_body_without_end_is_bound_by_the_time_of_a_step() {
    let server = Server::new(|_, wire| {
        let head =
            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n{";
        let _ = wire.write_all(head.as_bytes());
        while wire.write_all(b" ").is_ok() {
            thread::sleep(Duration::from_millis(50));
        }
        Then::Close
    });
    expect(&why(&server.url()), &["no answer to `initialize`"]);
}
