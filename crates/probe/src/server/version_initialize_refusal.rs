//! `initialize` sent to a server that has no handshake.

use mcp_assay::Revision;

use super::Probe;
use crate::findings::{Findings, Outcome};
use crate::raw_client::{Answer, Reply};
use crate::record::Record;
use crate::requirement::{Requirement, SINCE_2026_07, WARNING};

static REFUSAL: Requirement = Requirement::of_server(
    "version/initialize-refusal-names-versions",
    WARNING,
    SINCE_2026_07,
    "A modern-only server that refuses initialize says which versions it speaks in that \
     error.",
)
.page(
    "basic/versioning#backward-compatibility-with-initialization-based-versions",
    "A client of an older revision cannot tell its user what to do.",
    "name the supported versions in the error",
);

pub(super) static PROBE: Probe = Probe::between(&[&REFUSAL]);

/// A refusal has to name the versions that the server speaks.
pub(super) fn check(
    revision: Revision,
    (answer, evidence): &(Answer, Vec<Record>),
    findings: &mut Findings,
) {
    let Reply::Error(_, error) = &answer.reply else {
        return;
    };
    let outcome = if error.to_string().contains(revision.name()) {
        Outcome::Pass
    } else {
        Outcome::Fail {
            message: format!(
                "`initialize` was refused with {} that names no version",
                answer.in_words()
            ),
            evidence: evidence.clone(),
        }
    };
    findings.add(REFUSAL.id, Some(revision), outcome);
}
