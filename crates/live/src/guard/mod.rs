//! Stands in the way of traffic: judges each message and says what is to become of it. What carries the messages (a pipe, a
//! proxy, a layer of a service) does as it is told; nothing here reads or writes.
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
mod recover;
mod refusal;
mod repair;
mod status;
mod tell;
#[cfg(test)]
mod tests;

use mcp_assay::{
    Checked, Frame, Level, MessageKind, Policy, Session, Validator, Verdict, Violation,
};

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

/// What is to become of a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action<'g> {
    /// It goes on as it is, byte for byte.
    Forward,
    /// This goes on in its place, without a newline: an answer that was replaced by an error, or a message that was repaired.
    Replace(&'g [u8]),
    /// It does not go on, and this answer goes back to its sender, without a newline.
    Refuse(&'g [u8]),
    /// It does not go on, and nobody waits for it.
    Drop,
    /// It is no message but text: it belongs on standard error.
    Divert,
}

/// Whether a refusal quotes the value at fault.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Values {
    /// It names rule and pointer only.
    #[default]
    Hidden,
    /// It quotes the offending bytes as well.
    Quoted,
}

/// What the line of a server is taken for that begins a message and does not end it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Pieces {
    /// For a message that was spread over several lines.
    #[default]
    Messages,
    /// For text, if nothing in it is of JSON-RPC: whoever carries the lines has joined those that make a message.
    Text,
}

/// Judges messages, one after the other, and says what is to become of them. One guard serves many sessions.
pub struct Guard {
    validator: Validator,
    /// Whether faults are kept from passing.
    pub mode: Mode,
    /// Whether refusals quote values.
    pub values: Values,
    /// What is mended rather than refused, in `enforce`.
    pub repairs: Repairs,
    /// What lines are that only begin a message.
    pub pieces: Pieces,
    answer: Vec<u8>,
    repaired: Vec<u8>,
    done: Vec<Repair>,
}

/// A message that was judged, and what is to become of it.
#[derive(Clone, Copy)]
pub struct Judged<'g> {
    /// What was found; of a repaired message, what is left.
    pub checked: Checked<'g>,
    /// What is to become of it.
    pub action: Action<'g>,
    /// What was mended, in the order of the message.
    pub repairs: &'g [Repair],
}

impl Guard {
    /// A guard under a policy.
    #[must_use]
    pub fn new(policy: Policy, mode: Mode) -> Self {
        Self::with_validator(Validator::new(policy), mode)
    }

    /// A guard around a validator that was made elsewhere, for instance one that shares its schemas.
    #[must_use]
    pub fn with_validator(validator: Validator, mode: Mode) -> Self {
        Self {
            validator,
            mode,
            values: Values::default(),
            repairs: Repairs::default(),
            pieces: Pieces::default(),
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

    /// Judges a message whose sender is known, and takes note of it in the session. A message that does not go on is not
    /// taken note of, unless it was an answer: its request is no longer open.
    pub fn judge<'g>(&'g mut self, session: &mut Session, frame: Frame<'g>) -> Judged<'g> {
        self.done.clear();
        if self.mode == Mode::Shadow {
            return Judged {
                checked: self.validator.check(session, frame),
                action: Action::Forward,
                repairs: &[],
            };
        }
        let looked = self.validator.look(session, frame);
        if !is_blocked(&looked) {
            let is_rest = self.pieces == Pieces::Text && answers::is_rest_of_text(&looked);
            return self.forward(session, frame, is_rest);
        }
        if self.mends(session, frame) {
            let Self {
                validator,
                repaired,
                done,
                ..
            } = self;
            let mut mended = frame;
            mended.bytes = repaired.as_slice();
            return Judged {
                checked: validator.check(session, mended),
                action: Action::Replace(mended.bytes),
                repairs: done,
            };
        }
        self.stop(session, frame)
    }

    /// Mends a message, if that can be done and nothing is left that must not pass.
    fn mends(&mut self, session: &Session, frame: Frame<'_>) -> bool {
        if self.repairs == Repairs::default() {
            return false;
        }
        let looked = self.validator.look(session, frame);
        if !repair::repair(&looked, self.repairs, &mut self.repaired, &mut self.done) {
            return false;
        }
        let mut mended = frame;
        mended.bytes = self.repaired.as_slice();
        !is_blocked(&self.validator.look(session, mended))
    }

    /// Nothing is wrong with it, or not enough.
    fn forward<'g>(
        &'g mut self,
        session: &mut Session,
        frame: Frame<'g>,
        is_rest: bool,
    ) -> Judged<'g> {
        Judged {
            checked: self.validator.check(session, frame),
            action: if is_rest {
                Action::Divert
            } else {
                Action::Forward
            },
            repairs: &[],
        }
    }

    /// It does not go on.
    fn stop<'g>(&'g mut self, session: &mut Session, frame: Frame<'g>) -> Judged<'g> {
        let Self {
            validator,
            values,
            pieces,
            answer,
            ..
        } = self;
        answer.clear();
        let looked = validator.look(session, frame);
        let is_text = answers::is_text(&looked, frame, *pieces);
        let fate = if is_text {
            answers::Fate::Divert
        } else {
            answers::fate(&looked, session, *values, answer)
        };
        let checked = match fate {
            // The session has to know that the request is answered, and that a line was no message.
            answers::Fate::Replace | answers::Fate::Divert => validator.check(session, frame),
            answers::Fate::Refuse | answers::Fate::Drop => validator.look(session, frame),
            // What the line stood for is closed by what takes its place.
            answers::Fate::Recover => {
                validator.check(session, frame);
                let direction = frame.direction.map(|direction| (direction, &*answer));
                if let Some((direction, bytes)) = direction {
                    validator.check(session, Frame::new(bytes).direction(direction));
                }
                validator.look(session, frame)
            }
        };
        let action = match fate {
            answers::Fate::Refuse => Action::Refuse(answer),
            answers::Fate::Replace | answers::Fate::Recover => Action::Replace(answer),
            answers::Fate::Drop => Action::Drop,
            answers::Fate::Divert => Action::Divert,
        };
        Judged {
            checked,
            action,
            repairs: &[],
        }
    }
}

/// Whether a message must not pass: it has an error, and its sender made it. What a message merely brings to light of the
/// other party is no reason to stop it.
fn is_blocked(checked: &Checked<'_>) -> bool {
    // Parts of an HTTP exchange that a server sends without a message cannot be replaced by anything.
    let replaceable = checked.kind() != MessageKind::Empty
        || checked.direction() == Some(mcp_assay::Direction::ClientToServer);
    checked.verdict() == Verdict::Block && replaceable && worst(checked).is_some()
}

/// The first error that the sender made.
fn worst<'v>(checked: &Checked<'v>) -> Option<&'v Violation> {
    let sender = checked.direction().map(mcp_assay::Direction::sender);
    checked.violations().iter().find(|violation| {
        let party = checked.party(violation);
        checked.level(violation) == Level::Error
            && (party.is_none() || sender.is_none() || party == sender)
    })
}
