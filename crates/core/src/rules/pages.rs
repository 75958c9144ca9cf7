//! The pages of the rules, which the build script gathers.

use std::sync::LazyLock;

static TEXT: &str = include_str!(concat!(env!("OUT_DIR"), "/pages"));

/// Names and pages, by name.
static PAGES: LazyLock<Vec<(&str, &str)>> = LazyLock::new(|| {
    let mut pages: Vec<_> = TEXT
        .split('\0')
        .filter_map(|page| page.split_once('\n'))
        .collect();
    pages.sort_unstable();
    pages
});

/// The page of a rule that is built in, as it is written.
pub(super) fn find(name: &str) -> Option<&'static str> {
    let index = PAGES.binary_search_by_key(&name, |(name, _)| name).ok()?;
    Some(PAGES[index].1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules;

    #[test]
    fn every_rule_has_a_page_and_every_page_a_rule() {
        for rule in rules::all() {
            let page = find(rule.name).unwrap_or_else(|| panic!("{} has no page", rule.name));
            assert_eq!(page.lines().next(), Some(rule.summary), "{}", rule.name);
        }
        for (name, _) in PAGES.iter() {
            assert!(rules::find(name).is_some(), "{name} is no rule");
        }
        assert_eq!(PAGES.len(), rules::all().count());
    }
}
