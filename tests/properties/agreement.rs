//! Stopping at the first violation and collecting all of them are the same check.

use mcp_assay::{Frame, Revision, Session, Validator, Violation};
use mcp_assay_testkit::cases;

#[test]
fn the_first_violation_is_the_first_of_all() {
    for revision in Revision::ALL {
        let mut validator = Validator::default();
        for case in cases(revision, 3000) {
            let first = validator.first_violation(&Session::new(), Frame::of_invented(&case));
            let mut session = Session::new();
            let checked = validator.check(&mut session, Frame::of_invented(&case));
            let collected = checked.violations().first();
            assert_eq!(
                first.as_ref().map(essence),
                collected.map(essence),
                "{case:?}"
            );
        }
    }
}

/// The identity of a violation.
fn essence(violation: &Violation) -> (&'static str, u32, u32, Option<u32>) {
    (
        violation.rule.name,
        violation.span.start,
        violation.span.end,
        violation.token,
    )
}
