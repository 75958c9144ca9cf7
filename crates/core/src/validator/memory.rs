//! The access of a check to the session: writable or read-only.

use super::Stages;
use crate::Direction;
use crate::envelope::MessageKind;
use crate::frame::Before;
use crate::schedule::Schedule;
use crate::session::message::{Message, Transfer};
use crate::session::{BOTH, Session, UNKNOWN};
use crate::validator::checked::Summary;

/// The access of a check to the session.
pub(super) trait Memory {
    fn session(&self) -> &Session;

    /// Updates the session with a checked message; its request is left out, because it is part of
    /// the session.
    fn advance(&mut self, message: &Message<'_>, schedule: &Schedule);

    /// Tracks bytes that were no message.
    fn count(&mut self, stages: &Stages<'_>, summary: &Summary);

    /// Tracks a batch, or a part of one, that no answer can name.
    fn unnamed(&mut self, direction: Option<Direction>);

    /// Tracks a line that could not be read.
    fn line(&mut self, direction: Option<Direction>, then: Before);

    /// Updates the session with a part of an HTTP exchange, after the message in it.
    fn transferred(&mut self, transfer: &Transfer<'_>, schedule: &Schedule);
}

/// Read-only access: the session stays unchanged.
pub(super) struct ReadOnly<'s> {
    pub(super) session: &'s Session,
    pub(super) unknown_method: &'s mut String,
}

impl Memory for ReadOnly<'_> {
    #[inline(always)]
    fn session(&self) -> &Session {
        self.session
    }

    #[inline(always)]
    fn advance(&mut self, message: &Message<'_>, _: &Schedule) {
        if message.exchange.method.is_none() {
            copy_unknown_method(self.session, message, self.unknown_method);
        }
    }

    fn count(&mut self, _: &Stages<'_>, _: &Summary) {}

    fn unnamed(&mut self, _: Option<Direction>) {}

    fn line(&mut self, _: Option<Direction>, _: Before) {}

    fn transferred(&mut self, _: &Transfer<'_>, _: &Schedule) {}
}

/// Write access, and the name of the method that the last message answers, if the model does not
/// have it.
pub(super) struct Writable<'s> {
    pub(super) session: &'s mut Session,
    pub(super) unknown_method: &'s mut String,
}

impl Memory for Writable<'_> {
    #[inline(always)]
    fn session(&self) -> &Session {
        self.session
    }

    #[inline(always)]
    fn advance(&mut self, message: &Message<'_>, schedule: &Schedule) {
        let exchange = message.exchange;
        if exchange.method.is_none() {
            copy_unknown_method(self.session, message, self.unknown_method);
        }
        self.session.advance(message, schedule.hooks(exchange));
    }

    fn count(&mut self, stages: &Stages<'_>, summary: &Summary) {
        // An unreadable message may have been the answer to any open request; a line that neither
        // begins like a message nor mentions one was none.
        let is_unread = matches!(summary.kind, MessageKind::Unreadable | MessageKind::Batch);
        let mut unnamed = stages.items();
        if is_unread && !stages.frame.empty && may_hold_message(stages.frame.bytes) {
            let (seen, missing) = messages_in(stages.frame.bytes);
            unnamed = unnamed.max(seen + missing);
            let may_send = |sender: &Direction| summary.direction.is_none_or(|is| is == *sender);
            for direction in BOTH.into_iter().filter(may_send) {
                self.session.lose_answers(direction, seen + missing);
                self.session.losses.untracked[direction as usize] += seen + missing;
                self.session.losses.unread[direction as usize] += seen;
            }
            self.session.add_all_gaps(summary.direction);
        }
        if !stages.frame.empty {
            self.session.track_unnamed(summary.direction, unnamed);
        }
        self.session.count(summary.direction);
    }

    fn unnamed(&mut self, direction: Option<Direction>) {
        self.session.track_unnamed(direction, 1);
    }

    fn line(&mut self, direction: Option<Direction>, then: Before) {
        self.session.state.stdio.note(direction, then);
    }

    fn transferred(&mut self, transfer: &Transfer<'_>, schedule: &Schedule) {
        for hook in schedule.http_hooks(&transfer.http.part) {
            hook.1(transfer, self.session);
        }
    }
}

/// Whether an unreadable line may hold a message: it begins like one, or has the member that all
/// have. The rest of a message that was cut in two has neither.
fn may_hold_message(line: &[u8]) -> bool {
    let begins = matches!(line.trim_ascii_start().first(), Some(b'{' | b'['));
    begins && line.contains(&b'{') || memchr::memmem::find(line, b"\"jsonrpc\"").is_some()
}

/// The number of messages in an unreadable line, and the number that may be missing from it. A
/// batch that is cut off may have had any number.
fn messages_in(line: &[u8]) -> (u64, u64) {
    const ANY_NUMBER: u64 = UNKNOWN as u64;
    let line = line.trim_ascii();
    let messages = memchr::memmem::find_iter(line, b"\"jsonrpc\"").count();
    let is_cut = line.starts_with(b"[") && !line.ends_with(b"]");
    let missing = if is_cut { ANY_NUMBER } else { 0 };
    (messages.max(1) as u64, missing)
}

/// The name of the method that a message answers, if the model does not have it.
#[cold]
fn copy_unknown_method(session: &Session, message: &Message<'_>, unknown_method: &mut String) {
    let answer = message.exchange;
    if answer.envelope.is_call() {
        return;
    }
    let request = answer
        .answered
        .and_then(|answered| session.request(answered));
    let name = request.map_or(message.frame.answers, |request| {
        request.unknown_method.as_deref()
    });
    unknown_method.push_str(name.unwrap_or_default());
}
