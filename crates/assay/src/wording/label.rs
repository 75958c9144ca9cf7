//! A few words under the offending bytes. The sentence beside them says the rest.

use super::Wording;
use super::expected::expected;
use super::syntax;
use crate::violation::{Detail, Violation};

impl Wording<'_> {
    /// What to see in the offending bytes.
    pub(crate) fn label(self, violation: &Violation) -> String {
        let text = match violation.detail {
            Detail::Plain => "here",
            Detail::Schema { .. } => "does not fit the schema",
            Detail::Syntax(kind) => syntax::label(kind),
            Detail::Limit { .. } => "the limit is reached here",
            Detail::Repeated => "again",
            Detail::Missing { member, .. } => return format!("`{member}` belongs in here"),
            Detail::Type { expected: shape, .. } | Detail::Range { expected: shape } => {
                return format!("expected {}", expected(shape, self.revision()));
            }
            Detail::EnvelopeType { expected, .. } => return format!("expected {expected}"),
            Detail::Null => "null is not allowed here",
            Detail::Value { .. } => "unknown value",
            Detail::Items { max, .. } => return format!("at most {max}"),
            Detail::Tag { .. } => "unknown kind",
            Detail::Method { elsewhere: None } => "unknown method",
            Detail::Method { elsewhere: Some(_) } => return format!("not in {}", self.revision()),
            Detail::Direction { .. } => "wrong direction",
            Detail::Unexpected { .. } => "does not belong here",
            Detail::Revisions(_) => "a batch",
        };
        text.to_owned()
    }
}
