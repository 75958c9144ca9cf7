//! Names of rules in flags and in the configuration, those that only probing shows included.

use mcp_assay::{Rule, UnknownName};
use mcp_assay_probe::probed_rules;

/// The rule, family, layer, level, method or kind of this name.
pub(crate) fn selectable(name: &str) -> Result<&'static str, UnknownName> {
    mcp_assay::selectable(name).or_else(|unknown| probed(name).ok_or(unknown))
}

/// The rule that only probing shows, or the family of nothing but such rules, of this name.
pub(crate) fn probed(name: &str) -> Option<&'static str> {
    let names = probed_rules().map(|rule| rule.name);
    let mut names = names.chain(probed_rules().map(Rule::family));
    names.find(|known| *known == name)
}
