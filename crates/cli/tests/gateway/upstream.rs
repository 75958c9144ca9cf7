//! Servers that give no answer: each cause is counted, and said with its reason.

use std::io::Write as _;
use std::net::TcpListener;
use std::sync::Arc;

use rcgen::{BasicConstraints, CertificateParams, IsCa, KeyPair};
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};

use crate::process::Gateway;
use crate::server::{Server, Then, until_gone};
use crate::sound::{JSON, LIST, PING, PONG, answer, answer_to};

/// Asks once: the answer has the status, the id and the reason, which is also said at the end, and
/// the cause is counted. Nothing was blocked.
fn expect_failure(url: &str, args: &[&str], status: &str, cause: &str, reason: &str) {
    for mode in ["shadow", "enforce"] {
        let gateway = Gateway::new(url, &[args, &["--mode", mode]].concat());
        let answer = gateway.client().post("", LIST);
        let text = answer.text();
        let context = format!("{cause}, {mode}: {answer:?} {text}");
        assert!(answer.status.starts_with(status), "{context}");
        assert!(
            text.starts_with(r#"{"jsonrpc":"2.0","id":2,"error":{"#),
            "{context}"
        );
        assert!(text.contains(reason), "{context}");
        let name = format!("mcp_assay_upstream_failures_total{{cause=\"{cause}\"}}");
        assert_eq!(gateway.metric(&name), 1, "{context}");
        assert_eq!(gateway.metric("mcp_assay_blocked_total"), 0, "{context}");
        let stderr = gateway.end().stderr;
        let said = format!("1 request without an answer ({cause}): ");
        assert!(
            stderr.contains(&said) && stderr.contains(reason),
            "{stderr}"
        );
    }
}

#[test]
fn a_name_without_an_address() {
    let url = "http://nobody.invalid/mcp";
    expect_failure(url, &[], "502", "dns", "cannot be resolved");
}

#[test]
fn a_port_where_nobody_listens() {
    let closed = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/mcp", closed.local_addr().unwrap());
    drop(closed);
    expect_failure(&url, &[], "502", "refused", "Connection refused");
}

#[test]
fn an_answer_that_does_not_come() {
    let server = Server::new(|_, wire| {
        until_gone(wire);
        Then::Close
    });
    let args = ["--response-timeout", "0.3"];
    expect_failure(&server.url(), &args, "504", "timeout", "in time");
}

#[test]
fn a_connection_that_ends() {
    let server = Server::new(|_, _| Then::Close);
    expect_failure(&server.url(), &[], "502", "reset", "broke off");
}

#[test]
fn bytes_that_are_no_answer() {
    let server = Server::new(|_, wire| {
        wire.write_all(b"\x00\x00\x00\x04\x00\x00\x00\x00\x00 what\r\n\r\n")
            .unwrap();
        Then::Close
    });
    expect_failure(&server.url(), &[], "502", "protocol", "not HTTP/1.1");
}

/// A server that speaks TLS with a certificate for `localhost`, and the certificate in PEM.
fn tls_server(is_authority: bool, is_over: bool, protocols: &[&[u8]]) -> (Server, String) {
    let mut params = CertificateParams::new(vec!["localhost".to_owned()]).unwrap();
    if is_authority {
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    }
    if is_over {
        params.not_before = rcgen::date_time_ymd(2001, 1, 1);
        params.not_after = rcgen::date_time_ymd(2002, 1, 1);
    }
    let key = KeyPair::generate().unwrap();
    let made = params.self_signed(&key).unwrap();
    let secret = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der()));
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![made.der().clone()], secret)
        .unwrap();
    config.alpn_protocols = protocols.iter().map(|name| name.to_vec()).collect();
    let config = Arc::new(config);
    let server = Server::over(
        |request, wire| {
            wire.write_all(&answer_to(request)).unwrap();
            wire.flush().unwrap();
            Then::Keep
        },
        move |stream| {
            Box::new(StreamOwned::new(
                ServerConnection::new(Arc::clone(&config)).unwrap(),
                stream,
            ))
        },
    );
    (server, made.pem())
}

#[test]
fn a_certificate_that_is_not_trusted() {
    let (server, _) = tls_server(false, false, &[]);
    let url = format!("https://localhost:{}/mcp", server.address.port());
    expect_failure(&url, &[], "502", "tls", "UnknownIssuer");
}

#[test]
fn a_server_that_speaks_http2_alone() {
    let (server, pem) = tls_server(false, false, &[b"h2"]);
    let folder = tempfile::tempdir().unwrap();
    let roots = folder.path().join("ca.pem");
    std::fs::write(&roots, pem).unwrap();
    let url = format!("https://localhost:{}/mcp", server.address.port());
    let args = ["--upstream-ca", roots.to_str().unwrap()];
    expect_failure(&url, &args, "502", "tls", "NoApplicationProtocol");
}

#[test]
fn a_self_signed_certificate_of_an_authority_is_trusted_if_it_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let roots = folder.path().join("ca.pem");
    let trusted = roots.to_str().unwrap();
    let args = ["--upstream-ca", trusted];
    let (server, pem) = tls_server(true, false, &[b"h2", b"http/1.1"]);
    std::fs::write(&roots, &pem).unwrap();
    let port = server.address.port();
    let url = format!("https://localhost:{port}/mcp");
    let gateway = Gateway::new(&url, &args);
    assert_eq!(gateway.client().post("", PING).text(), PONG);
    // The name is checked all the same, and so are the times.
    let url = format!("https://127.0.0.1:{port}/mcp");
    expect_failure(&url, &args, "502", "tls", "not valid for name");
    let (other, old) = tls_server(true, true, &[]);
    std::fs::write(&roots, &old).unwrap();
    let url = format!("https://localhost:{}/mcp", other.address.port());
    expect_failure(&url, &args, "502", "tls", "expired");
    // Another certificate of the same kind is not the one that was named.
    std::fs::write(&roots, tls_server(true, false, &[]).1).unwrap();
    let url = format!("https://localhost:{port}/mcp");
    expect_failure(&url, &args, "502", "tls", "CaUsedAsEndEntity");
}

#[test]
fn a_client_of_http2_is_told_to_use_the_other() {
    let server = Server::sound();
    let gateway = Gateway::new(&server.url(), &[]);
    let mut wire = std::net::TcpStream::connect(gateway.address).unwrap();
    let preface = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00";
    wire.write_all(preface).unwrap();
    let mut told = Vec::new();
    std::io::Read::read_to_end(&mut wire, &mut told).unwrap();
    // Settings, then GOAWAY with HTTP_1_1_REQUIRED.
    assert_eq!(told[..9], [0, 0, 0, 4, 0, 0, 0, 0, 0]);
    assert_eq!((told[12], told[25]), (7, 0xd), "{told:?}");
    assert!(told.ends_with(b"HTTP/1.1 only"), "{told:?}");
    assert_eq!(gateway.client().post("", PING).text(), PONG);
}

#[cfg(not(feature = "otel"))]
#[test]
fn spans_that_nobody_exports_are_said_to_be_missing() {
    let server = Server::sound();
    let mut program = std::process::Command::new(env!("CARGO_BIN_EXE_mcp-assay"));
    program.env("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1");
    let gateway = Gateway::run(
        program,
        &["--upstream", &server.url()],
        std::path::Path::new("/"),
    );
    assert_eq!(gateway.client().post("", PING).text(), PONG);
    let stderr = gateway.end().stderr;
    let said = "OTEL_EXPORTER_OTLP_ENDPOINT is set, but no spans are exported";
    assert!(stderr.contains(said), "{stderr}");
}

#[test]
fn everything_that_is_blocked_is_counted_once() {
    // Each answer is what the path says; a status of 400 or above passes as it is.
    let server = Server::new(|request, wire| {
        let sent = match &*request.path {
            "/mcp?html" => answer("200 OK", "Content-Type: text/html\r\n", b"<p>"),
            "/mcp?charset" => {
                let kind = "Content-Type: application/json; charset=utf-7\r\n";
                answer("200 OK", kind, PONG.as_bytes())
            }
            "/mcp?bad" => answer("200 OK", JSON, br#"{"jsonrpc":"2.0","id":9,"result":1}"#),
            "/mcp?error" => answer("500 Oh", JSON, br#"{"oh":1}"#),
            _ => answer_to(request),
        };
        wire.write_all(&sent).unwrap();
        Then::Keep
    });
    let post = crate::client::POST;
    let bad = r#"{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{}}"#;
    for (path, headers, body, blocked) in [
        ("/mcp", String::from(post), PING, 0),
        ("/mcp?error", String::from(post), PING, 0),
        ("/mcp?html", String::from(post), PING, 1),
        ("/mcp?charset", String::from(post), PING, 1),
        ("/mcp?bad", String::from(post), PING, 1),
        ("/mcp", String::from(post), bad, 1),
        (
            "/mcp",
            post.replace("json\r", "json; charset=utf-7\r"),
            PING,
            1,
        ),
        ("/mcp", format!("{post}Content-Encoding: gzip\r\n"), PING, 1),
        (
            "/mcp",
            format!("{post}Mcp-Name: a\r\nMcp-Name: b\r\n"),
            PING,
            1,
        ),
    ] {
        let gateway = Gateway::new(&server.url(), &["--mode", "enforce"]);
        let mut client = gateway.client();
        client.send("POST", path, &headers, body);
        let answer = client.answer();
        let counted = gateway.metric("mcp_assay_blocked_total");
        assert_eq!(counted, blocked, "{path} {headers} {body}: {answer:?}");
    }
    let long = format!(
        r#"{{"jsonrpc":"2.0","id":9,"method":"{}"}}"#,
        "x".repeat(2000)
    );
    let gateway = Gateway::new(&server.url(), &["--mode", "enforce", "--max-body", "1000"]);
    let answer = gateway.client().post("", long);
    assert!(answer.status.starts_with("413"), "{answer:?}");
    assert_eq!(gateway.metric("mcp_assay_blocked_total"), 1);
}
