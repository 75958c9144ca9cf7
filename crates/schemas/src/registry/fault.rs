//! Faults of a schema itself.

use core::fmt;

use mcp_assay_json::{Kind, Node};

/// The fault of a schema that cannot be used, and its place.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct SchemaFault {
    /// The kind of fault.
    pub kind: SchemaFaultKind,
    /// The place within the schema, as a JSON Pointer (RFC 6901).
    pub pointer: String,
}

/// The kinds of faults of a schema. Exhaustive, so that the compiler reports a kind without a
/// report.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SchemaFaultKind {
    /// The meta-schema of its dialect does not accept it.
    NotASchema {
        /// The message of the meta-schema, without the values of the schema.
        reason: String,
    },
    /// `$schema` names a dialect that is not known.
    UnknownDialect,
    /// It refers to another document, which is never fetched.
    ExternalReference {
        /// The target of the reference.
        reference: String,
    },
    /// It refers to something that it does not have.
    DanglingReference {
        /// The target of the reference.
        reference: String,
    },
    /// A pattern is not a regular expression.
    BadPattern,
    /// It is larger than the limit.
    TooLarge,
    /// It is nested deeper than the limit, or its references form a longer chain.
    TooDeep,
    /// It has more subschemas, or patterns, than the limit.
    TooManySubschemas,
    /// Composition multiplies beyond the limit.
    TooComplex,
}

impl SchemaFault {
    pub(super) fn new(kind: SchemaFaultKind, pointer: impl Into<String>) -> Self {
        Self {
            kind,
            pointer: pointer.into(),
        }
    }

    /// The node of the fault in a schema equal to the one that was loaded, or the nearest one
    /// around it.
    #[must_use]
    pub fn locate<'a>(&self, schema: Node<'a>) -> Node<'a> {
        let mut here = schema;
        for segment in self.pointer.split('/').skip(1) {
            let next = match here.kind() {
                Kind::Array => segment
                    .parse()
                    .ok()
                    .and_then(|position| here.items().nth(position)),
                _ => here.get(&segment.replace("~1", "/").replace("~0", "~")),
            };
            match next {
                Some(next) => here = next,
                None => break,
            }
        }
        here
    }

    /// The last name of the pointer: mostly the keyword that is wrong.
    #[must_use]
    pub fn keyword(&self) -> &str {
        self.pointer.rsplit('/').next().unwrap_or_default()
    }

    /// The fault in words, with its place.
    pub(super) fn located(&self) -> String {
        match self.pointer.as_str() {
            "" => self.to_string(),
            pointer => format!("{pointer}: {self}"),
        }
    }

    /// Whether the schema may be valid, but costs more than the limits allow.
    #[must_use]
    pub fn is_limit(&self) -> bool {
        matches!(
            self.kind,
            SchemaFaultKind::TooLarge
                | SchemaFaultKind::TooDeep
                | SchemaFaultKind::TooManySubschemas
                | SchemaFaultKind::TooComplex
        )
    }
}

impl fmt::Display for SchemaFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            SchemaFaultKind::NotASchema { reason } => f.write_str(reason),
            SchemaFaultKind::UnknownDialect => f.write_str("`$schema` names an unknown dialect"),
            SchemaFaultKind::ExternalReference { reference } => {
                write!(
                    f,
                    "refers to another document, which is not fetched: `{reference}`"
                )
            }
            SchemaFaultKind::DanglingReference { reference } => {
                write!(f, "refers to nothing: `{reference}`")
            }
            SchemaFaultKind::BadPattern => f.write_str("the pattern is not a regular expression"),
            SchemaFaultKind::TooLarge => f.write_str("the schema is too large"),
            SchemaFaultKind::TooDeep => f.write_str("the schema is nested too deeply"),
            SchemaFaultKind::TooManySubschemas => f.write_str("the schema has too many parts"),
            SchemaFaultKind::TooComplex => f.write_str("composition multiplies beyond the limit"),
        }
    }
}

impl core::error::Error for SchemaFault {}
