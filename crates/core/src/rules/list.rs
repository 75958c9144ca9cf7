//! All rules, and a rule by its name.

use std::sync::LazyLock;

use super::{FAMILIES, Rule, inline};

/// Side by side: whoever looks for a rule goes through one list, not through lists of lists.
static ALL: LazyLock<Vec<&'static Rule>> = LazyLock::new(|| {
    let mut all = Vec::new();
    for family in inline::ALL.iter().chain(FAMILIES) {
        all.extend_from_slice(family);
    }
    all
});

/// All rules: those of the stages, then the families.
pub fn all() -> impl Iterator<Item = &'static Rule> {
    ALL.iter().copied()
}

/// Finds a rule by its name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Rule> {
    all().find(|rule| rule.name == name)
}
