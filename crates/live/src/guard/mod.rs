//! Checks each message of live traffic and decides what becomes of it. Adapters (a pipe, a proxy, a
//! layer of a service) carry the messages; nothing here reads or writes.
//!
//! ```
//! use mcp_assay_live::guard::{Action, Guard, Mode};
//! use mcp_assay::{Direction, Frame, Policy, Session};
//!
//! let (mut guard, mut session) = (Guard::new(Policy::default(), Mode::Enforce), Session::new());
//! let call = br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}"#;
//! let judged = guard.judge(&mut session, Frame::new(call).direction(Direction::ClientToServer));
//! let Action::Refuse(answer) = judged.action else { panic!("a call without a name") };
//! assert!(answer.starts_with(br#"{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"#));
//! ```

mod answers;
#[cfg(test)]
mod clean_tests;
mod failure;
mod folded;
mod recover;
mod repair;
mod split;
mod status;
mod tell;
#[cfg(test)]
mod tests;

use core::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use mcp_assay::syntax::Node;
use mcp_assay::{
    Checked, Direction, Frame, Level, MessageKind, Policy, Session, Validator, Verdict, Violation,
};
pub use mcp_assay_contract::canonical::Values;

use self::answers::Fate;
pub use self::repair::{Repair, RepairKind, Repairs};
pub use self::tell::Reporter;

/// Whether faults are only seen, or kept from passing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Mode {
    /// Sees, and lets everything pass.
    #[default]
    Shadow,
    /// Lets nothing pass that has an error.
    Enforce,
}

impl Mode {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Shadow, Self::Enforce];

    /// The name on the command line and in logs.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Shadow => "shadow",
            Self::Enforce => "enforce",
        }
    }
}

/// The decision about a message, with its text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action<'g> {
    /// It goes on as it is, byte for byte.
    Forward,
    /// This goes on in its place, without a newline: an answer that was replaced by an error, or a
    /// message that was repaired.
    Replace(&'g [u8]),
    /// It does not go on, and this answer goes back to its sender, without a newline.
    Refuse(&'g [u8]),
    /// It is a batch of which a part goes on, `on`, and the rest is refused: `back` goes back to
    /// its sender, as a batch.
    Split {
        /// The part that goes on, without a newline.
        on: &'g [u8],
        /// The errors for the rest, without a newline.
        back: &'g [u8],
    },
    /// It does not go on, and nobody waits for it.
    Drop,
    /// It is no message but text: it belongs on standard error.
    Divert,
}

impl<'g> Action<'g> {
    /// The action without its text.
    #[must_use]
    pub fn decision(self) -> Decision {
        match self {
            Self::Forward => Decision::Forward,
            Self::Replace(_) => Decision::Replace,
            Self::Refuse(_) => Decision::Refuse,
            Self::Split { .. } => Decision::Split,
            Self::Drop => Decision::Drop,
            Self::Divert => Decision::Divert,
        }
    }

    /// The text that goes on in place of the message, or back to its sender.
    #[must_use]
    pub fn text(self) -> &'g [u8] {
        match self {
            Self::Replace(text) | Self::Refuse(text) | Self::Split { on: text, .. } => text,
            Self::Forward | Self::Drop | Self::Divert => &[],
        }
    }

    /// The text that goes back while another goes on.
    #[must_use]
    pub fn split_off(self) -> &'g [u8] {
        match self {
            Self::Split { back, .. } => back,
            _ => &[],
        }
    }
}

/// An [`Action`] without its text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decision {
    /// The message goes on as it is.
    Forward,
    /// A text goes on in its place.
    Replace,
    /// A text goes back to its sender.
    Refuse,
    /// A part of a batch goes on, and a text goes back to its sender.
    Split,
    /// It does not go on.
    Drop,
    /// It belongs on standard error.
    Divert,
}

impl Decision {
    /// The decision about a message that could not be checked at all.
    #[must_use]
    pub fn unchecked(mode: Mode) -> Self {
        match mode {
            Mode::Shadow => Self::Forward,
            Mode::Enforce => Self::Drop,
        }
    }
}

/// The meaning of a line of a server that begins a message and does not end it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Pieces {
    /// For a message that was spread over several lines.
    #[default]
    Messages,
    /// For text, if nothing in it is of JSON-RPC: whoever carries the lines has joined those that
    /// make a message.
    Text,
}

/// The decision about a call of a tool that the server has not listed, so that its arguments cannot
/// be checked.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum UnknownTools {
    /// It goes on.
    #[default]
    Allow,
    /// It is refused, in `enforce`.
    Refuse,
}

/// Judges messages, one after the other, and says what is to become of them. One guard serves many
/// sessions.
pub struct Guard {
    validator: Validator,
    /// Whether faults are kept from passing.
    pub mode: Mode,
    /// Whether refusals quote values.
    pub values: Values,
    /// The faults that are mended rather than refused, in `enforce`.
    pub repairs: Repairs,
    /// The meaning of lines that only begin a message.
    pub pieces: Pieces,
    /// The decision about calls of tools that were not listed.
    pub unknown_tools: UnknownTools,
    answer: Vec<u8>,
    repaired: Vec<u8>,
    done: Vec<Repair>,
}

/// A message that was judged, and what is to become of it.
#[derive(Clone, Copy, Debug)]
pub struct Judged<'g> {
    /// The findings; of a repaired message, those that are left.
    pub checked: Checked<'g>,
    /// The decision about it.
    pub action: Action<'g>,
    /// The repairs, in the order of the message.
    pub repairs: &'g [Repair],
    /// Whether the check itself failed, which is a defect of this crate: nothing was found because
    /// nothing was checked.
    pub failed: bool,
    values: Values,
}

impl fmt::Debug for Guard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Guard")
            .field("validator", &self.validator)
            .field("mode", &self.mode)
            .field("values", &self.values)
            .field("repairs", &self.repairs)
            .finish_non_exhaustive()
    }
}

impl Guard {
    /// A guard under a policy.
    #[must_use]
    pub fn new(policy: Policy, mode: Mode) -> Self {
        Self::with_validator(Validator::new(policy), mode)
    }

    /// A guard around a validator that was made elsewhere, for instance one that shares its
    /// schemas.
    #[must_use]
    pub fn with_validator(validator: Validator, mode: Mode) -> Self {
        Self {
            validator,
            mode,
            values: Values::default(),
            repairs: Repairs::default(),
            pieces: Pieces::default(),
            unknown_tools: UnknownTools::default(),
            answer: Vec::new(),
            repaired: Vec::new(),
            done: Vec::new(),
        }
    }

    /// The validator, for what the end of a session shows.
    #[must_use]
    pub fn validator(&self) -> &Validator {
        &self.validator
    }

    /// Checks a message whose sender is known, and has the session track it. A message that does
    /// not go on is not tracked, unless it was an answer: its request is no longer open.
    ///
    /// If the check itself fails, [`Judged::failed`] says so: `enforce` refuses the message with
    /// -32603, `shadow` forwards it, and the session goes on as one that is not known.
    pub fn judge<'g>(&'g mut self, session: &mut Session, frame: Frame<'g>) -> Judged<'g> {
        self.done.clear();
        self.validator
            .demand_one_reading(self.mode == Mode::Enforce);
        let decided = catch_unwind(AssertUnwindSafe(|| self.decide(session, frame)));
        let (fate, failed) = match decided {
            Ok(fate) => (fate, false),
            Err(_) => (self.fail(session, &frame), true),
        };
        let mut shown = frame;
        if fate == Fate::Mend {
            shown.bytes = &self.repaired;
        }
        Judged {
            checked: Checked::new(&self.validator, &shown),
            action: match fate {
                Fate::Forward => Action::Forward,
                Fate::Mend | Fate::Thin => Action::Replace(&self.repaired),
                Fate::Refuse => Action::Refuse(&self.answer),
                Fate::Replace | Fate::Recover => Action::Replace(&self.answer),
                Fate::Split => Action::Split {
                    on: &self.repaired,
                    back: &self.answer,
                },
                Fate::Drop => Action::Drop,
                Fate::Divert => Action::Divert,
            },
            repairs: &self.done,
            failed,
            values: self.values,
        }
    }

    /// Decides what becomes of a message; the validator holds what is shown of it.
    #[inline(always)]
    fn decide(&mut self, session: &mut Session, frame: Frame<'_>) -> Fate {
        if self.mode == Mode::Shadow {
            self.validator.check(session, frame);
            return Fate::Forward;
        }
        let looked = self.validator.look(session, frame);
        if is_blocked(&looked) {
            return self.stop(session, frame);
        }
        if self.unknown_tools == UnknownTools::Refuse && calls_unknown_tool(&looked, session) {
            self.answer.clear();
            return failure::unknown_tool(&looked, &mut self.answer);
        }
        if folded::has_folded_member(&looked) {
            self.answer.clear();
            let fate = failure::folded_member(&looked, &mut self.answer);
            if fate == Fate::Replace {
                // The session has to know that the request is answered.
                self.validator.check(session, frame);
            }
            return fate;
        }
        let is_rest = answers::is_rest(&looked);
        let is_rest_of_text =
            self.pieces == Pieces::Text && looked.direction() == Some(Direction::ServerToClient);
        if is_blocked(&self.validator.check(session, frame)) {
            // Only the tracking shows it, and the policy calls it an error.
            return self.refuse(session, frame);
        }
        match is_rest {
            true if is_rest_of_text => Fate::Divert,
            // Nobody has understood it.
            true => Fate::Drop,
            false => Fate::Forward,
        }
    }

    /// Mends a message that must not pass as it is, or keeps it from passing.
    fn stop(&mut self, session: &mut Session, frame: Frame<'_>) -> Fate {
        if self.mends(session, frame) {
            let mut mended = frame;
            mended.bytes = self.repaired.as_slice();
            self.validator.check(session, mended);
            return Fate::Mend;
        }
        self.refuse(session, frame)
    }

    /// Mends a message, if that can be done and nothing is left that must not pass.
    fn mends(&mut self, session: &Session, frame: Frame<'_>) -> bool {
        if self.repairs == Repairs::default() {
            return false;
        }
        let looked = self.validator.look(session, frame);
        if !repair::repair(&looked, self.repairs, &mut self.repaired, &mut self.done) {
            self.done.clear();
            return false;
        }
        let mut mended = frame;
        mended.bytes = self.repaired.as_slice();
        let is_mended = !is_blocked(&self.validator.look(session, mended));
        if !is_mended {
            self.done.clear();
        }
        is_mended
    }

    /// Keeps a message from passing, and says so to whoever waits.
    fn refuse(&mut self, session: &mut Session, frame: Frame<'_>) -> Fate {
        if let Some(fate) = self.split(session, frame) {
            return fate;
        }
        let Self {
            validator,
            values,
            pieces,
            answer,
            ..
        } = self;
        answer.clear();
        let looked = validator.look(session, frame);
        let fate = if answers::is_text(&looked, frame, *pieces) {
            Fate::Divert
        } else {
            answers::fate(&looked, session, *values, answer)
        };
        match fate {
            // The session has to know that the request is answered, and that a line was no message.
            Fate::Replace | Fate::Divert => {
                validator.check(session, frame);
            }
            // The request is closed by the error that takes the place of the line.
            Fate::Recover => {
                // The result that is shown is the one that was decided on.
                let before = session.clone();
                validator.check(session, frame);
                if let Some(direction) = frame.direction {
                    validator.check(session, Frame::new(answer).direction(direction));
                }
                validator.look(&before, frame);
            }
            Fate::Forward | Fate::Mend | Fate::Refuse | Fate::Drop | Fate::Split | Fate::Thin => {}
        }
        fate
    }

    /// Decides about the messages of a batch one by one: those without fault go on. `None` if it is
    /// none, or is at fault as a whole.
    fn split(&mut self, session: &mut Session, frame: Frame<'_>) -> Option<Fate> {
        let mut rest: Option<Vec<u8>> = None;
        let (mut refused, mut on) = (Vec::new(), Vec::new());
        // A message may be at fault only without another that was taken out.
        for _ in 0..MAX_ROUNDS {
            let mut current = frame;
            current.bytes = rest.as_deref().unwrap_or(frame.bytes);
            let looked = self.validator.look(session, current);
            if rest.is_some() && !is_blocked(&looked) {
                break;
            }
            let has_more = split::split(&looked, session, self.values, &mut on, &mut refused)?;
            rest = Some(std::mem::take(&mut on));
            if !has_more {
                break;
            }
        }
        let rest = rest?;
        self.answer.clear();
        if !refused.is_empty() {
            self.answer.push(b'[');
            self.answer.extend_from_slice(&refused);
            self.answer.push(b']');
        }
        let before = session.clone();
        if rest != b"[]" {
            let mut current = frame;
            current.bytes = &rest;
            if is_blocked(&self.validator.look(session, current)) {
                return None;
            }
            self.validator.check(session, current);
        }
        // The result that is shown is the one that was decided on.
        self.validator.look(&before, frame);
        self.repaired = rest;
        Some(match (self.repaired == b"[]", refused.is_empty()) {
            (true, true) => Fate::Drop,
            (true, false) => Fate::Refuse,
            (false, true) => Fate::Thin,
            (false, false) => Fate::Split,
        })
    }

    /// Decides what becomes of a message whose check failed. What validator and session hold may be
    /// half done.
    #[cold]
    fn fail(&mut self, session: &mut Session, frame: &Frame<'_>) -> Fate {
        let revision = frame
            .revision
            .or(self.validator.policy().revision)
            .or(frame.header_revision)
            .or(session.revision());
        *session = Session::new();
        session.lose_track();
        self.done.clear();
        self.answer.clear();
        let Self {
            validator, answer, ..
        } = self;
        let fate = catch_unwind(AssertUnwindSafe(|| {
            failure::fate(&validator.read_envelope(frame, revision), answer)
        }));
        let fate = fate.unwrap_or_else(|_| {
            self.validator.reset();
            Fate::Drop
        });
        if self.mode == Mode::Shadow {
            Fate::Forward
        } else {
            fate
        }
    }
}

/// Whether a client calls a tool that the server has not listed, in a batch or alone.
fn calls_unknown_tool(checked: &Checked<'_>, session: &Session) -> bool {
    let is_unknown = |message: Node<'_>| {
        let is_call = message
            .get("method")
            .is_some_and(|method| method.is_text("tools/call"));
        let name = message.get("params").and_then(|params| params.get("name"));
        is_call && !name.is_some_and(|name| session.knows_tool(name))
    };
    checked.direction() == Some(Direction::ClientToServer)
        && checked.root().is_some_and(|root| match checked.kind() {
            MessageKind::Request => is_unknown(root),
            MessageKind::Batch => root.items().any(is_unknown),
            _ => false,
        })
}

/// Rounds in which faulty messages are taken out of a batch.
const MAX_ROUNDS: usize = 8;

/// Whether a message must not pass: it has an error, and its sender made it. What a message merely
/// brings to light of the other party is no reason to stop it.
fn is_blocked(checked: &Checked<'_>) -> bool {
    // Parts of an HTTP exchange that a server sends without a message cannot be replaced by
    // anything.
    let replaceable = checked.kind() != MessageKind::Empty
        || checked.direction() == Some(Direction::ClientToServer);
    checked.verdict() == Verdict::Block && replaceable && worst(checked).is_some()
}

/// The first error that the sender made.
fn worst<'v>(checked: &Checked<'v>) -> Option<&'v Violation> {
    checked.violations().iter().find(|violation| {
        checked.level(violation) == Level::Error && checked.blames_sender(violation)
    })
}
