//! One broken place is reported at that place, by the rule that is due, and nothing else is reported.

use mcp_assay::invent::Expected;
use mcp_assay::{Level, Revision, Session, Validator, Verdict};
use mcp_assay_tests::{Failures, cases};

#[test]
fn one_fault_is_one_violation_at_its_place() {
    let mut failures = Failures::default();
    for revision in Revision::ALL {
        let mut validator = Validator::default();
        let mut broken = 0;
        for case in cases(revision, 3000) {
            let Some(fault) = &case.fault else { continue };
            let mut session = Session::new();
            let checked = validator.check(&mut session, case.frame());
            let found: Vec<_> = checked
                .violations()
                .iter()
                .filter(|violation| checked.level(violation) == Level::Error)
                .map(|violation| (violation.rule.name, checked.pointer(violation)))
                .collect();
            match &fault.expected {
                Expected::Valid if checked.verdict() != Verdict::Pass => {
                    failures.add(format!("{revision} {found:?}"), || {
                        format!("{case:?}\nfound: {found:?}")
                    });
                }
                Expected::Broken { at, rules } => {
                    broken += 1;
                    let as_expected = found.len() == 1
                        && found
                            .iter()
                            .all(|(rule, place)| rules.contains(rule) && place == at);
                    if !as_expected {
                        failures.add(format!("{revision} {found:?}"), || {
                            format!("{case:?}\nfound: {found:?}")
                        });
                    }
                }
                Expected::Valid | Expected::Open => {}
            }
        }
        // Fewer would mean that the inventor no longer knows what it breaks.
        assert!(broken > 5000, "only {broken} broken messages in {revision}");
    }
    failures.finish();
}
