//! A test suite as the author of a server writes it.

use mcp_assay_harness::{Error, ExpectError as _, Harness};
use serde_json::json;

use crate::server::SERVER;

#[test]
fn the_server_says_who_it_is() -> Result<(), Error> {
    let mut server = Harness::spawn([SERVER])?;
    let handshake = server.initialize()?;
    assert_eq!(handshake.server_info.name, "probe-server");
    assert!(handshake.declares("/resources/subscribe"));
    server.ping()?;
    server.close()?;
    Ok(())
}

#[test]
fn echo_echoes() -> Result<(), Error> {
    let mut server = Harness::spawn([SERVER])?;
    server.initialize()?;
    server
        .expect_tool("echo")?
        .expect_required("text")?
        .expect_read_only()?
        .expect_output_schema()?;
    let echoed = server.call_tool("echo", json!({"text": "hello"}))?;
    assert_eq!(echoed.structured, Some(json!({"echoed": "hello"})));
    assert_eq!(echoed.text(), r#"{"echoed":"hello"}"#);
    server
        .call_tool("echo", json!({"text": 7}))?
        .expect_failure()?;
    server
        .call_tool("no-such-tool", json!({}))
        .expect_error(-32602)?;
    server.expect_schema_valid()?;
    server.expect_no_violations()
}

#[test]
fn resources_and_prompts_are_served() -> Result<(), Error> {
    let mut server = Harness::spawn([SERVER])?;
    server.initialize()?;
    let resources = server.list_resources()?;
    let contents = server.read_resource(&resources[0].uri)?;
    assert_eq!(contents[0].text.as_deref(), Some("one"));
    assert_eq!(
        server.list_resource_templates()?[0].uri_template,
        "test://{name}"
    );
    let error = server.read_resource("nowhere://").expect_error(-32002)?;
    assert_eq!(error.data, json!({"uri": "nowhere://"}));
    let prompts = server.list_prompts()?;
    assert!(prompts[0].arguments[0].required);
    let prompt = server.get_prompt("greet", json!({"who": "Ada"}))?;
    assert_eq!(prompt.messages[0].role, "user");
    assert_eq!(prompt.messages[0].content["text"], "Hello Ada");
    server.expect_no_violations()
}

#[test]
fn answers_are_timed() -> Result<(), Error> {
    let mut server = Harness::spawn([SERVER])?;
    server.initialize()?;
    server.ping()?;
    let timing = server.timings().last().expect("one for each exchange");
    assert_eq!(timing.method, "ping");
    assert!(timing.took.is_some(), "it was answered");
    Ok(())
}
