//! The result of a check: the verdict, the violations, and the message that they belong to.

use core::fmt;
use std::borrow::Cow;

use crate::catalogue::{Level, Parties, Policy, Verdict, Violation, inline};
use crate::envelope::{Member, MessageKind, Position};
use crate::exchange::Exchange;
use crate::frame::{Frame, Http};
use crate::model::Method;
use crate::syntax::{Node, Tape};
use crate::validator::{SchemaPlace, Validator, schema_place};
use crate::wording::Wording;
use crate::{Direction, Party, Revision};

/// The result of a check. Borrows the validator until the next message.
#[derive(Clone, Copy)]
pub struct Checked<'v> {
    validator: &'v Validator,
    bytes: &'v [u8],
    http: Option<&'v Http<'v>>,
}

/// The facts about a message, as positions on its tape.
#[derive(Clone, Copy)]
pub(crate) struct Summary {
    pub(crate) kind: MessageKind,
    pub(crate) direction: Option<Direction>,
    pub(crate) revision: Option<Revision>,
    /// The method it calls or answers, if the model has it.
    pub(crate) method: Option<&'static Method>,
    /// The members `method` and `id`.
    pub(crate) named: Position,
    pub(crate) id: Position,
    /// Whether a batch has a result whose request is unknown.
    pub(crate) has_lone_result: bool,
    /// Whether it was checked as a value, not as a message.
    pub(crate) is_value: bool,
}

impl Default for Summary {
    fn default() -> Self {
        Self::UNREADABLE
    }
}

impl Summary {
    pub(crate) const UNREADABLE: Self = Self {
        kind: MessageKind::Unreadable,
        direction: None,
        revision: None,
        method: None,
        named: Position::ABSENT,
        id: Position::ABSENT,
        has_lone_result: false,
        is_value: false,
    };

    #[inline(always)]
    pub(crate) fn of(exchange: &Exchange<'_>) -> Self {
        Self {
            kind: exchange.envelope.kind,
            direction: exchange.direction,
            revision: Some(exchange.revision),
            method: exchange.method,
            named: exchange.envelope.position(Member::Method),
            id: exchange.envelope.position(Member::Id),
            has_lone_result: false,
            is_value: false,
        }
    }
}

impl Summary {
    /// The party at fault: the one that the rule names, or else the sender.
    fn party(&self, violation: &Violation) -> Option<Party> {
        match violation.rule.party {
            Parties::Only(party) => Some(party),
            Parties::Both => self.direction.map(Direction::sender),
        }
    }

    /// Whether the sender is at fault, as far as is known.
    pub(crate) fn blames_sender(&self, violation: &Violation) -> bool {
        let sender = self.direction.map(Direction::sender);
        let party = self.party(violation);
        party.is_none() || sender.is_none() || party == sender
    }
}

/// The facts about the message and the violated rules; no value of the message.
impl fmt::Debug for Checked<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rules = self
            .violations()
            .iter()
            .map(|violation| violation.rule.name);
        f.debug_struct("Checked")
            .field("verdict", &self.verdict())
            .field("kind", &self.kind())
            .field("method", &self.method())
            .field("revision", &self.revision())
            .field("violations", &rules.collect::<Vec<_>>())
            .finish_non_exhaustive()
    }
}

impl<'v> Checked<'v> {
    /// The result of the last check of a validator, whose frame this was.
    #[inline]
    #[must_use]
    pub fn new(validator: &'v Validator, frame: &Frame<'v>) -> Self {
        Self {
            validator,
            bytes: frame.bytes,
            http: frame.http,
        }
    }

    /// The verdict.
    #[inline]
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        if self.validator.last.violations.is_empty() {
            return Verdict::Pass;
        }
        self.policy()
            .judge(self.violations(), self.summary().revision)
    }

    /// Whether the message was checked as far as the policy asks. The shape of a result depends on
    /// the request: without it, or the method that [`Frame::answers`] gives, the result is not
    /// checked.
    #[must_use]
    pub fn is_judged(&self) -> bool {
        let summary = self.summary();
        let is_lone = match summary.kind {
            MessageKind::Response => {
                summary.method.is_none() && self.validator.last.unknown_method.is_empty()
            }
            MessageKind::Batch => summary.has_lone_result,
            _ => false,
        };
        let shapes = [&inline::MISSING_MEMBER, &inline::WRONG_TYPE];
        !is_lone || !shapes.iter().any(|rule| self.policy().wants(rule))
    }

    /// All violations, in the order in which they were found.
    #[must_use]
    pub fn violations(&self) -> &'v [Violation] {
        &self.validator.last.violations
    }

    /// The policy that it was checked under.
    #[must_use]
    pub fn policy(&self) -> &'v Policy {
        &self.validator.kit.policy
    }

    /// The tape of the message.
    fn tape(&self) -> &'v Tape {
        &self.validator.kit.tape
    }

    /// The facts about it.
    fn summary(&self) -> &'v Summary {
        &self.validator.last.summary
    }

    /// The level of a violation under the policy.
    #[must_use]
    pub fn level(&self, violation: &Violation) -> Level {
        self.policy().level_of(violation, self.summary().revision)
    }

    /// The party at fault: the one that the rule names, or else the sender.
    #[must_use]
    pub fn party(&self, violation: &Violation) -> Option<Party> {
        self.summary().party(violation)
    }

    /// Whether the sender of the message is at fault, as far as is known.
    #[must_use]
    pub fn blames_sender(&self, violation: &Violation) -> bool {
        self.summary().blames_sender(violation)
    }

    /// The kind of the message.
    #[must_use]
    pub fn kind(&self) -> MessageKind {
        self.summary().kind
    }

    /// Whether it was checked as a value on its own, and is no message.
    #[must_use]
    pub fn is_value(&self) -> bool {
        self.summary().is_value
    }

    /// The name of its kind in reports.
    #[must_use]
    pub fn kind_name(&self) -> &'static str {
        if self.is_value() {
            "value"
        } else {
            self.kind().name()
        }
    }

    /// The direction, if it is known.
    #[must_use]
    pub fn direction(&self) -> Option<Direction> {
        self.summary().direction
    }

    /// The revision that it was checked under; `None` only if it could not be read and nothing came
    /// before.
    #[must_use]
    pub fn revision(&self) -> Option<Revision> {
        self.summary().revision
    }

    /// The method it calls or answers.
    #[must_use]
    pub fn method(&self) -> Option<Cow<'v, str>> {
        if let Some(index) = self.summary().named.get() {
            return self.tape().node(self.bytes, index).text();
        }
        match self.summary().method {
            Some(method) => {
                let profile = self.policy().dialect();
                let renamed = profile.and_then(|profile| profile.new_name(method));
                Some(Cow::Borrowed(renamed.unwrap_or(method.name)))
            }
            None if self.validator.last.unknown_method.is_empty() => None,
            None => Some(Cow::Borrowed(&self.validator.last.unknown_method)),
        }
    }

    /// Its id, as it was sent.
    #[must_use]
    pub fn id(&self) -> Option<Node<'v>> {
        let index = self.summary().id.get()?;
        Some(self.tape().node(self.bytes, index))
    }

    /// The bytes.
    #[must_use]
    pub fn bytes(&self) -> &'v [u8] {
        self.bytes
    }

    /// The part of an HTTP exchange that carried it.
    #[must_use]
    pub fn http(&self) -> Option<&'v Http<'v>> {
        self.http
    }

    /// The whole message as a value, if it could be read.
    #[must_use]
    pub fn root(&self) -> Option<Node<'v>> {
        self.tape().root(self.bytes)
    }

    /// The JSON Pointer of the value at fault; empty for the whole message.
    #[must_use]
    pub fn pointer(&self, violation: &Violation) -> String {
        violation
            .token
            .map(|token| self.tape().node(self.bytes, token).pointer())
            .unwrap_or_default()
    }

    /// The keyword of a schema that a violation refers to; `None` if no schema states its rule.
    #[must_use]
    pub fn schema(&self, violation: &Violation) -> Option<SchemaPlace> {
        schema_place::of(self.validator, self.bytes, violation)
    }

    /// The text of a violation: found and expected, in one sentence. Quotes names, never values
    /// that could be secret.
    #[must_use]
    pub fn message(&self, violation: &Violation) -> String {
        self.wording().message(violation)
    }

    /// A few words to put under the offending bytes.
    #[must_use]
    pub fn label(&self, violation: &Violation) -> String {
        self.wording().label(violation)
    }

    /// The remedy.
    #[must_use]
    pub fn help(&self, violation: &Violation) -> String {
        self.wording().help(violation)
    }

    /// The view that turns its violations into words.
    #[must_use]
    pub fn wording(&self) -> Wording<'v> {
        Wording {
            tape: self.tape(),
            bytes: self.bytes,
            revision: self.summary().revision,
        }
    }
}
