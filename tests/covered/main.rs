//! Requirements of the specification that have no rule of their own, because a rule driven by the
//! model covers them.
//!
//! The files beside this one show it, one a family: for each requirement pairs of transcripts, in
//! every revision that states it and for every party that can break it. `rows.tsv` lists all
//! requirements.

mod coverage;
mod example;
mod table;

use std::collections::{BTreeMap, BTreeSet};

use mcp_assay::rules::Parties;
use mcp_assay::{Party, Revision, rules};

use crate::example::{Covered, Pair, covered};
use crate::table::{Row, rows};

#[test]
fn good_examples_are_silent_and_bad_ones_raise_their_rule_at_the_caret() {
    let mut wrong = Vec::new();
    for (row, covered) in listed() {
        for (number, pair) in (1..).zip(&covered.pairs) {
            let place = format!("{} pair {number}", row.id);
            let found = pair.good_in(pair.revision);
            if !found.is_empty() {
                wrong.push(format!("{place} {}: good raises {found:?}", pair.revision));
            }
            for revision in shown(&row, pair) {
                let fault = pair.disagreement(revision);
                wrong.extend(fault.map(|fault| format!("{place} {revision}: {fault}")));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_revision_that_states_a_requirement_is_shown() {
    let mut wrong = Vec::new();
    // Where a rule of its own does the rest, the model covers some revisions only.
    let listed = listed().into_iter();
    for (row, covered) in listed.filter(|(row, _)| rules::find(row.id).is_none()) {
        let shown: BTreeSet<_> = covered
            .pairs
            .iter()
            .flat_map(|pair| shown(&row, pair))
            .collect();
        let missing = row.revisions.iter();
        wrong.extend(
            missing
                .filter(|revision| !shown.contains(revision))
                .map(|revision| format!("{}: {revision} is not shown", row.id)),
        );
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A revision that does not state a requirement is not accused of breaking it.
#[test]
fn no_other_revision_raises_the_rule() {
    let mut wrong = Vec::new();
    for (row, covered) in listed() {
        for (number, pair) in (1..).zip(&covered.pairs).filter(|(_, pair)| !pair.only) {
            let others = Revision::ALL
                .into_iter()
                .filter(|revision| !row.revisions.contains(revision));
            wrong.extend(
                others
                    .filter(|revision| pair.disagreement(*revision).is_none())
                    .map(|revision| format!("{} pair {number} is raised in {revision}", row.id)),
            );
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn those_are_at_fault_who_can_break_the_requirement() {
    let listed = listed().into_iter();
    for (row, covered) in listed.filter(|(row, _)| rules::find(row.id).is_none()) {
        let found: BTreeSet<_> = covered
            .pairs
            .iter()
            .filter_map(Pair::party)
            .map(name)
            .collect();
        let expected: BTreeSet<_> = match row.party {
            Parties::Only(party) => [name(party)].into(),
            Parties::Both => [name(Party::Client), name(Party::Server)].into(),
        };
        assert_eq!(found, expected, "{}: who is at fault", row.id);
    }
}

#[test]
fn examples_and_rules_name_each_other() {
    let mut by_rule: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let listed = listed();
    for (row, covered) in &listed {
        for pair in &covered.pairs {
            by_rule.entry(&pair.rule).or_default().insert(row.id);
        }
    }
    for rule in rules::all() {
        let covers: BTreeSet<_> = rule.covers.iter().copied().collect();
        assert_eq!(
            covers.len(),
            rule.covers.len(),
            "{} covers something twice",
            rule.name
        );
        let shown = by_rule.remove(rule.name).unwrap_or_default();
        let unlisted: Vec<_> = shown.difference(&covers).collect();
        let unproven: Vec<_> = covers.difference(&shown).collect();
        assert!(
            unlisted.is_empty() && unproven.is_empty(),
            "{}: `covers` lacks {unlisted:?}, and no example shows {unproven:?}",
            rule.name
        );
    }
    assert!(by_rule.is_empty(), "no such rules: {:?}", by_rule.keys());
}

#[test]
fn a_requirement_is_as_grave_as_the_rule_that_covers_it() {
    for (row, covered) in listed() {
        for pair in &covered.pairs {
            let rule = rules::all().find(|rule| rule.name == pair.rule);
            let level = rule.map(|rule| rule.level);
            assert_eq!(level, Some(row.level), "{} by {}", row.id, pair.rule);
        }
    }
}

#[test]
fn each_requirement_is_listed_once_and_its_section_has_examples() {
    let rows = rows();
    let ids: BTreeSet<_> = rows.iter().map(|row| row.id).collect();
    assert_eq!(ids.len(), rows.len(), "a requirement is listed twice");
    let mut seen = BTreeSet::new();
    for (row, covered) in listed() {
        assert!(seen.insert(row.id), "{} has two sections", row.id);
        assert!(row.passive, "{} is not seen in recorded traffic", row.id);
        assert!(!covered.pairs.is_empty(), "{} has no example", row.id);
        assert!(
            covered.sentence.ends_with('.'),
            "{} has no sentence",
            row.id
        );
    }
}

/// The covered requirements with what the table says about them.
fn listed() -> Vec<(Row, Covered)> {
    let mut rows: BTreeMap<_, _> = rows().into_iter().map(|row| (row.id, row)).collect();
    let covered = covered().into_iter();
    covered
        .map(|covered| {
            let row = rows.remove(covered.id.as_str());
            let row = row.unwrap_or_else(|| panic!("{} is not in the table", covered.id));
            (row, covered)
        })
        .collect()
}

/// The revisions of a requirement that the messages of a pair belong to: those in which the good
/// one is silent.
fn shown<'a>(row: &'a Row, pair: &'a Pair) -> impl Iterator<Item = Revision> + 'a {
    let revisions = row.revisions.iter().copied();
    revisions.filter(|revision| {
        *revision == pair.revision || !pair.only && pair.good_in(*revision).is_empty()
    })
}

fn name(party: Party) -> &'static str {
    party.name()
}
