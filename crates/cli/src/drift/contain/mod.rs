//! Whether one JSON Schema accepts everything that another accepts.
//!
//! The question has three answers. *Yes* and *no* are claimed only where the common keywords decide it; a keyword that is not modelled
//! here gives *unknown*, unless both schemas have it alike. Schemas are taken to accept something at all.
//!
//! The `jsonschema` crate can answer for more schemas, but that part of it would make the program larger by 0.7 MB. The tests hold
//! the two against each other.

mod answer;
mod compare;
mod document;
mod narrow;
mod objects;
mod scalars;
#[cfg(test)]
mod tests;
mod types;
mod values;

use serde_json::Value;

pub(super) use self::answer::Answer;
use self::compare::Comparison;
use self::document::Document;
use self::narrow::Narrow;

/// What is said of members that a schema neither names nor forbids.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Unnamed {
    /// They may be there with any value, as the specification of JSON Schema has it.
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "the oracle of the tests sees it so")
    )]
    Any,
    /// Nobody sends them: a member that is named for the first time takes nothing away.
    NotSent,
}

/// Whether `wide` accepts everything that `narrow` accepts.
pub(super) fn accepts_all_of(wide: &Value, narrow: &Value, unnamed: Unnamed) -> Answer {
    let (wide_document, narrow_document) = (Document::new(wide), Document::new(narrow));
    if !wide_document.is_plain() || !narrow_document.is_plain() {
        return Answer::unknown("", "references beyond `#/…` cannot be followed");
    }
    let mut comparison = Comparison::new(&wide_document, &narrow_document, unnamed);
    let Some(narrow) = Narrow::of(narrow, &narrow_document) else {
        return Answer::unknown("", "a reference leads nowhere");
    };
    comparison.covers(wide, &narrow, "")
}
