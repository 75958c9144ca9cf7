//! Takes the faulty messages out of a batch: each is refused, replaced or dropped on its own.

use std::collections::HashMap;

use mcp_assay::rules::inline;
use mcp_assay::syntax::{Kind, Node};
use mcp_assay::{Checked, Direction, Envelope, Level, MessageKind, Place, Session, Violation};
use mcp_assay_contract::canonical::Refusal;

use super::Values;
use super::answers::is_id;
use crate::ids::canonical_id;

/// Writes the messages of a batch that may go on to `on`, as a batch, and the errors for those that
/// are refused to `refused`, each after a comma. Returns whether anything goes on; `None` if it is
/// no batch, or is at fault as a whole.
pub(super) fn split(
    checked: &Checked<'_>,
    session: &Session,
    values: Values,
    on: &mut Vec<u8>,
    refused: &mut Vec<u8>,
) -> Option<bool> {
    let root = checked.root().filter(|root| root.kind() == Kind::Array)?;
    let revision = checked.revision()?;
    if checked.kind() != MessageKind::Batch || inline::NO_BATCH.revisions.contains(revision) {
        return None;
    }
    let faults = faults(checked);
    if faults.iter().any(|fault| !is_within(root, fault)) {
        return None;
    }
    let fault_of = |item: Node<'_>| {
        let span = item.span();
        let mut faults = faults.iter();
        faults.find(|fault| span.start <= fault.span.start && fault.span.end <= span.end)
    };
    // An id that is refused is answered: no other message may use it.
    let mut refused_ids: HashMap<Vec<u8>, bool> = root
        .items()
        .filter(|item| fault_of(*item).is_some())
        .filter_map(request_id)
        .map(|id| (id, false))
        .collect();
    on.push(b'[');
    let mut found = false;
    for item in root.items() {
        let fault = fault_of(item);
        let id = request_id(item).filter(|_| !refused_ids.is_empty());
        if let Some(is_answered) = id.and_then(|id| refused_ids.get_mut(&id))
            && (fault.is_none() || std::mem::replace(is_answered, true))
        {
            continue;
        }
        let begun = on.len();
        if begun > 1 {
            on.push(b',');
        }
        let comma = on.len();
        match fault {
            None => on.extend_from_slice(item.raw()),
            Some(fault) => {
                found = true;
                let refusal = Refusal::new(checked, fault, values);
                stand_in(checked, item, session, &refusal, on, refused);
            }
        }
        if on.len() == comma {
            on.truncate(begun);
        }
    }
    on.push(b']');
    // The list of faults is bounded: one that is not listed shows in the next round.
    found.then_some(on.len() > 2)
}

/// The id of a request that can be given back, in one spelling.
fn request_id(item: Node<'_>) -> Option<Vec<u8>> {
    let envelope = (item.kind() == Kind::Object).then(|| Envelope::read(item))?;
    let id = envelope
        .id()
        .filter(|_| envelope.kind == MessageKind::Request)?;
    is_id(id).then(|| canonical_id(id.raw()))
}

/// The errors of the sender.
fn faults(checked: &Checked<'_>) -> Vec<Violation> {
    let violations = checked.violations().iter();
    violations
        .filter(|violation| {
            checked.level(violation) == Level::Error && checked.blames_sender(violation)
        })
        .copied()
        .collect()
}

/// Whether a fault is that of one message of the batch.
fn is_within(root: Node<'_>, fault: &Violation) -> bool {
    let (outer, inner) = (root.span(), fault.span);
    fault.place == Place::Message
        && fault.token.is_some_and(|token| token != root.index())
        && outer.start <= inner.start
        && inner.end <= outer.end
}

/// Writes what stands for a faulty message: an error in place of an answer, or one for its sender.
fn stand_in(
    checked: &Checked<'_>,
    item: Node<'_>,
    session: &Session,
    refusal: &Refusal,
    on: &mut Vec<u8>,
    refused: &mut Vec<u8>,
) {
    let envelope = (item.kind() == Kind::Object).then(|| Envelope::read(item));
    let id = envelope.as_ref().and_then(Envelope::id);
    let id = id.filter(|id| is_id(*id));
    let kind = envelope.map_or(MessageKind::Unreadable, |envelope| envelope.kind);
    match kind {
        MessageKind::Notification => {}
        MessageKind::Response | MessageKind::Error => {
            let asked = checked.direction().map(Direction::reverse);
            let awaited = id.filter(|id| asked.is_some_and(|asked| session.awaits(asked, *id)));
            if let Some(id) = awaited {
                refusal.write(Some(id.raw()), on);
            }
        }
        _ if checked.direction() == Some(Direction::ServerToClient)
            && kind != MessageKind::Request => {}
        _ => {
            if !refused.is_empty() {
                refused.push(b',');
            }
            refusal.write(id.map(Node::raw), refused);
        }
    }
}
