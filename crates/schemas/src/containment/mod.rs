//! Containment of JSON Schemas: does one accept everything that another accepts?
//!
//! The `jsonschema` crate decides. This module adds the values that are sent at all (`sent`) and
//! the places where the schemas differ (`locate`). If the crate cannot decide, a value may prove a
//! *no* (`witness`). Otherwise nothing is known, for example if the answer depends on whether
//! `format` is asserted.
//!
//! ```
//! use mcp_assay_schemas::containment::{Containment, Unnamed, accepts_all_of};
//! use serde_json::json;
//!
//! let (old, new) = (json!({"type": "string"}), json!({"type": "string", "maxLength": 9}));
//! let answer = accepts_all_of(&new, &old, Unnamed::Any);
//! assert_eq!(answer.containment, Containment::Refuted);
//! assert_eq!(answer.reasons[0].text, "`maxLength` does not accept everything");
//! ```

mod locate;
mod sent;
#[cfg(test)]
mod tests;
mod witness;

use jsonschema::canonical::{CanonicalSchema, Containment as Verdict, PreparedDocument, options};
use serde_json::Value;

pub use self::locate::Reason;

/// Members that a schema neither names nor forbids.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unnamed {
    /// They may be there with any value, as the specification of JSON Schema has it.
    Any,
    /// They are not sent: naming a member for the first time takes nothing away.
    NotSent,
}

/// The relation of two schemas.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Containment {
    /// One accepts everything that the other accepts.
    Proven,
    /// Some value is accepted by the other alone.
    Refuted,
    /// Neither could be shown.
    Undecided,
}

/// The relation of two schemas, and the reasons if it is not proven.
#[derive(Debug)]
#[non_exhaustive]
pub struct Answer {
    /// The relation.
    pub containment: Containment,
    /// Places in the accepting schema; empty if it is proven.
    pub reasons: Vec<Reason>,
}

/// Decides whether `wide` accepts everything that `narrow` accepts.
pub fn accepts_all_of(wide: &Value, narrow: &Value, unnamed: Unnamed) -> Answer {
    let plain = covers(wide, narrow);
    if plain == Verdict::Yes || unnamed == Unnamed::Any {
        return answer(plain, wide, narrow);
    }
    let closed = sent::without_unnamed(narrow, wide);
    match covers(wide, &closed) {
        Verdict::Yes if !sent::is_certain(narrow, wide) => Answer {
            containment: Containment::Undecided,
            reasons: vec![Reason::new(
                "",
                "which members are sent depends on several schemas",
            )],
        },
        verdict => answer(verdict, wide, &closed),
    }
}

fn answer(verdict: Verdict, wide: &Value, narrow: &Value) -> Answer {
    let reasons = match verdict {
        Verdict::Yes => Vec::new(),
        verdict => locate::reasons(verdict, wide, narrow),
    };
    Answer {
        containment: verdict.into(),
        reasons,
    }
}

fn covers(wide: &Value, narrow: &Value) -> Verdict {
    let readings = (Reading::of(wide), Reading::of(narrow));
    let (Some(wide_reading), Some(narrow_reading)) = readings else {
        return Verdict::Unknown;
    };
    match wide_reading.covers(&narrow_reading, "", "") {
        Verdict::Unknown if witness::find(wide, narrow).is_some() => Verdict::No,
        verdict => verdict,
    }
}

impl From<Verdict> for Containment {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Yes => Self::Proven,
            Verdict::No => Self::Refuted,
            Verdict::Unknown => Self::Undecided,
        }
    }
}

/// A schema with `format` as an annotation and as an assertion: receivers differ in that.
struct Reading<'v>([PreparedDocument<'v>; 2]);

impl<'v> Reading<'v> {
    /// `None` if it is not a schema, or refers to others.
    fn of(schema: &'v Value) -> Option<Self> {
        let read = |asserts_formats| {
            let options = options().offline().should_validate_formats(asserts_formats);
            options.prepare(schema).ok()
        };
        Some(Self([read(false)?, read(true)?]))
    }

    /// Whether the schema at `at` accepts everything that the one of `narrow` at `narrow_at`
    /// accepts.
    fn covers(&self, narrow: &Self, at: &str, narrow_at: &str) -> Verdict {
        let [annotated, asserted] = [0, 1].map(|reading| {
            let part = |document: &PreparedDocument<'_>, at| -> Option<CanonicalSchema> {
                document.canonicalize_at(at).ok()
            };
            let wide = part(&self.0[reading], at)?;
            wide.covers(&part(&narrow.0[reading], narrow_at)?).ok()
        });
        match (annotated, asserted) {
            (Some(annotated), Some(asserted)) if annotated == asserted => annotated,
            _ => Verdict::Unknown,
        }
    }
}
