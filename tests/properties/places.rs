//! One broken place is reported at that place, by the rule that is due, and nothing else is
//! reported.

use mcp_assay::invent::Expected;
use mcp_assay::rules::inline;
use mcp_assay::{Frame, Level, Revision, Session, Verdict, Violation};
use mcp_assay_testkit::{Failures, cases, message_validator};

#[test]
fn one_fault_is_one_violation_at_its_place() {
    let mut failures = Failures::default();
    for revision in Revision::ALL {
        let mut validator = message_validator();
        let mut broken = 0;
        for case in cases(revision, 3000) {
            let Some(fault) = &case.fault else { continue };
            let mut session = Session::new();
            let checked = validator.check(&mut session, Frame::of_invented(&case));
            let found: Vec<_> = checked
                .violations()
                .iter()
                // An error whose id could not be read is a note where the schema has no null.
                .filter(|violation| {
                    checked.level(violation) == Level::Error || is_null_id(violation)
                })
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

/// The place where several branches of a union are possible, the nearest one is reported: the fault
/// is told at its place, or beside it in the same container, which lacks a member or is of another
/// kind now.
#[test]
fn a_fault_in_a_union_is_told_near_its_place() {
    let mut failures = Failures::default();
    for revision in Revision::ALL {
        let mut validator = message_validator();
        for case in cases(revision, 3000) {
            let Some(fault) = &case.fault else { continue };
            let mut session = Session::new();
            let checked = validator.check(&mut session, Frame::of_invented(&case));
            if fault.expected != Expected::Open || checked.verdict() != Verdict::Block {
                continue;
            }
            let found: Vec<_> = checked
                .violations()
                .iter()
                .map(|violation| (violation.rule.name, checked.pointer(violation)))
                .collect();
            let container = fault
                .place
                .rsplit_once('/')
                .map_or("", |(container, _)| container);
            let near = |(_, pointer): &(_, String)| within(container, pointer);
            if !found.iter().all(near) {
                failures.add(
                    format!("{revision} {} {}", case.method.name, fault.place),
                    || format!("{case:?}\nfound: {found:?}"),
                );
            }
        }
    }
    failures.finish();
}

/// Whether a pointer is that of a value, or of something in it.
fn within(value: &str, pointer: &str) -> bool {
    pointer
        .strip_prefix(value)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Whether an error has a null id, which is a note where JSON-RPC demands it.
pub(crate) fn is_null_id(violation: &Violation) -> bool {
    *violation.rule == inline::ERROR_ID_NOT_NULL
}
