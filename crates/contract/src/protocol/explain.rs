//! Converts the violations of a check to problems.

use mcp_assay::model::{Method, MethodKind};
use mcp_assay::syntax::wording::tame;
use mcp_assay::syntax::{Kind, Node};
use mcp_assay::wording::{Wording, arm_list, expected, kind_name};
use mcp_assay::{Checked, Detail, Level, MessageKind, Revision, RevisionSet, Violation};

use super::problem::Problem;
use super::reason::Reason;

/// The errors among the violations of a message. Members that one object lacks are one problem.
pub(super) fn problems(checked: &Checked<'_>) -> Vec<Problem> {
    let violations = checked.violations().iter();
    let errors = violations.filter(|violation| checked.level(violation) == Level::Error);
    let mut problems = gather(checked.wording(), errors, Place::of(checked));
    if problems.is_empty() && matches!(checked.kind(), MessageKind::Unreadable | MessageKind::Empty)
    {
        problems.push(Problem::new(Reason::InvalidJson, "there is no message"));
    }
    problems
}

/// The same for violations of a value.
pub(super) fn gather<'v>(
    wording: Wording<'_>,
    violations: impl Iterator<Item = &'v Violation>,
    place: Place,
) -> Vec<Problem> {
    let mut problems: Vec<Problem> = Vec::new();
    for violation in violations {
        let problem = problem(wording, violation, place);
        match problems.last_mut() {
            Some(last) if is_more_of(last, &problem) => add_fields(last, &problem),
            _ => problems.push(problem),
        }
    }
    problems
}

/// The text in which a violation was found.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// A message, or a value.
    One,
    /// An array of messages.
    Batch,
}

impl Place {
    fn of(checked: &Checked<'_>) -> Self {
        if checked.kind() == MessageKind::Batch {
            Self::Batch
        } else {
            Self::One
        }
    }
}

fn is_more_of(last: &Problem, next: &Problem) -> bool {
    let missing = Reason::MissingRequiredFields;
    last.reason == missing && next.reason == missing && last.pointer == next.pointer
}

fn add_fields(last: &mut Problem, next: &Problem) {
    let fields = last.details.iter_mut().find(|(name, _)| *name == "fields");
    if let (Some((_, fields)), Some(more)) = (fields, next.detail("fields")) {
        fields.push(',');
        fields.push_str(more);
        last.message.push_str("; ");
        last.message.push_str(&next.message);
    }
}

fn problem(wording: Wording<'_>, violation: &Violation, place: Place) -> Problem {
    let node = violation
        .token
        .map(|token| wording.tape.node(wording.bytes, token));
    let pointer = node.map(Node::pointer).unwrap_or_default();
    let (index, within) = match place {
        Place::One => (None, pointer.as_str()),
        Place::Batch => split(&pointer),
    };
    let root = wording.tape.root(wording.bytes);
    let message = match (root, index) {
        (Some(root), Some(index)) => root.items().nth(index),
        (root, _) => root,
    };
    let notification = message.is_some_and(|message| message.get("id").is_none());
    let reason = Reason::of(violation, notification);
    let mut problem = Problem::new(reason, wording.message(violation)).by(violation.rule.name);
    problem.details = details(wording, violation, reason, node, within);
    if let Some(index) = index {
        problem = problem.within(index);
    }
    problem.pointer = pointer;
    problem
}

/// The position in a batch, and the pointer from there.
fn split(pointer: &str) -> (Option<usize>, &str) {
    let Some(rest) = pointer.strip_prefix('/') else {
        return (None, pointer);
    };
    let end = rest.find('/').unwrap_or(rest.len());
    let (index, within) = rest.split_at(end);
    match index.parse() {
        Ok(index) => (Some(index), within),
        Err(_) => (None, pointer),
    }
}

type Details = Vec<(&'static str, String)>;

fn details(
    wording: Wording<'_>,
    violation: &Violation,
    reason: Reason,
    node: Option<Node<'_>>,
    pointer: &str,
) -> Details {
    let revision = wording.revision.unwrap_or(Revision::latest());
    let mut details = Details::new();
    let mut add = |name: &'static str, value: String| details.push((name, value));
    if reason == Reason::RuleViolated {
        add("rule", violation.rule.name.to_owned());
    }
    if reason == Reason::InvalidErrorCode
        && let Some(code) = node.and_then(Node::as_i64)
    {
        add("code", code.to_string());
        add("problem", wording.message(violation));
        return details;
    }
    match violation.detail {
        Detail::Missing { .. } if reason == Reason::MissingId => {}
        Detail::Missing { member, .. } if reason == Reason::MissingRequiredFields => {
            add("fields", member.to_owned());
            if !pointer.is_empty() {
                add("at", tame(pointer));
            }
        }
        Detail::Missing { member, .. } => {
            add("field", format!("{}/{member}", tame(pointer)));
            add("found", "nothing".to_owned());
        }
        Detail::Method { elsewhere } => {
            add("method", named(node));
            if let Some(exists) = elsewhere.map(revisions_of).filter(|set| !set.is_empty()) {
                add("exists", exists.to_string());
            }
        }
        Detail::Named { name, .. }
            if matches!(reason, Reason::UnknownMethod | Reason::UnknownNotification) =>
        {
            add("method", named(node));
            add("renamed", name.to_owned());
        }
        Detail::Direction { method } => add("method", method.name.to_owned()),
        Detail::Unexpected { member } => add("field", member.to_owned()),
        Detail::Revisions(revisions) => add("exists", revisions.to_string()),
        Detail::Limit { limit } => add("limit", limit.to_string()),
        Detail::Syntax(_) => {
            add("problem", wording.message(violation));
            add("byte", violation.span.start.to_string());
        }
        Detail::Plain if reason == Reason::InvalidJsonrpcVersion => {
            add("expected", "2.0".to_owned());
        }
        Detail::Plain if reason == Reason::MissingMethod => {}
        detail => {
            if !pointer.is_empty() {
                add("field", tame(pointer));
            }
            match compared(detail, revision) {
                Some((wanted, found)) => {
                    add("expected", wanted);
                    if let Some(found) = found {
                        add("found", found);
                    }
                }
                None => add("problem", wording.message(violation)),
            }
        }
    }
    details
}

/// The expected value, and the found one if the kinds differ.
fn compared(detail: Detail, revision: Revision) -> Option<(String, Option<String>)> {
    let found = |kind: Kind| Some(kind_name(kind).to_owned());
    Some(match detail {
        Detail::Type {
            expected: shape,
            found: kind,
        } => (expected(shape, revision), found(kind)),
        Detail::EnvelopeType {
            expected,
            found: kind,
        } => (expected.to_owned(), found(kind)),
        Detail::Null => ("a value or nothing".to_owned(), found(Kind::Null)),
        Detail::Value { expected: shape } | Detail::Range { expected: shape } => {
            (expected(shape, revision), None)
        }
        Detail::Items { max, found } => (format!("at most {max} items"), Some(format!("{found}"))),
        Detail::Tag { union } => (arm_list(union, revision), None),
        _ => return None,
    })
}

/// A method that a message names: it is not a secret.
fn named(node: Option<Node<'_>>) -> String {
    let name = node.and_then(Node::text);
    name.map(|name| tame(&name)).unwrap_or_default()
}

/// The revisions in which a method is a message of its own.
pub(super) fn revisions_of(method: &Method) -> RevisionSet {
    let is_message = |revision: &Revision| {
        method.forms[revision.index()].is_some_and(|form| form.kind != MethodKind::Input)
    };
    Revision::ALL.into_iter().filter(is_message).collect()
}
