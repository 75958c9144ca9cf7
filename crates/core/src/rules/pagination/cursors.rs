//! Checks the origin of the cursor of a request.

use super::{cursor_not_kept, cursor_opaque, cursor_same_list, missing_is_end};
use crate::rules::prelude::*;
use crate::session::{List, Origin};

pub(super) static GROUP: Group = Group {
    keys: &[],
    on: &[
        On::Call("tools/list"),
        On::Call("prompts/list"),
        On::Call("resources/list"),
        On::Call("resources/templates/list"),
        On::Call("tasks/list"),
    ],
    check,
};

/// Whether an answer with a page of the same list is still missing; it may return the cursor.
fn awaits_page(message: &Message<'_>, session: &Session) -> bool {
    let is_same = |method| message.method() == Some(method);
    let direction = message.direction();
    direction.is_some_and(|direction| {
        let mut open = session.open_methods(direction).flatten();
        open.any(is_same)
    })
}

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    let (Some(list), Some(cursor)) = (List::of(message), message.param("cursor")) else {
        return;
    };
    // An unreadable or unseen page may have returned any cursor. If the opening of the session is
    // missing, more may be.
    if !session.is_whole(message)
        || !session.is_opened_for(message)
        || session.losses.answers.iter().any(|lost| *lost > 0)
        || awaits_page(message, session)
    {
        return;
    }
    let lists = &session.state.lists;
    match lists.origin(list, cursor) {
        Origin::Same => {
            if lists.repeats_last_page(list, cursor, &message.now()) {
                findings.raise(
                    &missing_is_end::RULE,
                    cursor,
                    "the page of this cursor was the last one",
                );
            }
        }
        Origin::Other => findings.raise(
            &cursor_same_list::RULE,
            cursor,
            "this cursor comes from another list",
        ),
        Origin::Nowhere => findings.raise(
            &cursor_opaque::RULE,
            cursor,
            "no page of this list has shown this cursor",
        ),
        Origin::Earlier => findings.raise(
            &cursor_not_kept::RULE,
            cursor,
            "no page of this session has shown this cursor",
        ),
        Origin::Unknown => {}
    }
}
