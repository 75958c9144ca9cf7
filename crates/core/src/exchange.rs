//! A message in its context: its sender, its revision, and the method that it calls or answers.

use crate::envelope::Envelope;
use crate::model::{METHODS, Method, MethodForm};
use crate::syntax::{Kind, Node};
use crate::{Direction, Revision};

/// A message in its context.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct Exchange<'a> {
    /// The message.
    pub envelope: Envelope<'a>,
    /// The direction; `None` if neither the carrier nor the message shows it.
    pub direction: Option<Direction>,
    /// The revision that it is checked under.
    pub revision: Revision,
    /// The method it calls or answers, if the model has it in any revision.
    pub method: Option<&'static Method>,
    /// The revision that this message puts in force for those after it.
    pub(crate) named_revision: Option<Revision>,
    /// The open request that it answers.
    pub(crate) answered: Option<Answered>,
    /// Whether the id of that request has another JSON type: `1` and `"1"`.
    pub(crate) has_id_of_other_type: bool,
}

impl<'a> Exchange<'a> {
    /// A message whose context is not known yet.
    #[inline(always)]
    pub(crate) fn of(root: Node<'a>) -> Self {
        Self {
            envelope: Envelope::unread(root),
            direction: None,
            revision: Revision::latest(),
            method: None,
            named_revision: None,
            answered: None,
            has_id_of_other_type: false,
        }
    }

    /// Whether it begins a session, so that earlier messages do not matter.
    #[inline(always)]
    pub(crate) fn opens_session(&self) -> bool {
        self.envelope.is_call()
            && self
                .method
                .is_some_and(|method| matches!(method.index, HANDSHAKE | DISCOVERY))
    }

    /// The form of the method in the revision in force.
    #[inline(always)]
    #[must_use]
    pub fn form(&self) -> Option<&'static MethodForm> {
        self.method?.forms[self.revision.index()]
    }

    /// The method's name as it was sent.
    pub(crate) fn method_node(&self) -> Option<Node<'a>> {
        self.envelope
            .method()
            .filter(|method| method.kind() == Kind::String)
    }
}

/// The index of the handshake in the table of methods.
const HANDSHAKE: u16 = place_of("initialize");

/// The index of the request that replaces the handshake.
const DISCOVERY: u16 = place_of("server/discover");

const fn place_of(name: &str) -> u16 {
    let mut place = 0;
    while place < METHODS.len() {
        if is_same(METHODS[place].name.as_bytes(), name.as_bytes()) {
            return place as u16;
        }
        place += 1;
    }
    panic!("the model has the method")
}

const fn is_same(left: &[u8], right: &[u8]) -> bool {
    let mut at = 0;
    while at < left.len() && at < right.len() && left[at] == right[at] {
        at += 1;
    }
    at == left.len() && at == right.len()
}

/// The place of an open request, until the session advances.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Answered {
    /// The direction of the request.
    pub(crate) direction: Direction,
    pub(crate) position: u32,
}

/// Whether a method is the handshake.
#[inline(always)]
pub(crate) fn is_handshake(method: &'static Method) -> bool {
    method.index == HANDSHAKE
}
