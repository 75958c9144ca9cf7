//! Selection: flags, `mcp-assay.toml`, baselines, and the lists of rules.

mod baseline;
mod config;
mod flags;
mod lists;
#[expect(dead_code, reason = "shared with the other tests of the program")]
#[path = "../program/support.rs"]
mod support;

/// Four messages with one fault each, a warning among them, and one without.
pub(crate) const TRAFFIC: &str = concat!(
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n",
    // schema/missing-member
    "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\"}\n",
    // schema/wrong-type
    "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\",\"params\":{\"name\":7}}\n",
    // jsonrpc/version-member
    "{\"id\":4,\"method\":\"ping\"}\n",
    // json/unique-keys, a warning
    "{\"jsonrpc\":\"2.0\",\"id\":5,\"id\":5,\"method\":\"ping\"}\n",
);

/// The rules that are found in [`TRAFFIC`] under flags, in a folder without a configuration.
pub(crate) fn found(flags: &[&str]) -> Vec<String> {
    let arguments = [&["check", "--format", "ndjson", "--no-config"], flags].concat();
    let outcome = support::run(&arguments, TRAFFIC);
    assert!(outcome.stderr.is_empty(), "{}", outcome.stderr);
    outcome.rules().concat()
}
