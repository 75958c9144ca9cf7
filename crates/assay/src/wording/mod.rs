//! Violations in words. Made only when something is shown.
//!
//! Sentences are lower case, say what was found and what was expected, quote names in backticks, and never quote a value
//! that could be a secret.

mod expected;
mod label;
mod refusal;
mod similar;
mod syntax;

use self::expected::{expected, kind_name, list};
use self::similar::nearest;
use crate::model::{ArmTag, ENUMS, METHODS, Method, Shape, ShapeId, Union};
use crate::syntax::{Node, Tape};
use crate::violation::{Detail, Owner, Violation};
use crate::{Revision, RevisionSet};

/// What is needed to word a violation.
#[derive(Clone, Copy)]
pub(crate) struct Wording<'a> {
    pub(crate) tape: &'a Tape,
    pub(crate) bytes: &'a [u8],
    pub(crate) revision: Option<Revision>,
}

impl<'a> Wording<'a> {
    /// What was found and what was expected.
    pub(crate) fn message(self, violation: &Violation) -> String {
        let node = violation.token.map(|token| self.tape.node(self.bytes, token));
        let name = node.map_or_else(|| "the message".to_owned(), |node| self.name(node));
        match violation.detail {
            Detail::Plain => lower(violation.rule.summary()),
            Detail::Schema { keyword, member } => refusal::message(&name, node, keyword, member),
            Detail::Syntax(kind) => syntax::message(kind, self.bytes, violation.span),
            Detail::Limit { limit } => format!("{} of {limit}", lower(violation.rule.summary())),
            Detail::Repeated => format!("{name} stands twice in the same object"),
            Detail::Missing { member, owner } => {
                let place = match owner {
                    Owner::Message | Owner::Error => owner.name().to_owned(),
                    _ => format!("`{}`", owner.name()),
                };
                format!("`{member}` is missing from {place}")
            }
            Detail::Type { expected: shape, found } => {
                format!("{name} is {}, expected {}", kind_name(found), expected(shape, self.revision()))
            }
            Detail::EnvelopeType { expected, found } => format!("{name} is {}, expected {expected}", kind_name(found)),
            Detail::Null => format!("{name} is null; an optional member without a value is left out"),
            Detail::Value { expected: shape } => {
                let text = expected(shape, self.revision());
                match self.elsewhere(node, shape) {
                    Some(revisions) => {
                        format!("the value of {name} exists {revisions}, this session speaks {}: expected {text}", self.revision())
                    }
                    None => format!("the value of {name} is unknown, expected {text}"),
                }
            }
            Detail::Range { expected: shape } => format!("{name} is out of range, expected {}", expected(shape, self.revision())),
            Detail::Items { max, found } => format!("{name} has {found} items, at most {max} are allowed"),
            Detail::Tag { union } => self.tag(&name, node, union),
            Detail::Method { elsewhere } => self.method(node, elsewhere),
            Detail::Direction { method } => {
                let form = method.forms[self.revision().index()];
                let sender = if form.is_some_and(|form| form.from_client) { "client" } else { "server" };
                format!("`{}` is sent by the {sender} only", method.name)
            }
            Detail::Unexpected { member } => format!("{}: `{member}` does not belong here", lower(violation.rule.summary())),
            Detail::Revisions(revisions) => format!(
                "{} (batches exist {revisions}, this session speaks {})",
                lower(violation.rule.summary()),
                self.revision()
            ),
        }
    }

    /// What to do about it.
    pub(crate) fn help(self, violation: &Violation) -> String {
        let node = violation.token.map(|token| self.tape.node(self.bytes, token));
        let mut help = match (violation.detail, node) {
            (Detail::Syntax(kind), _) => syntax::help(kind).unwrap_or(violation.rule.help).to_owned(),
            (Detail::Missing { member, owner }, Some(node)) => match misspelt(node, member, owner) {
                Some(found) => format!("did you mean `{member}` instead of `{found}`?"),
                None => format!("add `{member}`"),
            },
            (Detail::Value { expected: shape }, Some(node)) => {
                let values = allowed_values(shape, self.revision());
                suggest(node, values.iter().copied()).unwrap_or_else(|| violation.rule.help.to_owned())
            }
            (Detail::Tag { union }, Some(node)) => {
                suggest(node, arm_names(union, self.revision())).unwrap_or_else(|| violation.rule.help.to_owned())
            }
            (Detail::Method { elsewhere: None }, Some(node)) => {
                let known = METHODS.iter().filter(|method| method.forms[self.revision().index()].is_some());
                suggest(node, known.map(|method| method.name)).unwrap_or_else(|| violation.rule.help.to_owned())
            }
            _ => violation.rule.help.to_owned(),
        };
        if let Some(union) = violation.nearest_of {
            help.push_str(&format!(" (no branch of `{}` fits; this is the nearest)", union.name));
        }
        help
    }

    fn revision(self) -> Revision {
        self.revision.unwrap_or(Revision::latest())
    }

    /// A value by the key it stands under, or its place in its array.
    fn name(self, node: Node<'a>) -> String {
        let pointer = node.pointer();
        match pointer.rsplit('/').next() {
            None | Some("") => "the message".to_owned(),
            Some(last) if last.bytes().all(|byte| byte.is_ascii_digit()) => {
                let parent = pointer[..pointer.len() - last.len() - 1].rsplit('/').next().unwrap_or_default();
                if parent.is_empty() { format!("item {last}") } else { format!("item {last} of `{}`", tame(parent)) }
            }
            Some(last) => format!("`{}`", tame(last)),
        }
    }

    fn tag(self, name: &str, node: Option<Node<'a>>, union: &'static Union) -> String {
        let known = list(arm_names(union, self.revision()));
        let arm = node.and_then(|node| {
            union.arms.iter().find(|arm| matches!(arm.tag, ArmTag::Value(value) if node.is_text(value)))
        });
        match arm {
            Some(arm) => {
                let value = if let ArmTag::Value(value) = arm.tag { value } else { name };
                let revisions = arm.revisions;
                format!("`{value}` exists {revisions}, this session speaks {}: expected {known}", self.revision())
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
            return format!("`{}` is an input request in {revision}: it is embedded in a result, not sent by itself", method.name);
        }
        let revisions: RevisionSet =
            Revision::ALL.into_iter().filter(|revision| method.forms[revision.index()].is_some()).collect();
        format!("`{}` exists {revisions}, this session speaks {revision}", method.name)
    }

    /// The revisions that know a value which the one in force does not.
    fn elsewhere(self, node: Option<Node<'a>>, shape: ShapeId) -> Option<RevisionSet> {
        let (node, Some(Shape::Enum(id))) = (node?, shape.get()) else { return None };
        let values = ENUMS[usize::from(*id)].values;
        values.iter().find(|(value, _)| node.is_text(value)).map(|(_, revisions)| *revisions)
    }
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

/// A name from the message, short enough for a sentence and without characters that a terminal would act on.
pub(crate) fn tame(name: &str) -> String {
    const LONGEST: usize = 64;
    let mut tame: String = name.chars().take(LONGEST).flat_map(|character| {
        let printable = !character.is_control() && !is_invisible(character);
        if printable { vec![character] } else { character.escape_default().collect() }
    }).collect();
    if name.chars().nth(LONGEST).is_some() {
        tame.push('…');
    }
    tame
}

/// Characters that change how the text around them is shown.
fn is_invisible(character: char) -> bool {
    matches!(character, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// An unknown key of the object that looks like the missing member.
fn misspelt(object: Node<'_>, member: &str, owner: Owner) -> Option<String> {
    let known = |name: &str| match owner {
        Owner::Struct(item) => item.fields.iter().any(|field| field.name == name),
        Owner::Union(_) => false,
        Owner::Message => ["jsonrpc", "id", "method", "params", "result", "error"].contains(&name),
        Owner::Error => ["code", "message", "data"].contains(&name),
    };
    // A hostile object may have millions of keys: look at the first few.
    let keys = object.members().take(256).filter_map(|(key, _)| key.text());
    let unknown: Vec<_> = keys.filter(|key| key.len() <= 64 && !known(key)).collect();
    nearest(member, unknown.iter().map(|key| &**key)).map(tame)
}

fn suggest<'n>(node: Node<'_>, names: impl Iterator<Item = &'n str>) -> Option<String> {
    let text = node.text().filter(|text| text.len() <= 64)?;
    nearest(&text, names).map(|name| format!("did you mean `{name}`?"))
}

fn allowed_values(shape: ShapeId, revision: Revision) -> Vec<&'static str> {
    match shape.get() {
        Some(Shape::Literal(text)) => vec![*text],
        Some(Shape::Enum(id)) => {
            let values = ENUMS[usize::from(*id)].values.iter();
            values.filter(|(_, revisions)| revisions.contains(revision)).map(|(value, _)| *value).collect()
        }
        _ => Vec::new(),
    }
}

fn arm_names(union: &'static Union, revision: Revision) -> impl Iterator<Item = &'static str> {
    union.arms.iter().filter(move |arm| arm.revisions.contains(revision)).filter_map(|arm| match arm.tag {
        ArmTag::Value(value) => Some(value),
        _ => None,
    })
}
