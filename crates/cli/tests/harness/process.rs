//! The fate of the server when the program ends, and the reverse.

#![cfg(unix)]

use mcp_assay_testkit::wait::until;
use serde_json::json;

use crate::support::Harness;

#[test]
fn a_server_that_hangs_or_dies_or_is_not_there_is_told() {
    let mut harness = Harness::start(&["--step-timeout", "0.3"], &["sleep", "1000"]);
    let error = harness.bad("initialize", json!({}));
    assert_eq!(error["kind"], "no_answer", "{error}");
    assert_eq!(harness.end(), Some(4));
    for (command, said) in [
        (
            &["sh", "-c", "echo cheese >&2; exit 7"][..],
            "exit status: 7",
        ),
        (&["/no/such/server"], "failed to run `/no/such/server`"),
    ] {
        let mut harness = Harness::start(&[], command);
        let error = harness.bad("initialize", json!({}));
        assert_eq!(error["kind"], "gone", "{error}");
        let message = error["message"].as_str().unwrap_or_default();
        assert!(message.contains(said), "{message}");
        assert_eq!(harness.end(), Some(4));
    }
}

#[test]
fn the_total_time_can_be_limited() {
    let mut harness = Harness::start(&["--timeout", "0.3"], &["sleep", "1000"]);
    // When the server has ended, it is gone.
    assert_eq!(harness.bad("initialize", json!({}))["kind"], "no_answer");
}

#[cfg(target_os = "linux")]
#[test]
fn the_server_ends_with_the_program_even_if_that_is_killed() {
    let is_running = |id: &str| {
        let status = std::fs::read_to_string(format!("/proc/{id}/status"));
        status.is_ok_and(|status| !status.contains("State:\tZ"))
    };
    for kills in [false, true] {
        let mut harness = Harness::shell(&[]);
        harness.good("initialize", json!({}));
        let called = harness.good("call_tool", json!({"name": "pid"}));
        let id = called["content"][0]["text"].as_str().unwrap().to_owned();
        assert!(is_running(&id));
        if kills {
            harness.process.kill().expect("it runs");
            harness.process.wait().expect("it ends");
        } else {
            assert_eq!(harness.end(), Some(0));
        }
        until(|| !is_running(&id));
    }
}
