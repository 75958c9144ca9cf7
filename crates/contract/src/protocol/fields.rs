//! Single fields and the members of an object, against plain types or the definitions of the model.

use mcp_assay::model::ShapeId;
use mcp_assay::rules::inline;
use mcp_assay::syntax::wording::tame;
use mcp_assay::syntax::{Kind, Node, Tape};
use mcp_assay::wording::{Wording, kind_name};
use mcp_assay::{Violation, check_value};

use super::explain::{self, Place};
use super::input::Json;
use super::problem::{Problem, ValidationError};
use super::protocol::Protocol;
use super::reason::Reason;
use crate::definition::shape_named;

/// The type of a field.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum FieldType<'a> {
    /// A string.
    String,
    /// A number without fractional part.
    Integer,
    /// A number.
    Number,
    /// `true` or `false`.
    Boolean,
    /// An object.
    Object,
    /// An array.
    Array,
    /// `null`
    Null,
    /// Any value.
    Any,
    /// One of several types.
    OneOf(&'a [FieldType<'a>]),
    /// The definition of this name in the protocol, such as `Tool` or `ContentBlock`.
    Definition(&'a str),
}

impl<'a> From<&'a [FieldType<'a>]> for FieldType<'a> {
    fn from(types: &'a [FieldType<'a>]) -> Self {
        Self::OneOf(types)
    }
}

impl<'a, const N: usize> From<&'a [FieldType<'a>; N]> for FieldType<'a> {
    fn from(types: &'a [FieldType<'a>; N]) -> Self {
        Self::OneOf(types)
    }
}

impl FieldType<'_> {
    /// Whether a value is of a plain type.
    fn fits(self, value: Node<'_>) -> bool {
        match (self, value.kind()) {
            (Self::Integer, Kind::Number) => value.is_integer(),
            (Self::Any, _)
            | (Self::String, Kind::String)
            | (Self::Number, Kind::Number)
            | (Self::Boolean, Kind::True | Kind::False)
            | (Self::Object, Kind::Object)
            | (Self::Array, Kind::Array)
            | (Self::Null, Kind::Null) => true,
            _ => false,
        }
    }

    fn words(self) -> String {
        let words = match self {
            Self::String => "a string",
            Self::Integer => "an integer",
            Self::Number => "a number",
            Self::Boolean => "true or false",
            Self::Object => "an object",
            Self::Array => "an array",
            Self::Null => "null",
            Self::Any => "any value",
            Self::OneOf(types) => return list_words(types),
            Self::Definition(name) => return format!("`{}`", tame(name)),
        };
        words.to_owned()
    }
}

/// `a string, a number or null`
fn list_words(types: &[FieldType<'_>]) -> String {
    let words: Vec<_> = types.iter().map(|expected| expected.words()).collect();
    match words.split_last() {
        None => "a value of no type".to_owned(),
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
    }
}

/// The members that an object must have.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Fields<'a> {
    /// These.
    Named(&'a [&'a str]),
    /// Those that the protocol requires of the definition of this name.
    Of(&'a str),
}

impl<'a> From<&'a [&'a str]> for Fields<'a> {
    fn from(names: &'a [&'a str]) -> Self {
        Self::Named(names)
    }
}

impl<'a, const N: usize> From<&'a [&'a str; N]> for Fields<'a> {
    fn from(names: &'a [&'a str; N]) -> Self {
        Self::Named(names)
    }
}

impl Protocol {
    /// See [`validate_field_type`](super::validate_field_type).
    pub fn validate_field_type<'j, 'f>(
        &mut self,
        field: &str,
        value: impl Into<Json<'j>>,
        expected: impl Into<FieldType<'f>>,
    ) -> Result<(), ValidationError> {
        let (value, expected) = (value.into(), expected.into());
        let json = value.text()?.unwrap_or_default();
        let mut tape = Tape::new();
        let kind = self.read(json, &mut tape)?.kind();
        if let FieldType::Definition(name) = expected {
            let found = self.walk(&tape, json, self.shape(name)?, |_| true);
            return ValidationError::check(found.into_iter().map(|it| below(it, field)));
        }
        if self.is_of_type(&tape, json, expected)? {
            return Ok(());
        }
        let (found, wanted) = (kind_name(kind), expected.words());
        let message = format!("`{}` is {found}, expected {wanted}", tame(field));
        let problem = Problem::new(Reason::TypeMismatch, message)
            .by(inline::WRONG_TYPE.name)
            .with("field", tame(field))
            .with("expected", wanted)
            .with("found", found);
        Err(problem.into())
    }

    /// See [`validate_required_fields`](super::validate_required_fields).
    pub fn validate_required_fields<'j, 'f>(
        &mut self,
        object: impl Into<Json<'j>>,
        required: impl Into<Fields<'f>>,
    ) -> Result<(), ValidationError> {
        let object = object.into();
        let json = object.text()?.unwrap_or_default();
        let mut tape = Tape::new();
        let root = self.read(json, &mut tape)?;
        if root.kind() != Kind::Object {
            let found = kind_name(root.kind());
            let message = format!("an object has fields, this is {found}");
            let problem = Problem::new(Reason::NotMap, message)
                .with("expected", "an object")
                .with("found", found);
            return Err(problem.into());
        }
        match required.into() {
            Fields::Named(names) => named(root, names),
            Fields::Of(name) => {
                let shape = self.shape(name)?;
                let is_own = |violation: &Violation| {
                    *violation.rule == inline::MISSING_MEMBER && violation.token == Some(0)
                };
                ValidationError::check(self.walk(&tape, json, shape, is_own))
            }
        }
    }

    /// Whether the value on a tape is of a type; an error for a definition that does not exist.
    fn is_of_type(
        &self,
        tape: &Tape,
        json: &[u8],
        expected: FieldType<'_>,
    ) -> Result<bool, ValidationError> {
        match expected {
            FieldType::Definition(name) => {
                let shape = self.shape(name)?;
                Ok(self.walk(tape, json, shape, |_| true).is_empty())
            }
            FieldType::OneOf(types) => {
                let mut fits = false;
                for expected in types {
                    fits |= self.is_of_type(tape, json, *expected)?;
                }
                Ok(fits)
            }
            plain => Ok(tape.root(json).is_some_and(|root| plain.fits(root))),
        }
    }

    fn shape(&self, name: &str) -> Result<ShapeId, ValidationError> {
        let revision = self.revision_in_force();
        shape_named(name, revision).ok_or_else(|| {
            let message = format!("{revision} has no definition `{}`", tame(name));
            let problem = Problem::new(Reason::UnknownDefinition, message);
            problem.with("definition", tame(name)).into()
        })
    }

    /// Checks a value against a shape.
    fn walk(
        &self,
        tape: &Tape,
        json: &[u8],
        shape: ShapeId,
        keep: impl Fn(&Violation) -> bool,
    ) -> Vec<Problem> {
        let revision = self.revision_in_force();
        let mut violations: Vec<Violation> = Vec::new();
        let _never_breaks = check_value((tape, json), 0, shape, revision, &mut violations);
        let wording = Wording {
            tape,
            bytes: json,
            revision: Some(revision),
        };
        let kept = violations.iter().filter(|violation| keep(violation));
        explain::gather(wording, kept, Place::One)
    }
}

fn named(object: Node<'_>, names: &[&str]) -> Result<(), ValidationError> {
    let missing: Vec<_> = names
        .iter()
        .filter(|name| object.get(name).is_none())
        .map(|name| tame(name))
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    let message = format!("`{}` is missing", missing.join("`, `"));
    let problem = Problem::new(Reason::MissingRequiredFields, message)
        .by(inline::MISSING_MEMBER.name)
        .with("fields", missing.join(","));
    Err(problem.into())
}

/// The same problem, of a value under a name.
fn below(mut problem: Problem, field: &str) -> Problem {
    let field = tame(field);
    let mut placed = false;
    for (name, value) in &mut problem.details {
        if matches!(*name, "field" | "at") {
            value.insert_str(0, &field);
            placed = true;
        }
    }
    if !placed {
        let name = if problem.reason == Reason::MissingRequiredFields {
            "at"
        } else {
            "field"
        };
        problem.details.insert(0, (name, field));
    }
    problem
}
