//! Two faults in one dialogue, far apart: both are told.
//!
//! A fault that is told keeps silent what follows from it, and must not keep silent what has nothing to do with it.

use std::collections::BTreeMap;

use mcp_assay_tests::Failures;
use mcp_assay_tests::traffic::{Carried, Finding, Record, Runner};

use super::change::{Changed, changes};
use super::{dialogues, names};

/// One in so many faults is tried as the first one, and one in so many of those that come after it as the second.
const ONE_IN: usize = 9;

/// So many records lie between the two, at least.
const APART: usize = 3;

/// Changes after which nobody can tell for certain what the messages after it belong to: the message that tells is lost, has no
/// id or that of another, or cannot be understood. They may hide one in so many faults that come after.
const LOSES_TRACK: &[&str] = &[
    "drop",
    "torn",
    "order",
    "twice",
    "id-",
    "method",
    "params-gone:_meta",
];
const MAY_HIDE: usize = 25;

/// Faults that would have been told of what is not there any more, or by comparing with a message that is not sound.
#[rustfmt::skip]
const MOOT: &[(&str, &str, &str)] = &[
    ("result-to-error", "http/version-header", "no version was agreed on"),
    ("version-", "tasks/", "what a message that is not sound says of a task is not relied on"),
    ("params-", "tasks/", "what a message that is not sound says of a task is not relied on"),
    ("params-", "ext-tasks/", "what a message that is not sound says of a task is not relied on"),
    ("result-", "tasks/", "what a message that is not sound says of a task is not relied on"),
    ("result-", "ext-tasks/", "what a message that is not sound says of a task is not relied on"),
    ("params-", "mrtr/", "a call that is repeated is compared with one that is not sound"),
    ("result-", "mrtr/", "what was asked for is not known"),
];

#[test]
fn two_faults_far_apart_are_both_told() {
    let mut failures = Failures::default();
    let mut runner = Runner::new();
    let (mut tried, mut uncertain, mut hidden) = (0, 0, 0);
    let mut count = 0;
    for traffic in dialogues() {
        let records = recorded(&traffic.records);
        let mut alone = BTreeMap::new();
        let mut firsts = Vec::new();
        changes(&records, &mut |changed| {
            if let [finding] = &runner.run(traffic.revision, &changed.records)[..] {
                alone.insert(key(&changed, 0), finding.clone());
                firsts.push((changed, finding.clone()));
            }
        });
        for (first, told) in firsts.iter().step_by(ONE_IN) {
            let grown = first.records.len().wrapping_sub(records.len());
            changes(&first.records, &mut |second| {
                let is_apart = second.at.wrapping_sub(grown) >= first.at + APART;
                let wanted = alone.get(&key(&second, grown)).filter(|_| is_apart);
                count += usize::from(wanted.is_some());
                let Some(wanted) = wanted.filter(|_| count.is_multiple_of(ONE_IN)) else {
                    return;
                };
                // The first may show only afterwards, or in the message that the second one spoils.
                let is_spoilt = told.at >= second.at;
                if is_spoilt || is_moot(first, wanted) || told.rule == wanted.rule {
                    return;
                }
                let found = runner.run(traffic.revision, &second.records);
                let has = |rule| found.iter().any(|finding| finding.rule == rule);
                let is_hidden = !has(told.rule) || !has(wanted.rule);
                tried += 1;
                if LOSES_TRACK.iter().any(|kind| first.kind.starts_with(kind)) {
                    uncertain += 1;
                    hidden += usize::from(is_hidden);
                } else if is_hidden {
                    let kind = format!("{} and {}: {:?}", told.rule, wanted.rule, names(&found));
                    failures.add(kind, || {
                        let name = &traffic.name;
                        let (one, other) = (&first.kind, &second.kind);
                        format!("{name}, {one} at {}, {other} at {}", first.at, second.at)
                    });
                }
            });
        }
    }
    failures.finish();
    println!("{tried} pairs, {hidden} of {uncertain} hidden");
    assert!(tried > 400, "only {tried} pairs were tried");
    assert!(
        hidden * MAY_HIDE <= uncertain,
        "{hidden} of {uncertain} faults are hidden"
    );
}

/// Lines as those of a recording that begins with the session.
fn recorded(records: &[Record]) -> Vec<Record> {
    let mut records = records.to_vec();
    for record in &mut records {
        if let Carried::Line { stdio, .. } = &mut record.carrier {
            *stdio = true;
        }
    }
    records
}

/// Which change it is, if so many records were added before it.
fn key(changed: &Changed, added: usize) -> (usize, String, String) {
    let at = changed.at.wrapping_sub(added);
    (at, changed.kind.clone(), changed.label.clone())
}

fn is_moot(first: &Changed, second: &Finding) -> bool {
    MOOT.iter()
        .any(|(kind, rule, _)| first.kind.starts_with(kind) && second.rule.starts_with(rule))
}
