//! The faults of schemas in a message.

use crate::compiled_schema::Fault;
use crate::session::Session;
use crate::session::message::{Message, defer, load, published};

/// The faults of schemas in the tools of a message. Known tools without fault are skipped.
pub(crate) fn faults<'a>(
    message: &Message<'a>,
    session: &Session,
    mut each: impl FnMut(Fault<'a>),
) {
    if message.memo.has_fine_schemas() || session.state.tools.is_fine_page(message) {
        return;
    }
    let mut is_fine = true;
    for (tool, schema) in published(message) {
        if session.state.tools.is_fine(message, tool) || defer(message, schema).is_some() {
            continue;
        }
        if let Err(fault) = load(message, schema) {
            is_fine = false;
            each(fault);
        }
    }
    // Several rules read the faults.
    if is_fine {
        message.memo.note_fine_schemas();
    }
}
