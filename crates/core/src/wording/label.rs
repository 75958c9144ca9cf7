//! A few words under the offending bytes. The sentence beside them has the rest.

use super::expected::expected;
use super::{Wording, arm_elsewhere, syntax, value_elsewhere};
use crate::catalogue::{Detail, Rule, Violation, inline};
use crate::model::{Shape, ShapeId};

impl Wording<'_> {
    /// The words for a violation.
    #[must_use]
    pub fn label(self, violation: &Violation) -> String {
        let node = violation
            .token
            .map(|token| self.tape.node(self.bytes, token));
        let text = match violation.detail {
            Detail::Plain => plain(violation.rule),
            // The sentence above the message is complete.
            Detail::Text(_) | Detail::Named { .. } | Detail::Counted { .. } => "here",
            Detail::Schema { .. } => "does not fit the schema",
            Detail::Syntax(kind) => syntax::label(kind),
            Detail::Limit { .. } => "the limit is reached here",
            Detail::Repeated => "again",
            Detail::Missing { member, .. } => return format!("`{member}` belongs in here"),
            Detail::Type {
                expected: shape, ..
            }
            | Detail::Range { expected: shape } => return self.expects(shape),
            Detail::EnvelopeType { expected, .. } => return format!("expected {expected}"),
            Detail::Null => "null is not allowed here",
            Detail::Value { expected: shape } if value_elsewhere(node, shape).is_some() => {
                return self.not_here();
            }
            Detail::Value { expected: shape } if matches!(shape.get(), Some(Shape::Literal(_))) => {
                return self.expects(shape);
            }
            Detail::Value { .. } => "unknown value",
            Detail::Items { max, .. } => return format!("at most {max}"),
            Detail::Tag { union } if arm_elsewhere(node, union).is_some() => {
                return self.not_here();
            }
            Detail::Tag { .. } => "unknown kind",
            Detail::Method { elsewhere: None } => "unknown method",
            Detail::Method { elsewhere: Some(_) } => return self.not_here(),
            Detail::Direction { .. } => "wrong direction",
            Detail::Unexpected { .. } => "does not belong here",
            Detail::Revisions(_) => "a batch",
        };
        text.to_owned()
    }

    fn expects(self, shape: ShapeId) -> String {
        format!("expected {}", expected(shape, self.revision()))
    }

    fn not_here(self) -> String {
        format!("not in {}", self.revision())
    }
}

/// The words for a rule without details.
fn plain(rule: &Rule) -> &'static str {
    let labels = [
        (&inline::VERSION_MEMBER, "expected the string `2.0`"),
        (
            &inline::KNOWN_KIND,
            "has neither `method`, `result` nor `error`",
        ),
        (&inline::ID_NOT_FRACTIONAL, "expected an integer"),
        (&inline::INTEGER_PRECISION, "beyond 2^53 - 1"),
        (&inline::PAIRED_SURROGATES, "half of a pair"),
        (&inline::BATCH_NOT_EMPTY, "no message"),
        (&inline::BATCH_ONE_KIND, "of another kind than the first"),
    ];
    labels
        .into_iter()
        .find(|(known, _)| *known == rule)
        .map_or("here", |(_, label)| label)
}
