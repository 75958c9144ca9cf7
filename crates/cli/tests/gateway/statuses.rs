//! The HTTP status of refusals: as the protocol says, or that of the canonical error.

use std::fs;

use crate::process::Gateway;
use crate::server::{Server, Then};
use crate::sound::{INITIALIZE, INITIALIZED, answer_to};

const SESSION: &str = "Mcp-Session-Id: session-t\r\nMCP-Protocol-Version: 2025-06-18\r\n";
const UNKNOWN: &str = r#"{"jsonrpc":"2.0","id":5,"method":"tools/none"}"#;

#[test]
fn the_flag_is_stronger_than_the_file_and_the_file_than_the_profile() {
    let canonical = "http_status = \"canonical\"\n";
    let protocol = "http_status = \"protocol\"\n";
    let profile = "profile = \"house.toml\"\n";
    let flag = "--http-status";
    let cases: [(&str, &str, &[&str], &str); 8] = [
        ("", "", &[], "200"),
        ("", "", &[flag, "canonical"], "404"),
        (canonical, "", &[], "404"),
        (canonical, "", &[flag, "protocol"], "200"),
        (profile, canonical, &[], "404"),
        (profile, "", &[], "200"),
        (&format!("{protocol}{profile}"), canonical, &[], "200"),
        (profile, canonical, &[flag, "protocol"], "200"),
    ];
    for (config, house, flags, status) in cases {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("mcp-assay.toml"), config).unwrap();
        fs::write(folder.path().join("house.toml"), house).unwrap();
        let server = Server::new(|request, wire| {
            wire.write_all(&answer_to(request)).unwrap();
            Then::Keep
        });
        let url = server.url();
        let usual = ["--upstream", &url, "--mode", "enforce"];
        let gateway = Gateway::start(&[&usual, flags].concat(), folder.path());
        let mut client = gateway.client();
        client.post("", INITIALIZE);
        client.post(SESSION, INITIALIZED);
        let refused = client.post(SESSION, UNKNOWN);
        assert_eq!(&refused.status[..3], status, "{config}{house}{flags:?}");
        let text = refused.text();
        assert!(
            text.contains(r#""canonical":"NOT_FOUND","httpStatus":404"#),
            "{text}"
        );
        assert!(text.contains(r#""code":-32601"#), "{text}");
    }
}

#[test]
fn an_unknown_name_is_refused_with_a_suggestion() {
    let folder = tempfile::tempdir().unwrap();
    let config = "http_status = \"canonicl\"\n";
    fs::write(folder.path().join("mcp-assay.toml"), config).unwrap();
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_mcp-assay"))
        .args(["gateway", "--upstream", "http://127.0.0.1:9/mcp"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains("did you mean `canonical`?"), "{text}");
}

/// The gateway's own refusals are JSON-RPC errors of the table, too.
#[test]
fn foreign_hosts_and_paths_get_errors_of_the_table() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::new(|_, _| Then::Close);
    let config = format!("[gateway.upstreams]\n\"/a\" = \"{}\"\n", server.url());
    fs::write(folder.path().join("mcp-assay.toml"), config).unwrap();
    let gateway = Gateway::start(&[], folder.path());
    for (path, headers, status, canonical) in [
        ("/a", "Host: evil.example\r\n", "403", "UNAUTHORIZED"),
        ("/b", "", "404", "NOT_FOUND"),
    ] {
        let answer = gateway.client().ask("GET", path, headers);
        assert_eq!(&answer.status[..3], status);
        assert_eq!(answer.header("content-type"), Some("application/json"));
        let text = answer.text();
        let begins = r#"{"jsonrpc":"2.0","error":{"code":-320"#;
        assert!(
            text.starts_with(begins) && text.contains(canonical),
            "{text}"
        );
    }
}
