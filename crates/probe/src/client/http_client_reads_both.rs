//! A server that answers with streams only.

use super::scenario::{Check, Over, Scenario};
use super::verdict::Verdict;
use crate::requirement::{ALL, ERROR, Requirement, SINCE_2025_03};
use crate::serve::Twist;

pub(super) static READS_BOTH: Requirement = Requirement::of_client(
    "http/client-reads-both",
    ERROR,
    SINCE_2025_03,
    "A client understands both answer types.",
)
.page(
    "basic/transports/streamable-http#sending-messages",
    "A server may answer with JSON or with a stream; a client that reads one of them \
         fails with half of the servers.",
    "accept `application/json` and `text/event-stream`, and read both",
);

pub(super) static SCENARIO: Scenario = Scenario {
    name: "streams only",
    twist: Twist::Streams,
    over: Over::Http,
    revisions: ALL,
    shows: &[&READS_BOTH],
    check: Check::One(check),
    excuses: &[],
};

fn check(verdict: &mut Verdict<'_>) {
    verdict.went_on(&READS_BOTH, "an answer that is a stream");
}
