//! What was found: a rule, a place, and the little that is needed to say why.

use core::ops::ControlFlow;

use crate::RevisionSet;
use crate::catalogue::{Rule, inline};
use crate::model::{Method, ShapeId, Struct, Union};
use crate::syntax::{FaultKind, Kind, Node, Span};

/// A rule that a message breaks. Holds no value of the message: text is made when it is shown.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Violation {
    /// The rule.
    pub rule: &'static Rule,
    /// The offending bytes.
    pub span: Span,
    /// The token at fault, for the pointer; `None` where the message could not be read.
    pub token: Option<u32>,
    /// What the wording needs to know.
    pub detail: Detail,
    /// Where no branch of a union fits: the union whose nearest branch was reported.
    pub nearest_of: Option<&'static Union>,
    /// Whether it is the message that is at fault, or the head of its HTTP exchange.
    pub place: Place,
}

/// What is at fault.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Place {
    /// The message, at the span.
    #[default]
    Message,
    /// A header of the HTTP request or response, by its position.
    Header(u16),
    /// The head of the HTTP request or response, which lacks something.
    Head,
    /// The status of the HTTP response.
    Status,
    /// The method or path of the HTTP request.
    RequestLine,
    /// A field of an event of a stream.
    Event,
    /// The end of a stream.
    StreamEnd,
}

impl Violation {
    pub(crate) fn new(rule: &'static Rule, span: Span, token: Option<u32>, detail: Detail) -> Self {
        Self {
            rule,
            span,
            token,
            detail,
            nearest_of: None,
            place: Place::Message,
        }
    }

    /// What definitions that replace the built-in model raise: `schema/override`, at a value.
    #[must_use]
    pub fn by_override(at: Node<'_>) -> Self {
        Self::new(
            &inline::OVERRIDE,
            at.span(),
            Some(at.index()),
            Detail::Schema {
                keyword: "",
                member: None,
            },
        )
    }
}

/// The particulars of a violation.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Detail {
    /// The rule's own sentence says it all.
    Plain,
    /// What was found, in words.
    Text(&'static str),
    /// What was found, in words; `{}` stands for a name.
    Named {
        /// The sentence.
        text: &'static str,
        /// The name.
        name: &'static str,
    },
    /// What was found, in words; `{}` stands for a number.
    Counted {
        /// The sentence.
        text: &'static str,
        /// The number.
        count: u64,
    },
    /// Not JSON.
    Syntax(FaultKind),
    /// A limit of `Policy`.
    Limit {
        /// Its value.
        limit: usize,
    },
    /// A key that was seen before in the same object.
    Repeated,
    /// A required member is not there.
    Missing {
        /// Its name.
        member: &'static str,
        /// What lacks it.
        owner: Owner,
    },
    /// The value is of the wrong JSON type.
    Type {
        /// What it had to be.
        expected: ShapeId,
        /// What it is.
        found: Kind,
    },
    /// A member of the envelope is of the wrong JSON type.
    EnvelopeType {
        /// What it had to be, in words.
        expected: &'static str,
        /// What it is.
        found: Kind,
    },
    /// An optional member is null instead of absent.
    Null,
    /// The string is none of those allowed.
    Value {
        /// The literal or enum.
        expected: ShapeId,
    },
    /// The number is out of range.
    Range {
        /// The shape with the bounds.
        expected: ShapeId,
    },
    /// The array has too many items.
    Items {
        /// How many are allowed.
        max: u32,
        /// How many there are.
        found: u32,
    },
    /// The tag of a union names no branch.
    Tag {
        /// The union.
        union: &'static Union,
    },
    /// The method does not exist in the revision in force.
    Method {
        /// The method of this name in other revisions.
        elsewhere: Option<&'static Method>,
    },
    /// The method is for the other party.
    Direction {
        /// The method.
        method: &'static Method,
    },
    /// A member of the envelope that must not be there, or not together with another.
    Unexpected {
        /// Its name.
        member: &'static str,
    },
    /// An override schema refuses the value.
    Schema {
        /// The keyword that refuses it, empty if it is not known.
        keyword: &'static str,
        /// The member that is missing, if the model has the name.
        member: Option<&'static str>,
    },
    /// The revisions that have a thing, where the rule is about one of them.
    Revisions(RevisionSet),
}

/// What lacks a member.
#[derive(Clone, Copy, Debug)]
pub enum Owner {
    /// The message itself.
    Message,
    /// The error object.
    Error,
    /// A struct of the model.
    Struct(&'static Struct),
    /// A union of the model, whose tag is missing.
    Union(&'static Union),
}

impl Owner {
    /// Its name in a sentence.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Message => "the message",
            Self::Error => "the error object",
            Self::Struct(item) => item.name,
            Self::Union(item) => item.name,
        }
    }
}

/// Where violations go. The same checks stop at the first one or collect all, by the sink they are given.
pub trait Sink {
    /// Takes a violation; `Break` ends the check.
    fn push(&mut self, violation: Violation) -> ControlFlow<()>;
}

/// Keeps everything.
impl Sink for Vec<Violation> {
    fn push(&mut self, violation: Violation) -> ControlFlow<()> {
        Vec::push(self, violation);
        ControlFlow::Continue(())
    }
}

/// Collects violations. At most `limit` of each rule are kept, so that no rule can crowd out another and the gravest level is
/// always among them; the list is cut to the limit when it is known how grave each one is.
pub(crate) struct Collect<'v> {
    pub(crate) violations: &'v mut Vec<Violation>,
    pub(crate) limit: usize,
    /// The first violation that was not kept, of each rule that has more than the limit.
    pub(crate) left_out: &'v mut Vec<Violation>,
}

impl Collect<'_> {
    #[cold]
    fn push_beyond_limit(&mut self, violation: Violation) {
        let is_same = |other: &&Violation| other.rule == violation.rule;
        if self.left_out.iter().any(|other| is_same(&other)) {
            return;
        }
        if self.violations.iter().filter(is_same).count() < self.limit.max(1) {
            self.violations.push(violation);
        } else {
            self.left_out.push(violation);
        }
    }
}

impl Sink for Collect<'_> {
    fn push(&mut self, violation: Violation) -> ControlFlow<()> {
        if self.violations.len() < self.limit {
            self.violations.push(violation);
        } else {
            self.push_beyond_limit(violation);
        }
        ControlFlow::Continue(())
    }
}

/// Stops at the first violation and keeps it.
#[derive(Default, Debug)]
pub struct First(pub Option<Violation>);

impl Sink for First {
    fn push(&mut self, violation: Violation) -> ControlFlow<()> {
        self.0.get_or_insert(violation);
        ControlFlow::Break(())
    }
}
