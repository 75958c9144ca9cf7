//! Decides about a message whose check failed, which is a defect of this crate: `enforce` forwards
//! nothing unchecked.

use mcp_assay::syntax::Node;
use mcp_assay::{Checked, Direction, MessageKind};
use mcp_assay_contract::canonical::Refusal;

use super::answers::{Fate, batch, is_id};
use super::recover;

/// Refuses a message of which only the envelope is known; nothing is known of its session.
pub(super) fn fate(checked: &Checked<'_>, answer: &mut Vec<u8>) -> Fate {
    whole(checked, &Refusal::internal(checked.revision()), answer)
}

/// Refuses a message that receivers read in different ways.
pub(super) fn folded_member(checked: &Checked<'_>, answer: &mut Vec<u8>) -> Fate {
    whole(checked, &Refusal::folded_member(checked.revision()), answer)
}

/// Refuses a message, whatever it is.
fn whole(checked: &Checked<'_>, refusal: &Refusal, answer: &mut Vec<u8>) -> Fate {
    let from_server = checked.direction() == Some(Direction::ServerToClient);
    let id = checked.id().filter(|id| is_id(*id)).map(Node::raw);
    match checked.kind() {
        MessageKind::Request => refuse(refusal, id, answer),
        MessageKind::Notification => Fate::Drop,
        MessageKind::Response | MessageKind::Error => replace(refusal, id, answer),
        MessageKind::Batch => batch(checked, |_| true, refusal, answer),
        // A part of an HTTP exchange without a message: nothing can stand in the place of what a
        // server sends.
        MessageKind::Empty if from_server => Fate::Forward,
        MessageKind::Empty => {
            refusal.write_without_id(answer);
            Fate::Refuse
        }
        MessageKind::Unreadable => {
            let id = recover::id(checked.bytes());
            let id = id.as_deref().map(str::as_bytes);
            if from_server {
                replace(refusal, id, answer)
            } else {
                refuse(refusal, id, answer)
            }
        }
    }
}

/// Refuses calls of tools that the server has not listed.
pub(super) fn unknown_tool(checked: &Checked<'_>, answer: &mut Vec<u8>) -> Fate {
    let refusal = Refusal::unknown_tool(checked.revision());
    if checked.kind() == MessageKind::Batch {
        return batch(checked, |_| true, &refusal, answer);
    }
    let id = checked.id().filter(|id| is_id(*id)).map(Node::raw);
    refuse(&refusal, id, answer)
}

fn refuse(refusal: &Refusal, id: Option<&[u8]>, answer: &mut Vec<u8>) -> Fate {
    refusal.write(id, answer);
    Fate::Refuse
}

/// Answers the request that waits with an error; without an id none can be found.
fn replace(refusal: &Refusal, id: Option<&[u8]>, answer: &mut Vec<u8>) -> Fate {
    if id.is_none() {
        return Fate::Drop;
    }
    refusal.write(id, answer);
    Fate::Replace
}
