//! The level of a rule, revision by revision.

use mcp_assay::{Level, Policy, Revision, RevisionSet, Rule};

/// The levels that a rule has under a policy, each with its revisions, oldest first.
pub(crate) fn of(rule: &Rule, policy: &Policy) -> Vec<(Level, RevisionSet)> {
    let mut levels: Vec<(Level, Vec<Revision>)> = Vec::new();
    for revision in rule.revisions.iter() {
        let level = policy.level(rule, Some(revision));
        match levels.iter_mut().find(|(known, _)| *known == level) {
            Some((_, revisions)) => revisions.push(revision),
            None => levels.push((level, vec![revision])),
        }
    }
    levels
        .into_iter()
        .map(|(level, revisions)| (level, revisions.into_iter().collect()))
        .collect()
}

/// The same in words: "error since 2025-03-26", "warning until 2025-06-18, error since 2025-11-25".
pub(crate) fn in_words(rule: &Rule, policy: &Policy) -> String {
    if rule.revisions == RevisionSet::NONE {
        // A rule of a profile: it does not depend on the revision.
        return policy.level(rule, None).name().to_owned();
    }
    of(rule, policy)
        .iter()
        .map(|(level, revisions)| format!("{} {revisions}", level.name()))
        .collect::<Vec<_>>()
        .join(", ")
}

/// The gravest of them.
pub(crate) fn gravest(rule: &Rule, policy: &Policy) -> Level {
    of(rule, policy)
        .into_iter()
        .map(|(level, _)| level)
        .max()
        .unwrap_or_else(|| policy.level(rule, None))
}
