//! Calls of tools: one lookup of the tool for all rules about its name and its arguments.

use super::{arguments_match_schema, call_listed};
use crate::rules::prelude::*;
use crate::session::Listing;

pub(super) static GROUP: Group = Group {
    keys: &[],
    on: &[On::Call("tools/call")],
    check,
};

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    match session.state.tools.listing_of_call(message) {
        Listing::Current(tool) => arguments_match_schema::check(message, tool, findings),
        Listing::Absent => {
            if let Some(name) = message.param("name") {
                call_listed::check(message, name, session, findings);
            }
        }
        Listing::Unknown => {}
    }
}
