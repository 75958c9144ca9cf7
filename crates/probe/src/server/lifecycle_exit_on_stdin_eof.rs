//! The standard input of a server that has nothing else to do is closed.

use std::time::Duration;

use super::Probe;
use crate::findings::{Findings, Outcome};
use crate::raw_client::Client;
use crate::requirement::{ALL, Requirement, WARNING};

pub(super) static EXIT: Requirement = Requirement::of_server(
    "lifecycle/exit-on-stdin-eof",
    WARNING,
    ALL,
    "A stdio server exits soon after its standard input ends (spelled out in 2026-07-28, \
     expected by the shutdown sequence before that).",
)
.page(
    "basic/transports/stdio#shutdown",
    "Processes of ended sessions stay behind and pile up.",
    "exit when standard input ends",
);

pub(super) static PROBE: Probe = Probe::between(&[&EXIT]);

/// How long a server is listened to before its input is closed: one that waits for an answer of
/// ours is not idle.
const QUIET: Duration = Duration::from_millis(800);

pub(super) fn check(client: &mut Client<'_>, findings: &mut Findings) {
    client.wait(QUIET, |_| false);
    // A process on a busy machine ends as slowly as it starts.
    let patience = client.options.step_timeout + client.started_in();
    let outcome = if client.close(patience) {
        Outcome::Pass
    } else {
        Outcome::Fail {
            message: format!(
                "the server was still running {} after its standard input was closed",
                client.options.step_limit()
            ),
            // The last message is the only evidence.
            evidence: client.records.iter().rev().take(1).cloned().collect(),
        }
    };
    findings.add(EXIT.id, client.revision, outcome);
}
