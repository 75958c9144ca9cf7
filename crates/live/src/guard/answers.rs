//! Decides about a message that does not go on, and writes the answer to it.

use mcp_assay::profile::Tolerance;
use mcp_assay::rules::inline;
use mcp_assay::syntax::{Kind, Node};
use mcp_assay::{
    Carrier, Checked, Direction, Envelope, Frame, MessageKind, Part, Session, Violation,
    speaks_jsonrpc,
};
use mcp_assay_contract::canonical::Refusal;

use super::{Pieces, Values, recover, worst};

/// The decision about a message; the answer, if there is one, was written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fate {
    Forward,
    /// It was mended.
    Mend,
    Refuse,
    Replace,
    /// It could not be read, but whose answer it was can be told.
    Recover,
    /// A part of a batch goes on, and the rest is refused.
    Split,
    /// A part of a batch goes on, and nobody waits for the rest.
    Thin,
    Drop,
    Divert,
}

pub(super) fn fate(
    checked: &Checked<'_>,
    session: &Session,
    values: Values,
    answer: &mut Vec<u8>,
) -> Fate {
    let Some(violation) = worst(checked) else {
        return Fate::Drop;
    };
    let refusal = Refusal::new(checked, violation, values);
    match checked.kind() {
        MessageKind::Request => {
            let id = checked.id().filter(|id| is_id(*id));
            refusal.write(id.map(Node::raw), answer);
            Fate::Refuse
        }
        MessageKind::Notification => Fate::Drop,
        MessageKind::Response | MessageKind::Error => response(checked, session, &refusal, answer),
        MessageKind::Batch => {
            let asked = checked.direction().map(Direction::reverse);
            let is_awaited = |id: Node<'_>| asked.is_some_and(|asked| session.awaits(asked, id));
            batch(checked, is_awaited, &refusal, answer)
        }
        MessageKind::Empty => {
            refusal.write_without_id(answer);
            Fate::Refuse
        }
        MessageKind::Unreadable => unreadable(checked, session, violation, &refusal, answer),
    }
}

/// Whether a line of a server is text, and the answer to nothing.
pub(super) fn is_text(checked: &Checked<'_>, frame: Frame<'_>, pieces: Pieces) -> bool {
    let is_readable = checked.root().is_some();
    frame.carrier == Carrier::Stdio
        && checked.direction() == Some(Direction::ServerToClient)
        && checked.kind() == MessageKind::Unreadable
        && (is_readable || pieces == Pieces::Text)
        && !speaks_jsonrpc(checked.bytes())
}

/// Whether a line goes with the one before it, which was no message: nothing is wrong with it but
/// that.
pub(super) fn is_rest(checked: &Checked<'_>) -> bool {
    checked.kind() == MessageKind::Unreadable
        && checked.violations().is_empty()
        && checked.policy().wants(&inline::NO_EMBEDDED_NEWLINE)
}

/// Only a string or a number can be given back as an id.
pub(super) fn is_id(id: Node<'_>) -> bool {
    matches!(id.kind(), Kind::String | Kind::Number)
}

/// An answer: whoever waits for it gets an error instead. If nobody does, it is not missed.
fn response(
    checked: &Checked<'_>,
    session: &Session,
    refusal: &Refusal,
    answer: &mut Vec<u8>,
) -> Fate {
    let Some(asked) = checked.direction().map(Direction::reverse) else {
        return Fate::Drop;
    };
    let id = checked.id().filter(|id| is_id(*id));
    if let Some(id) = id {
        if session.awaits(asked, id) {
            refusal.write(Some(id.raw()), answer);
            return Fate::Replace;
        }
        // The right id as the wrong type is still an answer that somebody waits for.
        if let Some(known) = session.id_of_other_type(asked, id) {
            refusal.write(Some(known.as_bytes()), answer);
            return Fate::Recover;
        }
        return Fate::Drop;
    }
    only_one(session, asked, refusal, answer)
}

/// An answer that cannot be attributed, where only one request waits, is that one's.
fn only_one(session: &Session, asked: Direction, refusal: &Refusal, answer: &mut Vec<u8>) -> Fate {
    let mut waiting = session.waiting_ids(asked);
    match (waiting.next(), waiting.next()) {
        (Some(id), None) => {
            refusal.write(Some(id.as_bytes()), answer);
            Fate::Recover
        }
        _ => Fate::Drop,
    }
}

/// A batch stands or falls as a whole, because what passes, passes byte for byte: each of its
/// requests is refused, each of its answers replaced if its request waits. In a revision without
/// batches the refusal is one error; several answers can only be replaced together.
pub(super) fn batch(
    checked: &Checked<'_>,
    is_awaited: impl Fn(Node<'_>) -> bool,
    refusal: &Refusal,
    answer: &mut Vec<u8>,
) -> Fate {
    let items = checked.root().into_iter().flat_map(Node::items);
    let (mut calls, mut answers) = (Vec::new(), Vec::new());
    let mut is_silent = false;
    for item in items {
        let envelope = Envelope::read(item);
        let ids = match envelope.kind {
            MessageKind::Request => &mut calls,
            MessageKind::Response | MessageKind::Error => &mut answers,
            MessageKind::Notification => {
                is_silent = true;
                continue;
            }
            _ => continue,
        };
        ids.extend(envelope.id().filter(|id| is_id(*id)));
    }
    // A batch of both kinds is not allowed by any revision; the requests are what waits at the
    // sender.
    let (fate, ids) = if !calls.is_empty() {
        (Fate::Refuse, calls)
    } else if !answers.is_empty() {
        answers.retain(|id| is_awaited(*id));
        (Fate::Replace, answers)
    } else if checked.direction() == Some(Direction::ClientToServer) && !is_silent {
        // Nobody can be told by id; whoever sent it learns that nothing of it was taken. A
        // notification gets no answer, alone or in a batch.
        refusal.write(None, answer);
        return Fate::Refuse;
    } else {
        return Fate::Drop;
    };
    let dialect = checked.policy().dialect();
    let has_batches = dialect.is_some_and(|dialect| dialect.allows(Tolerance::Batches))
        || checked
            .revision()
            .is_none_or(|revision| !inline::NO_BATCH.revisions.contains(revision));
    match ids.as_slice() {
        [] => return Fate::Drop,
        [id] if !has_batches => refusal.write(Some(id.raw()), answer),
        _ if !has_batches && fate == Fate::Refuse => refusal.write(None, answer),
        ids => {
            for id in ids {
                answer.push(if answer.is_empty() { b'[' } else { b',' });
                refusal.write(Some(id.raw()), answer);
            }
            answer.push(b']');
        }
    }
    fate
}

/// Whether a part is an event of the stream that answers a request which still waits.
fn is_in_own_stream(checked: &Checked<'_>, session: &Session) -> bool {
    checked.http().is_some_and(|http| {
        matches!(http.part, Part::Event { .. })
            && http
                .exchange
                .is_some_and(|exchange| session.awaits_in(Direction::ClientToServer, exchange))
    })
}

/// Decides about a line that could not be read: text that belongs elsewhere, a request that is
/// refused without an id, or an answer whose request is recovered.
fn unreadable(
    checked: &Checked<'_>,
    session: &Session,
    violation: &Violation,
    refusal: &Refusal,
    answer: &mut Vec<u8>,
) -> Fate {
    if *violation.rule == inline::STDOUT_MESSAGES_ONLY {
        return Fate::Divert;
    }
    match checked.direction() {
        Some(Direction::ServerToClient) => {
            let asked = Direction::ClientToServer;
            if is_in_own_stream(checked, session) {
                // The answer may follow. If it does not, the exchange knows who waits.
                return Fate::Drop;
            }
            let mut is_named = false;
            let awaited = recover::ids(checked.bytes()).find(|id| {
                is_named = true;
                session.waiting_ids(asked).any(|waiting| waiting == *id)
            });
            match awaited {
                Some(id) => {
                    refusal.write(Some(id.as_bytes()), answer);
                    Fate::Recover
                }
                // It names something else: the answer that is waited for may follow.
                None if is_named => Fate::Drop,
                None => only_one(session, asked, refusal, answer),
            }
        }
        _ => {
            // If the id cannot be read, the error has none. It may still be seen at a glance.
            let id = recover::id(checked.bytes());
            refusal.write(id.as_deref().map(str::as_bytes), answer);
            Fate::Refuse
        }
    }
}
