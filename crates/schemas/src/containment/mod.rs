//! Containment of JSON Schemas: does one accept everything that another accepts?
//!
//! The `jsonschema` crate decides. This module adds the values that are sent at all (`sent`), the
//! places where the schemas differ (`locate`) and a value that shows it (`counterexample`). Such a
//! value proves a *no* if the crate cannot decide, and refutes a wrong *yes*. Otherwise nothing is
//! known, for example if the answer depends on whether `format` is asserted.
//!
//! ```
//! use mcp_assay_schemas::containment::{Containment, Unnamed, accepts_all_of};
//! use serde_json::json;
//!
//! let (old, new) = (json!({"type": "string"}), json!({"type": "string", "maxLength": 9}));
//! let answer = accepts_all_of(&new, &old, Unnamed::Any);
//! assert_eq!(answer.containment, Containment::Refuted);
//! assert_eq!(answer.reasons[0].text, "`maxLength` does not accept everything");
//! assert_eq!(answer.counterexample, Some(json!("Aa1!Aa1!Aa1!")));
//! ```

mod counterexample;
mod locate;
mod sent;
#[cfg(test)]
mod tests;

use jsonschema::canonical::{CanonicalSchema, Containment as Verdict, PreparedDocument, options};
use serde_json::Value;

use self::counterexample::Effort;
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
    /// A value that the other schema accepts and this one refuses, if it is refuted and one was
    /// found.
    pub counterexample: Option<Value>,
}

/// Decides whether `wide` accepts everything that `narrow` accepts.
pub fn accepts_all_of(wide: &Value, narrow: &Value, unnamed: Unnamed) -> Answer {
    let plain = covers(wide, narrow);
    if plain.verdict == Verdict::Yes || unnamed == Unnamed::Any {
        return plain.answer(wide, narrow);
    }
    let closed = sent::without_unnamed(narrow, wide);
    let found = covers(wide, &closed);
    if found.verdict == Verdict::Yes && !sent::is_certain(narrow) {
        let text = "which members are sent depends on several schemas";
        return Answer {
            containment: Containment::Undecided,
            reasons: vec![Reason::new("", text)],
            counterexample: None,
        };
    }
    found.answer(wide, &closed)
}

/// A verdict, and a value that shows a *no*.
struct Found {
    verdict: Verdict,
    counterexample: Option<Value>,
}

impl Found {
    fn answer(self, wide: &Value, narrow: &Value) -> Answer {
        let reasons = match (self.verdict, &self.counterexample) {
            (Verdict::Yes, _) => Vec::new(),
            (verdict, example) => locate::reasons(verdict, wide, narrow, example.as_ref()),
        };
        Answer {
            containment: self.verdict.into(),
            reasons,
            counterexample: self.counterexample,
        }
    }
}

fn covers(wide: &Value, narrow: &Value) -> Found {
    let readings = (Reading::of(wide), Reading::of(narrow));
    let verdict = match &readings {
        (Some(wide), Some(narrow)) => wide.covers(narrow, "", ""),
        _ => Verdict::Unknown,
    };
    let effort = match verdict {
        // The same schema, or one without conditions, cannot be doubted.
        Verdict::Yes if wide == narrow || *wide == Value::Bool(true) => {
            return Found {
                verdict,
                counterexample: None,
            };
        }
        Verdict::Yes => Effort::Small,
        Verdict::No | Verdict::Unknown => Effort::Full,
    };
    let counterexample = counterexample::find(wide, narrow, effort);
    Found {
        verdict: if counterexample.is_some() {
            Verdict::No
        } else {
            verdict
        },
        counterexample,
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

/// Bounds of the schemas that the crate reads: the time it takes grows with their cube.
const MAX_MEMBERS: usize = 250;
const MAX_NODES: usize = 20_000;

/// Whether no object or array of a document is too large, nor the document. Depth is bounded by
/// that of the parser.
fn is_small(value: &Value, nodes: &mut usize) -> bool {
    *nodes = nodes.saturating_sub(1);
    *nodes > 0
        && match value {
            Value::Array(items) => {
                items.len() <= MAX_MEMBERS && items.iter().all(|it| is_small(it, nodes))
            }
            Value::Object(members) => {
                members.len() <= MAX_MEMBERS && members.values().all(|it| is_small(it, nodes))
            }
            _ => true,
        }
}

/// A schema with `format` as an annotation and as an assertion: receivers differ in that.
struct Reading<'v>([PreparedDocument<'v>; 2]);

impl<'v> Reading<'v> {
    /// `None` if it is not a schema, refers to others, or would take too long.
    fn of(schema: &'v Value) -> Option<Self> {
        if !is_small(schema, &mut { MAX_NODES }) {
            return None;
        }
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
