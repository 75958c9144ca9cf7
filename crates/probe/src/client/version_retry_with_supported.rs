//! A server that speaks only a version that nobody knows.

use std::time::Duration;

use super::scenario::{Check, Over, Scenario};
use super::verdict::Verdict;
use crate::requirement::{Requirement, SINCE_2026_07, WARNING};
use crate::serve::Twist;
use crate::serve::script::Call;

static RETRY: Requirement = Requirement::of_client(
    "version/retry-with-supported",
    WARNING,
    SINCE_2026_07,
    "After an unsupported-version error the client retries with a version from the list or \
     reports the failure.",
)
.page(
    "basic/versioning#protocol-version-negotiation",
    "The user sees a failure although both sides share a version.",
    "choose a version from `data.supported` and send the request again, or report that \
         none fits",
);

pub(super) static SCENARIO: Scenario = Scenario {
    name: "another version",
    twist: Twist::OtherVersion,
    over: Over::Both,
    revisions: SINCE_2026_07,
    shows: &[&RETRY],
    check: Check::One(check),
    excuses: &[],
};

/// A message that is sent so much later than another was sent in knowledge of it.
const KNOWN: Duration = Duration::from_millis(100);

fn check(verdict: &mut Verdict<'_>) {
    let scene = verdict.scene;
    let time = |call: &Call| verdict.record(call.talk, call.at).map(|record| record.time);
    let version =
        |call: &Call| call.params["_meta"]["io.modelcontextprotocol/protocolVersion"].clone();
    let Some(first) = scene.seen.calls.first() else {
        return;
    };
    let again = scene.seen.calls.iter().skip(1).find(|call| {
        let later = time(call).zip(time(first));
        version(call) == version(first)
            && !version(call).is_null()
            && later.is_some_and(|(call, first)| call > first + KNOWN)
    });
    match again {
        Some(call) => {
            let message = "the client repeated a version that the server had refused";
            verdict.fail(
                &RETRY,
                message,
                call.talk,
                &[first.at, first.at + 1, call.at],
            );
        }
        None => verdict.pass(&RETRY),
    }
}
