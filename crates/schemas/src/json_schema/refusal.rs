//! Converts an error of the `jsonschema` crate to a refusal: its place on the tape, and as much of
//! its reason as is small.

use core::ops::ControlFlow;

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind as Kind;
use jsonschema::paths::{Location, LocationSegment};
use mcp_assay_json::Node;
use mcp_assay_model::STRUCTS;

use crate::registry::known_keyword;

/// The number of refusals of one value that are reported: finding the place of each costs a walk.
const MAX_REFUSALS: usize = 100;

/// A place at which a document refuses a message.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct Refusal<'a> {
    /// The value that is refused.
    pub at: Node<'a>,
    /// The reason.
    pub kind: RefusalKind,
    /// The JSON Pointer of the keyword in the document; empty if no keyword refuses it.
    pub schema: &'a str,
}

/// The reason why a document refuses a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RefusalKind {
    /// It has no method of this name.
    UnknownMethod,
    /// The method is for the other party.
    WrongDirection,
    /// The definition of the message cannot be compiled.
    NotCompiled,
    /// A keyword of the definition refuses the value.
    Keyword {
        /// The keyword.
        keyword: &'static str,
        /// The member that is missing, if the model has the name.
        member: Option<&'static str>,
    },
}

/// The destination of refusals. The same check stops at the first one or reports all, depending on
/// the sink.
pub trait RefusalSink {
    /// Takes a refusal; `Break` ends the check.
    fn push(&mut self, refusal: Refusal<'_>) -> ControlFlow<()>;
}

/// Reports a refusal of a value.
pub(super) fn refuse(
    at: Node<'_>,
    kind: RefusalKind,
    sink: &mut dyn RefusalSink,
) -> ControlFlow<()> {
    refuse_by(at, kind, "", sink)
}

/// Reports a refusal by a keyword of the document.
fn refuse_by(
    at: Node<'_>,
    kind: RefusalKind,
    schema: &str,
    sink: &mut dyn RefusalSink,
) -> ControlFlow<()> {
    sink.push(Refusal { at, kind, schema })
}

/// Reports each error about `root`.
pub(super) fn refuse_all<'e>(
    errors: impl IntoIterator<Item = ValidationError<'e>>,
    root: Node<'_>,
    sink: &mut dyn RefusalSink,
) -> ControlFlow<()> {
    let mut left = MAX_REFUSALS;
    errors
        .into_iter()
        .try_for_each(|error| refuse_error(&error, root, &mut left, sink))
}

fn refuse_error(
    error: &ValidationError<'_>,
    root: Node<'_>,
    left: &mut usize,
    sink: &mut dyn RefusalSink,
) -> ControlFlow<()> {
    if *left == 0 {
        return ControlFlow::Continue(());
    }
    if let Kind::AnyOf { context } | Kind::OneOfNotValid { context } = error.kind()
        && let Some(branch) = nearest(context, error.instance_path())
    {
        return branch
            .iter()
            .try_for_each(|error| refuse_error(error, root, left, sink));
    }
    let keyword = known_keyword(error.kind().keyword());
    let at = find(root, error.instance_path());
    let schema = error.schema_path().as_str();
    match error.kind() {
        Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
            for name in unexpected.iter().take(*left) {
                let kind = RefusalKind::Keyword {
                    keyword,
                    member: None,
                };
                refuse_by(at.get(name).unwrap_or(at), kind, schema, sink)?;
            }
            *left = left.saturating_sub(unexpected.len());
            return ControlFlow::Continue(());
        }
        _ => *left -= 1,
    }
    let member = match error.kind() {
        Kind::Required { property } => property.as_str().and_then(known_member),
        _ => None,
    };
    refuse_by(at, RefusalKind::Keyword { keyword, member }, schema, sink)
}

/// The branch that was most likely meant: none of its marks is missed, and the fewest things are
/// wrong with it.
fn nearest<'c>(
    branches: &'c [Vec<ValidationError<'static>>],
    place: &Location,
) -> Option<&'c [ValidationError<'static>]> {
    let depth = place.segments().count();
    // A value that misses a type, literal or enum, itself or in one of its members, belongs to
    // another branch.
    let is_mark = |error: &ValidationError<'_>| {
        let kind = error.kind();
        let below = error
            .instance_path()
            .segments()
            .count()
            .saturating_sub(depth);
        below == 0 && matches!(kind, Kind::Type { .. })
            || below <= 1 && matches!(kind, Kind::Constant { .. } | Kind::Enum { .. })
    };
    let meant = branches
        .iter()
        .filter(|branch| !branch.is_empty() && !branch.iter().any(is_mark));
    meant.min_by_key(|branch| branch.len()).map(Vec::as_slice)
}

/// The value at a place, or the nearest one around it.
fn find<'a>(root: Node<'a>, place: &Location) -> Node<'a> {
    let mut here = root;
    for segment in place.segments() {
        let next = match (segment, here.kind()) {
            (LocationSegment::Index(index), mcp_assay_json::Kind::Array) => here.items().nth(index),
            (LocationSegment::Index(index), _) => here.get(&index.to_string()),
            (LocationSegment::Property(name), mcp_assay_json::Kind::Array) => {
                name.parse().ok().and_then(|index| here.items().nth(index))
            }
            (LocationSegment::Property(name), _) => here.get(&name),
        };
        match next {
            Some(next) => here = next,
            None => break,
        }
    }
    here
}

/// A refusal holds no text of its own: names outlive it if the model has them.
fn known_member(name: &str) -> Option<&'static str> {
    STRUCTS
        .iter()
        .flat_map(|item| item.fields)
        .map(|field| field.name)
        .find(|known| *known == name)
}
