//! `probe/survives`: the server still answers after everything that was sent. Every harmful step
//! checks it; the step here sends messages that are deep or large, which may be refused in any way.

use super::{Listed, Probe, Step};
use crate::requirement::{ALL, ERROR, Requirement};

pub(crate) static SURVIVES: Requirement = Requirement::of_both(
    "probe/survives",
    ERROR,
    ALL,
    "After everything that was sent, the server still answers.",
)
.page(
    "basic#requests",
    "One bad message, by accident or by intent, ends the session of every user.",
    "catch errors while reading a message, and go on with the next",
);

pub(super) static PROBE: Probe = Probe::walk(&[&SURVIVES], run);

fn run(step: &mut Step<'_, '_>, _: &Listed) {
    let deep = format!("{}1{}", "[".repeat(10_000), "]".repeat(10_000));
    let long = "x".repeat(1 << 20);
    for (params, what) in [
        (
            format!(r#"{{"deep":{deep}}}"#),
            "a message that is nested ten thousand levels deep",
        ),
        (format!(r#"{{"long":"{long}"}}"#), "a message of a mebibyte"),
    ] {
        if step.is_over() || !step.wants(&[&SURVIVES]) {
            return;
        }
        let id = step.client.next_id();
        let text = format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"mcp-assay/large","params":{params}}}"#
        );
        let (sent, _) = step.client.send(text.into_bytes());
        step.client.malformed.get_or_insert(sent);
        step.survives(what, sent);
    }
}
