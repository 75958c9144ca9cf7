//! `http/result-status`: a result comes with status 200. Every connection is checked for it.

use mcp_assay::Revision;

use super::Probe;
use crate::findings::{Findings, Outcome};
use crate::record::{Content, Record};
use crate::requirement::{Requirement, SINCE_2025_03, WARNING};

static STATUS: Requirement = Requirement::of_server(
    "http/result-status",
    WARNING,
    SINCE_2025_03,
    "A request that succeeds is answered with status 200.",
)
.page(
    "basic/transports/streamable-http#sending-messages",
    "Clients and proxies go by the status: they drop the result, or ask again. The specification \
     shows 200 and names no other status for results, so it is a warning.",
    "answer with status 200",
);

pub(super) static PROBE: Probe = Probe::between(&[&STATUS]);

pub(super) fn check(records: &[Record], revision: Option<Revision>, findings: &mut Findings) {
    let mut outcome = None;
    for (at, record) in records.iter().enumerate() {
        let Content::Response { status, .. } = &record.content else {
            continue;
        };
        let is_result = record
            .message()
            .is_some_and(|message| message.get("result").is_some());
        if is_result && *status != 200 {
            let exchange = record.exchange();
            let sent = records[..at].iter();
            let sent = sent.rev().find(|earlier| earlier.exchange() == exchange);
            let evidence = sent.into_iter().chain([record]).cloned().collect();
            let message = format!("a result came with status {status}, expected 200");
            findings.add(STATUS.id, revision, Outcome::Fail { message, evidence });
            return;
        }
        if is_result {
            outcome = Some(Outcome::Pass);
        }
    }
    if let Some(outcome) = outcome {
        findings.add(STATUS.id, revision, outcome);
    }
}
