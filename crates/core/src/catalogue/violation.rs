//! A violation: a rule, a span, and the details that its text needs.

use core::ops::ControlFlow;

use crate::RevisionSet;
use crate::catalogue::{Level, Rule, inline};
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
    /// The details for its text.
    pub detail: Detail,
    /// The union whose nearest branch was reported, if no branch fits.
    pub nearest_of: Option<&'static Union>,
    /// The part at fault: the message, or a part of its HTTP exchange.
    pub place: Place,
    /// The highest level that this case can have, whatever the level of the rule.
    pub at_most: Level,
    /// The schema that it was checked against, if there is one.
    pub schema: Option<SchemaRef>,
    /// The level that the policy gives to violations of this message.
    pub(crate) of_message: Option<Level>,
}

/// The schema behind a violation, from which a report finds the keyword.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SchemaRef {
    /// A shape of the model, for the value at this token.
    Model {
        /// The token of the value.
        root: u32,
        /// Its shape.
        shape: ShapeId,
    },
    /// A place that was noted while the message was checked, by its position.
    Noted(u32),
}

/// The place of a keyword in a schema that is not the model.
#[derive(Clone, Debug)]
pub(crate) struct SchemaNote {
    /// The name of the document.
    pub(crate) document: &'static str,
    /// The JSON Pointer of the keyword.
    pub(crate) pointer: String,
    pub(crate) keyword: &'static str,
}

/// The part at fault.
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
            at_most: Level::Error,
            schema: None,
            of_message: None,
        }
    }

    /// A violation of `schema/override`, at a value that a schema in place of the model refuses.
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

/// The details of a violation.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Detail {
    /// None: the first sentence of the rule is the text.
    Plain,
    /// The text.
    Text(&'static str),
    /// The text; `{}` stands for a name.
    Named {
        /// The sentence.
        text: &'static str,
        /// The name.
        name: &'static str,
    },
    /// The text; `{}` stands for a number.
    Counted {
        /// The sentence.
        text: &'static str,
        /// The number.
        count: u64,
    },
    /// A JSON syntax error.
    Syntax(FaultKind),
    /// A limit of `Policy`.
    Limit {
        /// Its value.
        limit: usize,
    },
    /// A key that was seen before in the same object.
    Repeated,
    /// A missing required member.
    Missing {
        /// Its name.
        member: &'static str,
        /// The object that lacks it.
        owner: Owner,
    },
    /// A value of the wrong JSON type.
    Type {
        /// The shape that it must have.
        expected: ShapeId,
        /// Its JSON type.
        found: Kind,
    },
    /// A member of the envelope of the wrong JSON type.
    EnvelopeType {
        /// The expected type, in words.
        expected: &'static str,
        /// Its JSON type.
        found: Kind,
    },
    /// An optional member that is null instead of absent.
    Null,
    /// A string that is not one of the allowed values.
    Value {
        /// The literal or enum.
        expected: ShapeId,
    },
    /// A number out of range.
    Range {
        /// The shape with the bounds.
        expected: ShapeId,
    },
    /// An array with too many items.
    Items {
        /// The number of items allowed.
        max: u32,
        /// The number of items found.
        found: u32,
    },
    /// A tag that names no branch of a union.
    Tag {
        /// The union.
        union: &'static Union,
    },
    /// A method that does not exist in the revision in force.
    Method {
        /// The method of this name in other revisions.
        elsewhere: Option<&'static Method>,
    },
    /// A method that only the other party sends.
    Direction {
        /// The method.
        method: &'static Method,
    },
    /// A member of the envelope that must not be there, or not together with another.
    Unexpected {
        /// Its name.
        member: &'static str,
    },
    /// A value that an override schema refuses.
    Schema {
        /// The keyword that refuses it, empty if it is not known.
        keyword: &'static str,
        /// The member that is missing, if the model has the name.
        member: Option<&'static str>,
    },
    /// The revisions that have a thing, where the rule is about one of them.
    Revisions(RevisionSet),
}

/// The object that lacks a member.
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

/// A receiver of violations. The sink decides whether a check stops at the first one or collects
/// all.
pub trait Sink {
    /// Takes a violation; `Break` ends the check.
    fn push(&mut self, violation: Violation) -> ControlFlow<()>;

    /// The sink behind this one, if it only forwards.
    fn next(&mut self) -> Option<&mut dyn Sink> {
        None
    }

    /// Notes the place of a keyword in a named document, for the violation that comes next; `None`
    /// if neither this sink nor the one behind it keeps such places.
    fn note(
        &mut self,
        document: &'static str,
        pointer: &str,
        keyword: &'static str,
    ) -> Option<SchemaRef> {
        self.next()?.note(document, pointer, keyword)
    }
}

/// Collects everything.
impl Sink for Vec<Violation> {
    fn push(&mut self, violation: Violation) -> ControlFlow<()> {
        Vec::push(self, violation);
        ControlFlow::Continue(())
    }
}

/// Collects violations, at most `limit` of each rule, so that no rule can crowd out another and the
/// gravest level is always among them. The list is cut to the limit after the levels are known.
pub(crate) struct Collect<'v> {
    pub(crate) violations: &'v mut Vec<Violation>,
    pub(crate) limit: usize,
    /// The first violation beyond the limit, of each rule that has more.
    pub(crate) left_out: &'v mut Vec<Violation>,
    /// The places in schemas that violations refer to.
    pub(crate) notes: &'v mut Vec<SchemaNote>,
}

/// The number of places in schemas that are noted for one message.
const MAX_NOTES: usize = 1000;

/// The longest place that is noted, in bytes: names in a schema may be of any length.
const MAX_NOTED_BYTES: usize = 1024;

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

    #[cold]
    fn note(
        &mut self,
        document: &'static str,
        pointer: &str,
        keyword: &'static str,
    ) -> Option<SchemaRef> {
        let position = u32::try_from(self.notes.len()).ok()?;
        if self.notes.len() >= MAX_NOTES || pointer.len() > MAX_NOTED_BYTES {
            return None;
        }
        self.notes.push(SchemaNote {
            document,
            pointer: pointer.to_owned(),
            keyword,
        });
        Some(SchemaRef::Noted(position))
    }
}

/// Stops at the first violation and holds it.
#[derive(Default, Debug)]
pub struct First(pub Option<Violation>);

impl Sink for First {
    fn push(&mut self, violation: Violation) -> ControlFlow<()> {
        self.0.get_or_insert(violation);
        ControlFlow::Break(())
    }
}
