//! Several servers, the older transport, authorisation, TLS.

use std::sync::Arc;

use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};

use crate::client::POST;
use crate::process::Gateway;
use crate::server::{Server, Then};
use crate::sound::{
    INITIALIZE, INITIALIZE_RESULT, JSON, PING, PONG, STREAM, answer, answer_to, chunk,
};

#[test]
fn several_servers_by_path() {
    let (one, two) = (Server::sound(), Server::sound());
    let folder = tempfile::tempdir().unwrap();
    let config = format!(
        "[gateway.upstreams]\n\"/one\" = \"{}\"\n\"/two/deep\" = \"{}\"\n",
        one.url(),
        two.url()
    );
    std::fs::write(folder.path().join("mcp-assay.toml"), config).unwrap();
    let gateway = Gateway::start(&[], folder.path());
    let mut client = gateway.client();
    client.send("POST", "/one", POST, PING);
    assert_eq!(client.answer().text(), PONG);
    client.send("POST", "/two/deep/?x=1", POST, PING);
    assert_eq!(client.answer().text(), PONG);
    assert!(client.ask("POST", "/three", "").status.starts_with("404"));
    client.ask("GET", "/.well-known/oauth-protected-resource/two/deep", "");
    let paths = |server: &Server| -> Vec<String> {
        server
            .requests()
            .into_iter()
            .map(|request| request.path)
            .collect()
    };
    assert_eq!(paths(&one), ["/mcp"]);
    assert_eq!(
        paths(&two),
        ["/mcp?x=1", "/.well-known/oauth-protected-resource/mcp"]
    );
}

#[test]
fn a_bad_configuration_says_where() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("mcp-assay.toml"),
        "[gateway.upstreams]\n\"/a\" = \"nonsense\"\n",
    )
    .unwrap();
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_mcp-assay"))
        .arg("gateway")
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.contains("mcp-assay.toml:2:8: "), "{stderr}");
}

#[test]
fn the_older_transport_keeps_its_session() {
    for (prefix, address) in [
        ("", "/messages?s=1"),
        ("", "ORIGIN/messages?s=1"),
        ("/old", "/messages?s=1"),
    ] {
        for mode in ["shadow", "enforce"] {
            let (answered, wait) = std::sync::mpsc::channel::<()>();
            let wires = std::sync::Mutex::new((answered, Some(wait)));
            let own = std::sync::OnceLock::<String>::new();
            let own = Arc::new(own);
            let known = Arc::clone(&own);
            let server = Server::new(move |request, wire| {
                if request.method == "GET" {
                    let wait = wires.lock().unwrap().1.take().unwrap();
                    let address = address.replace("ORIGIN", known.get().unwrap());
                    wire.write_all(STREAM).unwrap();
                    wire.write_all(&chunk(&format!("event: endpoint\ndata: {address}\n\n")))
                        .unwrap();
                    wait.recv().unwrap();
                    wire.write_all(&chunk(&format!(
                        "event: message\ndata: {INITIALIZE_RESULT}\n\n"
                    )))
                    .unwrap();
                    wire.write_all(b"0\r\n\r\n").unwrap();
                } else {
                    wire.write_all(&answer("202 Accepted", "", b"Accepted"))
                        .unwrap();
                    wires.lock().unwrap().0.send(()).unwrap();
                }
                Then::Keep
            });
            own.set(format!("http://{}", server.address)).unwrap();
            let folder = tempfile::tempdir().unwrap();
            let table = if prefix.is_empty() { "/" } else { prefix };
            let config = format!(
                "[gateway.upstreams]\n\"{table}\" = \"http://{}/sse\"\n",
                server.address
            );
            std::fs::write(folder.path().join("mcp-assay.toml"), config).unwrap();
            let gateway = Gateway::start(&["--mode", mode], folder.path());
            let mut listener = gateway.client();
            listener.send(
                "GET",
                &format!("{prefix}/"),
                "Accept: text/event-stream\r\n",
                "",
            );
            listener.head();
            let first = listener.piece().unwrap();
            assert_eq!(
                first,
                format!("event: endpoint\ndata: {prefix}/messages?s=1\n\n"),
                "{address}"
            );
            let mut client = gateway.client();
            let old = INITIALIZE.replace("2025-06-18", "2024-11-05");
            client.send("POST", &format!("{prefix}/messages?s=1"), POST, old);
            assert_eq!(client.answer().text(), "Accepted");
            assert!(listener.piece().unwrap().contains("serverInfo"));
            assert_eq!(server.requests()[1].path, "/messages?s=1");
            let stderr = gateway.end().stderr;
            // The answer on one connection belongs to the request on the other.
            assert!(stderr.contains("2 messages: "), "{stderr}");
            assert!(!stderr.contains("response/id-known"), "{stderr}");
        }
    }
}

#[test]
fn authorisation_names_the_gateway() {
    for mode in ["shadow", "enforce"] {
        let own = Arc::new(std::sync::OnceLock::<String>::new());
        let known = Arc::clone(&own);
        let server = Server::new(move |request, wire| {
            let origin = known.get().unwrap();
            let sent = if request
                .path
                .starts_with("/.well-known/oauth-protected-resource")
            {
                let document = format!(
                    r#"{{ "resource": "{origin}/mcp", "authorization_servers": ["{origin}"], "x": [1.0] }}"#
                );
                answer("200 OK", JSON, document.as_bytes())
            } else {
                let challenge = format!(
                    "WWW-Authenticate: Bearer resource_metadata=\"{origin}/.well-known/oauth-protected-resource/mcp\"\r\n"
                );
                answer("401 Unauthorized", &challenge, b"")
            };
            wire.write_all(&sent).unwrap();
            Then::Keep
        });
        let origin = format!("http://{}", server.address);
        own.set(origin.clone()).unwrap();
        let gateway = Gateway::new(&server.url(), &["--mode", mode]);
        let mut client = gateway.client();
        let host = format!("Host: {}\r\n", gateway.address);
        let refused = client.post(&host, PING);
        let here = format!("http://{}", gateway.address);
        let expected =
            format!("Bearer resource_metadata=\"{here}/.well-known/oauth-protected-resource/mcp\"");
        assert_eq!(refused.header("www-authenticate"), Some(&*expected));
        let document = client.ask("GET", "/.well-known/oauth-protected-resource/mcp", &host);
        let expected = format!(
            r#"{{ "resource": "{here}/mcp", "authorization_servers": ["{origin}"], "x": [1.0] }}"#
        );
        assert_eq!(document.text(), expected);
        assert!(gateway.end().status.success());
    }
}

#[test]
fn tls_to_the_server() {
    let made = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(made.signing_key.serialize_der()));
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![made.cert.der().clone()], key)
        .unwrap();
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
    let folder = tempfile::tempdir().unwrap();
    let roots = folder.path().join("ca.pem");
    std::fs::write(&roots, made.cert.pem()).unwrap();
    let url = format!("https://localhost:{}/mcp", server.address.port());
    let gateway = Gateway::new(&url, &["--upstream-ca", roots.to_str().unwrap()]);
    assert_eq!(gateway.client().post("", PING).text(), PONG);
    // Without the certificate nobody is trusted.
    let gateway = Gateway::new(&url, &[]);
    assert!(gateway.client().post("", PING).status.starts_with("502"));
}
