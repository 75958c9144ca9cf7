//! Checks the names of the tools on a page in one walk, for all rules about them.

use super::listed::names;
use super::{name_charset, name_length, name_unique};
use crate::rules::prelude::*;
use crate::session::Lists;

pub(super) static GROUP: Group = Group {
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
    let mut seen = name_unique::Seen::default();
    for (position, name) in names(message).enumerate() {
        name_length::check_name(name, findings);
        name_charset::check_name(name, findings);
        let mut earlier = names(message).take(position);
        if seen.may_have(name) && earlier.any(|earlier| name_unique::is_same(earlier, name)) {
            let text = "another tool of this page has the same name";
            findings.raise(&name_unique::RULE, name, text);
        } else if before.is_some_and(|before| tools.is_on_other_page(name, &before)) {
            let text = "a tool of another page has the same name";
            findings.raise(&name_unique::RULE, name, text);
        }
    }
}
