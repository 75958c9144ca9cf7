//! Profiles: the built-in ones, the keys of a file, and its faults.

mod builtin;
mod faults;
mod files;
#[expect(dead_code, reason = "shared with the other tests of the program")]
#[path = "../program/support.rs"]
mod support;

use std::fmt::Write;

use support::{Outcome, assay};

/// Checks messages (`c2s {...}`, `s2c {...}`, one per line) of revision 2025-06-18 under the text
/// of a profile, in the format `ndjson`.
pub(crate) fn check(profile: &str, messages: &str) -> Outcome {
    check_as(profile, messages, &["--format", "ndjson"])
}

/// The same, with flags.
pub(crate) fn check_as(profile: &str, messages: &str, flags: &[&str]) -> Outcome {
    let folder = support::folder(&[
        ("mine.toml", profile.as_bytes()),
        ("session.ndjson", records(messages).as_bytes()),
    ]);
    let mut arguments = vec!["check", "session.ndjson", "--profile", "mine.toml"];
    arguments.extend(flags);
    support::run_in(&folder, &arguments)
}

/// The output of the program about a profile.
pub(crate) fn complaint(profile: &str) -> String {
    let folder = support::folder(&[("mine.toml", profile.as_bytes())]);
    let mut command = assay(&["check", "--profile", "mine.toml", "-"]);
    let output = command.current_dir(folder.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{profile}");
    let said = String::from_utf8(output.stderr).unwrap();
    let (_, said) = said.split_once("mine.toml:").unwrap_or(("", &said));
    said.lines().next().unwrap_or_default().to_owned()
}

/// Messages as records of a capture; a session is opened before them.
fn records(messages: &str) -> String {
    const OPENING: [&str; 3] = [
        r#"c2s {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{"sampling":{}},"clientInfo":{"name":"client","version":"1"}}}"#,
        r#"s2c {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{},"resources":{"subscribe":true},"logging":{}},"serverInfo":{"name":"server","version":"1"}}}"#,
        r#"c2s {"jsonrpc":"2.0","method":"notifications/initialized"}"#,
    ];
    let lines = OPENING.into_iter().chain(messages.lines().map(str::trim));
    let mut text = String::new();
    for line in lines.filter(|line| !line.is_empty()) {
        let (direction, message) = line.split_once(' ').unwrap();
        let record = serde_json::json!({"dir": direction, "raw": message});
        writeln!(text, "{record}").unwrap();
    }
    text
}

/// Asserts the rules that the messages after the opening violate, in order.
pub(crate) fn finds(profile: &str, messages: &str, rules: &[&str]) {
    let outcome = check(profile, messages);
    assert!(outcome.stderr.is_empty(), "{}", outcome.stderr);
    assert_eq!(outcome.rules().concat(), rules, "{profile}\n{messages}");
}
