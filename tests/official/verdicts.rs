//! On every form of a message, and on every single fault in one, we and the official schema say the
//! same.

use mcp_assay::{Detail, Frame, Layer, Level, Policy, Revision, Session, Validator, Verdict};
use mcp_assay_testkit::{Failures, cases, in_every_revision};
use serde_json::Value;

use crate::errata::{Errata, Side};
use crate::official::{Official, folder};

/// At least so many messages are compared in each revision.
const AT_LEAST: usize = 20_000;
/// Of these, so many are random.
const RANDOM: usize = 10_000;

#[test]
fn same_verdict_as_the_official_schema() {
    if folder().is_none() {
        return;
    }
    in_every_revision(compare).finish();
}

fn compare(revision: Revision) -> Failures {
    let mut failures = Failures::default();
    let Some(official) = Official::load(revision) else {
        return failures;
    };
    let errata = Errata::load();
    let mut validator = Validator::new(policy());
    let (mut count, mut refused) = (0, 0);
    for case in cases(revision, RANDOM).filter(|case| official.knows(case)) {
        let value: Value = serde_json::from_slice(&case.bytes).expect("the inventor writes JSON");
        if Official::is_extension(&value) {
            continue;
        }
        count += 1;
        let at_face = official.accepts(&value, &case);
        // A union of results that accepts nearly everything would hide what its branches say.
        let theirs = official.accepts_by_type(&value, &case).unwrap_or(at_face);
        if at_face != theirs {
            let side = if at_face {
                Side::Stricter
            } else {
                Side::Looser
            };
            if !errata.explain(&case, side, &["/result".to_owned()]) {
                failures.add(
                    format!("{revision} {}: by type {side:?}", case.method.name),
                    || format!("{case:?}"),
                );
            }
        }
        let mut session = Session::new();
        let checked = validator.check(&mut session, Frame::of_invented(&case));
        let ours = checked.verdict() != Verdict::Block;
        refused += usize::from(!ours);
        if ours == theirs {
            continue;
        }
        // Each fault that only one side sees must be a known one.
        let (side, faults) = if theirs {
            let errors = checked
                .violations()
                .iter()
                .filter(|found| checked.level(found) == Level::Error);
            let place = |found| vec![place(&checked.pointer(found), found.detail)];
            (Side::Stricter, errors.map(place).collect())
        } else {
            (Side::Looser, official.faults(&value, &case))
        };
        let explained = faults
            .iter()
            .all(|places| errata.explain(&case, side, places));
        if !explained {
            failures.add(format!("{revision} {}: {side:?} at {faults:?}", case.method.name), || {
                let definition = official.judge(&value, &case).unwrap_or_default();
                let verdict = |accepts| if accepts { "accept" } else { "refuse" };
                let (ours, theirs) = (verdict(ours), verdict(theirs));
                format!("{case:?}\ndefinitions: {definition:?}\nwe {ours}, they {theirs}, because of {faults:?}")
            });
        }
    }
    println!("{revision}: {count} messages compared, {refused} refused");
    if count < AT_LEAST || refused < count / 4 || refused > count * 3 / 4 {
        let text = || format!("{count} messages with {refused} refused are no fair sample");
        failures.add(revision.name(), text);
    }
    for (id, uses) in errata.uses(revision) {
        println!("  {id}: {uses}");
        if uses == 0 {
            failures.add(format!("{revision} {id}"), || {
                "no message shows this erratum".to_owned()
            });
        }
    }
    failures
}

/// The layers that a schema can speak about.
fn policy() -> Policy {
    let mut policy = Policy::default();
    policy.layers = [Layer::Json, Layer::Jsonrpc, Layer::Schema]
        .into_iter()
        .collect();
    policy
}

/// The place of a violation; of a missing member, where it would be.
fn place(pointer: &str, detail: Detail) -> String {
    match detail {
        Detail::Missing { member, .. } => {
            format!("{pointer}/{}", member.replace('~', "~0").replace('/', "~1"))
        }
        _ => pointer.to_owned(),
    }
}
