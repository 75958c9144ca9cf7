//! `probe/within-limits`: the server sends no more than a client can be expected to read. Every
//! connection is checked for it.

use mcp_assay::Party;

use super::Probe;
use crate::findings::{Findings, Outcome};
use crate::raw_client::GivenUp;
use crate::record::Record;
use crate::requirement::{ALL, ERROR, Requirement};

static LIMITS: Requirement = Requirement::of_server(
    "probe/within-limits",
    ERROR,
    ALL,
    "What the server says without being asked stays within what a client can be expected to \
     read.",
)
.page(
    "basic#messages",
    "A client runs out of memory.",
    "send what was asked for, and page long lists",
);

pub(super) static PROBE: Probe = Probe::between(&[&LIMITS]);

pub(super) fn check(records: &[Record], given_up: Option<&GivenUp>, findings: &mut Findings) {
    let outcome = match given_up {
        Some(GivenUp::SaysTooMuch(excess)) => {
            let is_ours = |record: &Record| record.direction().sender() == Party::Client;
            let from = records.iter().rposition(is_ours).unwrap_or_default();
            Outcome::Fail {
                message: format!("the server sent {excess} and was cut off"),
                evidence: records[from..].iter().take(3).cloned().collect(),
            }
        }
        _ => Outcome::Pass,
    };
    findings.add(LIMITS.id, None, outcome);
}
