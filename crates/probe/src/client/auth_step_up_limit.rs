//! A limit on attempts to get a further scope.

use super::verdict::Verdict;
use crate::record::Record;
use crate::requirement::{Requirement, SINCE_2025_11, WARNING};

pub(super) static LIMIT: Requirement = Requirement::of_client(
    "auth/step-up-limit",
    WARNING,
    SINCE_2025_11,
    "An operation that is refused with insufficient_scope again and again is given up after a few \
     attempts.",
)
.page(
    "basic/authorization/index#step-up-authorization-flow",
    "The user is asked for consent without end, and nothing comes of it. The text says *a few \
     times*; more than three attempts after the first count as too many.",
    "count the attempts for each operation, and report a permanent failure after three",
);

/// Attempts of one operation, the first included, that are a few.
const A_FEW: usize = 4;

pub(super) fn check(verdict: &mut Verdict<'_>) {
    let refusals = verdict.scene.seen.refusals.clone();
    let evidence = |verdict: &Verdict<'_>| -> Vec<Record> {
        let shown = refusals.iter().take(A_FEW + 1);
        let records = shown.flat_map(|refusal| verdict.records(refusal.exchange));
        records.collect()
    };
    match refusals.len() {
        0 => verdict.not_observed(&LIMIT, "the client sends no request with its token"),
        1 => verdict.not_observed(&LIMIT, "the client does not try again"),
        2..=A_FEW => verdict.pass(&LIMIT),
        times => {
            let operation = &refusals[0].operation;
            let message = format!(
                "the client sent `{}` {times} times, although it was refused with \
                 `insufficient_scope` each time",
                operation.trim_end()
            );
            let evidence = evidence(verdict);
            verdict.fail_with(&LIMIT, message, evidence);
        }
    }
}
