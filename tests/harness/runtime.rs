//! Inside a runtime.

use mcp_assay_harness::{Error, Harness};
use serde_json::json;

use crate::server::{SERVER, harness, live};

#[tokio::test]
async fn it_may_be_called_as_it_is() -> Result<(), Error> {
    let mut server = Harness::spawn([SERVER])?;
    server.initialize()?;
    tokio::task::yield_now().await;
    server.expect_tool("echo")?;
    server.close()?;
    Ok(())
}

#[tokio::test]
async fn it_may_go_to_a_thread_that_may_block() -> Result<(), Error> {
    let http = live(&[]);
    let mut server = harness(&http).start()?;
    let text = tokio::task::spawn_blocking(move || {
        server.initialize()?;
        let echoed = server.call_tool("echo", json!({"text": "a"}))?;
        Ok::<_, Error>(echoed.text())
    })
    .await
    .expect("nothing panics")?;
    assert_eq!(text, r#"{"echoed":"a"}"#);
    Ok(())
}
