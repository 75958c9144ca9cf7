//! Requests of the server: handlers answer, and without one the method is not found.

use std::sync::{Arc, Mutex};

use mcp_assay::Revision;
use mcp_assay_harness::{Error, ExpectError as _, Harness};
use serde_json::json;

#[cfg(unix)]
use crate::server::shell;
use crate::server::{SERVER, harness, live};

/// A tool that asks for the roots, and says how the answer looks.
#[cfg(unix)]
const ASKS: &str = r#"
    *'"tools/call"'*)
      printf '{"jsonrpc":"2.0","id":"s%s","method":"roots/list"}\n' "$id"
      read -r answer
      case "$answer" in
        *'file:///here'*) said=roots ;;
        *'-32601'*) said=unknown ;;
        *'-32000'*) said=refused ;;
        *) said=something ;;
      esac
      printf '{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"%s"}]}}\n' "$id" "$said" ;;
"#;

#[cfg(unix)]
#[test]
fn a_handler_answers_and_its_capability_is_declared() -> Result<(), Error> {
    let asked = Arc::new(Mutex::new(0));
    let counter = Arc::clone(&asked);
    let mut server = shell(ASKS)
        .on_request("roots/list", move |_| {
            *counter.lock().expect("nobody panics") += 1;
            Ok(json!({"roots": [{"uri": "file:///here"}]}))
        })
        .start()?;
    server.initialize()?;
    assert!(
        server
            .capture()
            .contains(r#"\"capabilities\":{\"roots\":{}}"#)
    );
    assert_eq!(server.call_tool("ask", json!({}))?.text(), "roots");
    assert_eq!(*asked.lock().expect("nobody panics"), 1);
    server.on_request("roots/list", |_| {
        Err(mcp_assay_harness::RpcError::new(-32000, "not today"))
    });
    assert_eq!(server.call_tool("ask", json!({}))?.text(), "refused");
    server.expect_no_violations()
}

#[cfg(unix)]
#[test]
fn without_a_handler_the_method_is_not_found() -> Result<(), Error> {
    // The server may not ask who did not offer: that is a violation of its own.
    let mut server = shell(ASKS).lenient().start()?;
    server.initialize()?;
    assert_eq!(server.call_tool("ask", json!({}))?.text(), "unknown");
    let rules: Vec<_> = server
        .violations()
        .iter()
        .map(|violation| violation.rule.name)
        .collect();
    assert_eq!(rules, ["capability/roots"]);
    Ok(())
}

#[test]
fn over_http_a_handler_answers_what_comes_on_the_stream() -> Result<(), Error> {
    let http = live(&["--stream", "--fault", "asks-what-it-may-not"]);
    let asked = Arc::new(Mutex::new(Vec::new()));
    let messages = Arc::clone(&asked);
    let mut server = harness(&http)
        .on_request("elicitation/create", move |params| {
            let mut messages = messages.lock().expect("nobody panics");
            messages.push(params["message"].clone());
            Ok(json!({"action": "cancel"}))
        })
        .start()?;
    server.initialize()?;
    assert_eq!(server.list_prompts()?.len(), 1);
    assert_eq!(*asked.lock().expect("nobody panics"), [json!("m")]);
    server.expect_no_violations()
}

#[test]
fn where_results_ask_for_more_handlers_answer_too() -> Result<(), Error> {
    let stateless = || Harness::command([SERVER]).revision(Revision::V2026_07_28);
    let mut server = stateless()
        .on_request("elicitation/create", |params| {
            assert_eq!(params["message"], "For whom?");
            Ok(json!({"action": "decline"}))
        })
        .start()?;
    let booked = server.call_tool("book", json!({"day": 1}))?;
    assert_eq!(booked.text(), "booked for nobody");
    server.expect_no_violations()?;
    // Without the capability the server has to say what it needs.
    let mut server = stateless().start()?;
    server
        .call_tool("book", json!({"day": 1}))
        .expect_error(-32021)?;
    // With the capability and nobody behind it, the test is told.
    let mut server = stateless()
        .capabilities(json!({"elicitation": {"form": {}}}))
        .start()?;
    let error = server.call_tool("book", json!({"day": 1})).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("elicitation/create, which has no handler"),
        "{error}"
    );
    Ok(())
}
