//! All rules, and a rule by its name.

use super::{FAMILIES, Rule, inline};

/// All rules: those of the stages, then the families.
pub fn all() -> impl Iterator<Item = &'static Rule> {
    inline::ALL
        .iter()
        .chain(FAMILIES)
        .copied()
        .flatten()
        .copied()
}

/// Finds a rule by its name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Rule> {
    all().find(|rule| rule.name == name)
}
