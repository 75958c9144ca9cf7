//! All rules with their checks, and a rule by its name.

use std::sync::LazyLock;

use super::FAMILIES;
use super::check::Check;
use crate::catalogue::{Rule, inline};

/// A rule with its check.
#[derive(Clone, Copy)]
pub(crate) struct Listed {
    pub(crate) rule: &'static Rule,
    /// `None` if a stage of the validator raises it while it reads a message.
    pub(crate) check: Option<&'static Check>,
}

/// One flat list: a search does not walk nested lists.
static ALL: LazyLock<Vec<Listed>> = LazyLock::new(|| {
    let inline = inline::ALL.iter().copied().flatten();
    let inline = inline.map(|rule| Listed { rule, check: None });
    let families = FAMILIES.iter().copied().flatten();
    let families = families.map(|&(rule, check)| Listed {
        rule,
        check: Some(check),
    });
    inline.chain(families).collect()
});

/// All rules with their checks: those of the stages, then the families.
pub(crate) fn listed() -> impl Iterator<Item = Listed> {
    ALL.iter().copied()
}

/// All rules: those of the stages, then the families.
pub fn all() -> impl Iterator<Item = &'static Rule> {
    listed().map(|listed| listed.rule)
}

/// Finds a rule by its name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Rule> {
    all().find(|rule| rule.name == name)
}
