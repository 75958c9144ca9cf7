//! An invented message.

use std::borrow::Cow;
use std::fmt;

use super::envelope;
use super::fault::{Expected, Fault};
use super::tables::Tables;
use super::value::{Spelling, Step, Value, pointer};
use crate::party::{Direction, MessageKind};
use crate::tables::{Method, Revision};

/// A message that the model invented, with the facts that its carrier would add.
#[derive(Clone)]
#[non_exhaustive]
pub struct Invented {
    /// The message.
    pub bytes: Vec<u8>,
    /// The revision it was made for.
    pub revision: Revision,
    /// The sender.
    pub direction: Direction,
    /// The kind of message; if it has a fault, its kind before the change.
    pub kind: MessageKind,
    /// The method that it calls or answers; of a batch, that of its first message.
    pub method: &'static Method,
    /// The change, if it was broken.
    pub fault: Option<Fault>,
    pub(super) root: Value,
    pub(super) spelling: Spelling,
}

/// A change that could be made to a message.
pub(super) struct Change<'a> {
    /// The place: an existing value, a new member, or the item after the last.
    pub(super) path: &'a [Step],
    /// The new value; `None` removes the old one.
    pub(super) value: Option<Value>,
    /// The change, in a few words.
    pub(super) name: Cow<'static, str>,
    /// The struct or branch around it, which distinguishes places with the same pointer.
    pub(super) owner: &'a str,
    pub(super) outcome: Outcome,
}

/// The consequence of a change, relative to its place.
#[derive(Clone, Copy)]
pub(super) enum Outcome {
    Valid,
    Open,
    /// Reported at the place.
    Here(&'static [&'static str]),
    /// Reported at the container of the place.
    Around(&'static [&'static str]),
    /// Reported for the whole message.
    Whole(&'static [&'static str]),
}

impl Invented {
    pub(super) fn new(
        root: Value,
        spelling: Spelling,
        (revision, direction): (Revision, Direction),
        (kind, method): (MessageKind, &'static Method),
    ) -> Self {
        let bytes = root.to_bytes(spelling);
        Self {
            bytes,
            revision,
            direction,
            kind,
            method,
            fault: None,
            root,
            spelling,
        }
    }

    /// The same message, written in another way.
    pub(super) fn spelt(&self, spelling: Spelling) -> Self {
        let bytes = self.root.to_bytes(spelling);
        Self {
            bytes,
            spelling,
            ..self.clone()
        }
    }

    /// Whether it was made as a response.
    #[must_use]
    pub fn is_answer(&self) -> bool {
        matches!(self.kind, MessageKind::Response | MessageKind::Error)
    }

    /// Every change of one place that the model knows.
    #[must_use]
    pub fn mutations(&self) -> Vec<Invented> {
        let mut made = vec![];
        self.changes(&mut |change| made.push(self.apply(change)));
        made
    }

    pub(super) fn changes(&self, emit: &mut dyn FnMut(Change<'_>)) {
        let tables = Tables {
            revision: self.revision,
        };
        envelope::changes(self, tables, emit);
    }

    pub(super) fn apply(&self, change: Change<'_>) -> Invented {
        let mut root = self.root.clone();
        root.put(change.path, change.value);
        let around = &change.path[..change.path.len().saturating_sub(1)];
        let expected = match change.outcome {
            Outcome::Valid => Expected::Valid,
            Outcome::Open => Expected::Open,
            Outcome::Here(rules) => Expected::Broken {
                at: pointer(change.path),
                rules,
            },
            Outcome::Around(rules) => Expected::Broken {
                at: pointer(around),
                rules,
            },
            Outcome::Whole(rules) => Expected::Broken {
                at: String::new(),
                rules,
            },
        };
        let fault = Fault {
            change: change.name.into_owned(),
            place: pointer(change.path),
            expected,
        };
        let bytes = root.to_bytes(self.spelling);
        Invented {
            bytes,
            root,
            fault: Some(fault),
            ..self.clone()
        }
    }
}

impl fmt::Debug for Invented {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Invented")
            .field("message", &String::from_utf8_lossy(&self.bytes))
            .field("revision", &self.revision)
            .field("direction", &self.direction)
            .field("kind", &self.kind)
            .field("method", &self.method.name)
            .field("fault", &self.fault)
            .finish_non_exhaustive()
    }
}
