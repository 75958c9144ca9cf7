//! From an error of the `jsonschema` crate to a token of the value.

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind as Kind;
use mcp_assay_json::Node;

/// A place where a value does not fit its schema.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Mismatch<'e> {
    /// The token of the value that does not fit, as [`Node::index`] counts.
    pub at: u32,
    /// The keyword that refuses it; `false` for a schema that refuses everything, `schema` if there
    /// was too much to report.
    pub keyword: &'static str,
    /// The member that it concerns, if it concerns one.
    pub member: Option<Member<'e>>,
    /// The place of the keyword in the schema, as a JSON Pointer.
    pub schema: &'e str,
}

/// A member that is missing or should be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Member<'e> {
    /// It is missing, and this is its name.
    Missing(&'e str),
    /// It is there, and this is the token of its key.
    Extra(u32),
}

/// Reports mismatches, up to a limit.
pub(super) struct Teller<'a, 'f> {
    pub(super) root: Node<'a>,
    pub(super) left: usize,
    pub(super) each: &'f mut dyn FnMut(&Mismatch<'_>),
}

/// The number of nested branches that are explained.
const MAX_BRANCHES: usize = 16;

impl Teller<'_, '_> {
    /// Reports an error, or the errors of the branch that was most likely meant.
    pub(super) fn tell(&mut self, error: &ValidationError<'_>) {
        self.tell_at(error, 0);
    }

    /// Reports that the value does not fit, without details.
    pub(super) fn tell_root(&mut self) {
        self.raise(Mismatch {
            at: self.root.index(),
            keyword: "schema",
            member: None,
            schema: "",
        });
    }

    fn tell_at(&mut self, error: &ValidationError<'_>, depth: usize) {
        if let Kind::AnyOf { context } | Kind::OneOfNotValid { context } = error.kind()
            && depth < MAX_BRANCHES
            && let Some(branch) = nearest(context, error)
        {
            for error in branch {
                self.tell_at(error, depth + 1);
            }
            return;
        }
        let mut mismatch = Mismatch {
            at: self.token(error),
            keyword: known_keyword(error.kind().keyword()),
            member: None,
            schema: error.schema_path().as_str(),
        };
        match error.kind() {
            Kind::Required { property } => {
                mismatch.member = property.as_str().map(Member::Missing);
                self.raise(mismatch);
            }
            Kind::AdditionalProperties { unexpected }
            | Kind::UnevaluatedProperties { unexpected } => {
                for name in unexpected {
                    mismatch.member = self.key(mismatch.at, name);
                    self.raise(mismatch);
                }
            }
            Kind::PropertyNames { error } => {
                let name = error.instance().as_str();
                mismatch.member = name.and_then(|name| self.key(mismatch.at, name));
                self.raise(mismatch);
            }
            _ => self.raise(mismatch),
        }
    }

    fn raise(&mut self, mismatch: Mismatch<'_>) {
        if self.left > 0 {
            self.left -= 1;
            (self.each)(&mismatch);
        }
    }

    /// The token of an error: its value is the index of one.
    fn token(&self, error: &ValidationError<'_>) -> u32 {
        let index = error.instance().as_u64();
        let index = index.and_then(|index| u32::try_from(index).ok());
        let within = self.root.index()..self.root.end();
        index
            .filter(|index| within.contains(index))
            .unwrap_or(self.root.index())
    }

    fn key(&self, object: u32, name: &str) -> Option<Member<'static>> {
        let mut members = self.root.at(object).members();
        let (key, _) = members.find(|(key, _)| key.is_text(name))?;
        Some(Member::Extra(key.index()))
    }
}

/// The branch that was most likely meant: none of its marks is missed, and the fewest things are
/// wrong with it.
fn nearest<'c>(
    branches: &'c [Vec<ValidationError<'static>>],
    error: &ValidationError<'_>,
) -> Option<&'c [ValidationError<'static>]> {
    let depth = error.instance_path().segments().count();
    // A value that misses a type, literal or enum, itself or in one of its members, belongs to
    // another branch.
    let is_mark = |error: &ValidationError<'_>| {
        let here = error.instance_path().segments().count();
        let below = here.saturating_sub(depth);
        below == 0 && matches!(error.kind(), Kind::Type { .. })
            || below <= 1 && matches!(error.kind(), Kind::Constant { .. } | Kind::Enum { .. })
    };
    branches
        .iter()
        .filter(|branch| !branch.is_empty() && !branch.iter().any(is_mark))
        .min_by_key(|branch| branch.len())
        .map(Vec::as_slice)
}

/// The most helpful of the errors of a meta-schema about a schema: of alternatives the one that
/// gets furthest.
pub(super) fn deepest<'e>(error: &'e ValidationError<'e>) -> &'e ValidationError<'e> {
    let mut here = error;
    while let Kind::AnyOf { context } | Kind::OneOfNotValid { context } = here.kind() {
        let further = context
            .iter()
            .flatten()
            .map(|error| (error.instance_path().as_str().len(), error))
            .reduce(|best, next| if next.0 > best.0 { next } else { best });
        match further {
            Some((length, error)) if length > here.instance_path().as_str().len() => here = error,
            _ => break,
        }
    }
    here
}

/// A keyword outlives the schema that it stands in; one that is just `false` has none.
pub(crate) fn known_keyword(keyword: &str) -> &'static str {
    const KEYWORDS: [&str; 29] = [
        "additionalItems",
        "additionalProperties",
        "anyOf",
        "const",
        "contains",
        "contentEncoding",
        "contentMediaType",
        "enum",
        "exclusiveMaximum",
        "exclusiveMinimum",
        "format",
        "maxItems",
        "maxLength",
        "maxProperties",
        "maximum",
        "minItems",
        "minLength",
        "minProperties",
        "minimum",
        "multipleOf",
        "not",
        "oneOf",
        "pattern",
        "propertyNames",
        "required",
        "type",
        "unevaluatedItems",
        "unevaluatedProperties",
        "uniqueItems",
    ];
    KEYWORDS
        .into_iter()
        .find(|known| *known == keyword)
        .unwrap_or("false")
}

/// Whether an error reports an unmet format: meta-schemas of old dialects require formats, which
/// are checked elsewhere.
pub(super) fn is_format(error: &ValidationError<'_>) -> bool {
    matches!(error.kind(), Kind::Format { .. })
}
