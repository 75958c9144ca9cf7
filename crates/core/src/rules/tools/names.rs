//! Checks the names of the tools on a page in one walk, for all rules about them.

use super::listed::names;
use super::{name_charset, name_length, name_unique};
use crate::rules::prelude::*;
use crate::rules::support::Texts;
use crate::session::Lists;

pub(super) static GROUP: Group = Group {
    keys: &[],
    on: &[On::Result("tools/list")],
    check,
};

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    let tools = &session.state.tools;
    // On the first page of a walk there are no earlier tools.
    let before = Lists::before(message).filter(|before| before.count > 0);
    if before.is_none() && tools.has_fine_names(message) {
        return;
    }
    // Most pages have no two names with equal hashes, and need no set.
    let mut filter = name_unique::Filter::default();
    let may_repeat = names(message).any(|name| filter.may_have(name));
    let mut seen = Texts::default();
    for name in names(message) {
        name_length::check_name(name, findings);
        name_charset::check_name(name, findings);
        if may_repeat && !seen.insert(name) {
            let text = "another tool of this page has the same name";
            findings.raise(&name_unique::RULE, name, text);
        } else if before.is_some_and(|before| tools.is_on_other_page(name, &before)) {
            let text = "a tool of another page has the same name";
            findings.raise(&name_unique::RULE, name, text);
        }
    }
}
