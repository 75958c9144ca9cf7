//! Violations in words, which are written only when they are shown.
//!
//! Sentences are lower case, state what was found and what was expected, quote names in backticks,
//! and never quote a value that could be a secret.

mod expected;
mod help;
mod label;
mod refusal;

use self::expected::list;
pub use self::expected::{expected, kind_name};
use crate::catalogue::{Detail, Owner, Violation, inline};
use crate::model::{Arm, ArmTag, ENUMS, Method, Shape, ShapeId, Union};
use crate::syntax::wording as syntax;
pub(crate) use crate::syntax::wording::tame;
use crate::syntax::{Node, Tape};
use crate::{Revision, RevisionSet};

/// The data that is needed to word a violation.
#[derive(Clone, Copy)]
pub struct Wording<'a> {
    /// The message, scanned.
    pub tape: &'a Tape,
    /// Its bytes.
    pub bytes: &'a [u8],
    /// The revision it was checked under, if that is known.
    pub revision: Option<Revision>,
}

impl<'a> Wording<'a> {
    /// The text of a violation: found and expected.
    #[must_use]
    pub fn message(self, violation: &Violation) -> String {
        let node = violation
            .token
            .map(|token| self.tape.node(self.bytes, token));
        let name = node.map_or_else(|| "the message".to_owned(), name);
        match violation.detail {
            Detail::Plain => lower(violation.rule.summary()),
            Detail::Text(text) => text.to_owned(),
            Detail::Named { text, name } => text.replacen("{}", name, 1),
            Detail::Counted { text, count } => text.replacen("{}", &count.to_string(), 1),
            Detail::Schema { keyword, member } => refusal::message(&name, node, keyword, member),
            Detail::Syntax(kind) => syntax::message(kind, self.bytes, violation.span),
            Detail::Limit { limit } => {
                let unit = if *violation.rule == inline::SIZE_LIMIT {
                    " bytes"
                } else {
                    ""
                };
                format!("{} of {limit}{unit}", lower(violation.rule.summary()))
            }
            Detail::Repeated => format!("{name} stands twice in the same object"),
            // The rule names the message whose id is missing; its sentence is better.
            Detail::Missing { member: "id", .. } => {
                format!("{}: `id` is missing", lower(violation.rule.summary()))
            }
            Detail::Missing { member, owner } => self.missing(member, owner),
            Detail::Type {
                expected: shape,
                found,
            } => {
                format!(
                    "{name} is {}, expected {}",
                    kind_name(found),
                    expected(shape, self.revision())
                )
            }
            Detail::EnvelopeType { expected, found } => {
                format!("{name} is {}, expected {expected}", kind_name(found))
            }
            Detail::Null => {
                format!("{name} is null; an optional member without a value is left out")
            }
            Detail::Value { expected: shape } => self.value(&name, node, shape),
            Detail::Range { expected: shape } => format!(
                "{name} is out of range, expected {}",
                expected(shape, self.revision())
            ),
            Detail::Items { max, found } => {
                format!("{name} has {found} items, at most {max} are allowed")
            }
            Detail::Tag { union } => self.tag(&name, node, union),
            Detail::Method { elsewhere } => self.method(node, elsewhere),
            Detail::Direction { method } => {
                let from_client =
                    method.forms[self.revision().index()].is_some_and(|form| form.from_client);
                let (right, wrong) = if from_client {
                    ("client", "server")
                } else {
                    ("server", "client")
                };
                format!(
                    "`{}` is sent by the {right} only, this one comes from the {wrong}",
                    method.name
                )
            }
            Detail::Unexpected { member } => format!(
                "{}: `{member}` does not belong here",
                lower(violation.rule.summary())
            ),
            Detail::Revisions(revisions) => format!(
                "{} (batches exist {revisions}, this session speaks {})",
                lower(violation.rule.summary()),
                self.revision()
            ),
        }
    }

    fn revision(self) -> Revision {
        self.revision.unwrap_or(Revision::latest())
    }

    fn missing(self, member: &str, owner: Owner) -> String {
        match owner {
            Owner::Message | Owner::Error => format!("`{member}` is missing from {}", owner.name()),
            Owner::Struct(item) => format!("`{member}` is missing from `{}`", item.name),
            Owner::Union(union) => {
                let known = arm_list(union, self.revision());
                format!(
                    "`{member}` is missing, which names the kind of `{}`: expected {known}",
                    union.name
                )
            }
        }
    }

    fn value(self, name: &str, node: Option<Node<'a>>, shape: ShapeId) -> String {
        let (known, revision) = (expected(shape, self.revision()), self.revision());
        match (value_elsewhere(node, shape), shape.get()) {
            (Some(revisions), _) => {
                format!(
                    "the value of {name} exists {revisions}, this session speaks {revision}: expected {known}"
                )
            }
            (None, Some(Shape::Literal(_))) => format!("the value of {name} is not {known}"),
            (None, _) => format!("the value of {name} is unknown, expected {known}"),
        }
    }

    fn tag(self, name: &str, node: Option<Node<'a>>, union: &'static Union) -> String {
        let (known, revision) = (arm_list(union, self.revision()), self.revision());
        match arm_elsewhere(node, union) {
            Some((value, arm)) => {
                format!(
                    "`{value}` exists {}, this session speaks {revision}: expected {known}",
                    arm.revisions
                )
            }
            None => format!("{name} names no kind of `{}`, expected {known}", union.name),
        }
    }

    fn method(self, node: Option<Node<'a>>, elsewhere: Option<&'static Method>) -> String {
        let revision = self.revision();
        let Some(method) = elsewhere else {
            let name = node.and_then(Node::text).unwrap_or_default();
            return format!("no revision has a method `{}`", tame(&name));
        };
        if method.forms[revision.index()].is_some() {
            return format!(
                "`{}` is an input request in {revision}: it is embedded in a result, not sent by itself",
                method.name
            );
        }
        let revisions: RevisionSet = Revision::ALL
            .into_iter()
            .filter(|revision| method.forms[revision.index()].is_some())
            .collect();
        format!(
            "`{}` exists {revisions}, this session speaks {revision}",
            method.name
        )
    }
}

/// A value in a sentence: by its key, or by its position in an array.
fn name(node: Node<'_>) -> String {
    let pointer = node.pointer();
    match pointer.rsplit('/').next() {
        None | Some("") => "the message".to_owned(),
        Some(last) if last.bytes().all(|byte| byte.is_ascii_digit()) => {
            let parent = pointer[..pointer.len() - last.len() - 1]
                .rsplit('/')
                .next()
                .unwrap_or_default();
            if parent.is_empty() {
                format!("item {last}")
            } else {
                format!("item {last} of {}", quoted_key(parent))
            }
        }
        Some(last) => quoted_key(last),
    }
}

/// The revisions that know a value which the one in force does not.
fn value_elsewhere(node: Option<Node<'_>>, shape: ShapeId) -> Option<RevisionSet> {
    let (node, Some(Shape::Enum(id))) = (node?, shape.get()) else {
        return None;
    };
    let values = ENUMS[usize::from(*id)].values;
    values
        .iter()
        .find(|(value, _)| node.is_text(value))
        .map(|(_, revisions)| *revisions)
}

/// The branch that other revisions have for a tag.
fn arm_elsewhere(
    node: Option<Node<'_>>,
    union: &'static Union,
) -> Option<(&'static str, &'static Arm)> {
    let node = node?;
    union.arms.iter().find_map(|arm| match arm.tag {
        ArmTag::Value(value) if node.is_text(value) => Some((value, arm)),
        _ => None,
    })
}

/// The key that a reference token of a JSON Pointer stands for.
fn quoted_key(token: &str) -> String {
    format!("`{}`", tame(&token.replace("~1", "/").replace("~0", "~")))
}

/// The sentence without its capital and full stop.
fn lower(sentence: &str) -> String {
    let sentence = sentence.trim_end_matches('.');
    let mut characters = sentence.chars();
    match characters.next() {
        Some(first) => first.to_lowercase().chain(characters).collect(),
        None => String::new(),
    }
}

fn allowed_values(shape: ShapeId, revision: Revision) -> Vec<&'static str> {
    match shape.get() {
        Some(Shape::Literal(text)) => vec![*text],
        Some(Shape::Enum(id)) => {
            let values = ENUMS[usize::from(*id)].values.iter();
            values
                .filter(|(_, revisions)| revisions.contains(revision))
                .map(|(value, _)| *value)
                .collect()
        }
        _ => Vec::new(),
    }
}

/// The kinds of a union, by their tags.
#[must_use]
pub fn arm_list(union: &'static Union, revision: Revision) -> String {
    list(arm_names(union, revision))
}

fn arm_names(union: &'static Union, revision: Revision) -> impl Iterator<Item = &'static str> {
    union
        .arms
        .iter()
        .filter(move |arm| arm.revisions.contains(revision))
        .filter_map(|arm| match arm.tag {
            ArmTag::Value(value) => Some(value),
            _ => None,
        })
}
