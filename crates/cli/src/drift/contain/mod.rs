//! Whether one JSON Schema accepts everything that another accepts.
//!
//! The `jsonschema` crate decides; this module says which values are sent at all (`sent`) and where the schemas differ (`locate`).
//! Where the crate does not know, a value may prove a *no* (`witness`); else nothing is known, as where it depends on whether
//! `format` is asserted.

mod locate;
mod sent;
#[cfg(test)]
mod tests;
mod witness;

use jsonschema::canonical::{CanonicalSchema, Containment, PreparedDocument, options};
use serde_json::Value;

pub(super) use self::locate::Reason;

/// Members that a schema neither names nor forbids.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Unnamed {
    /// They may be there with any value, as the specification of JSON Schema has it.
    Any,
    /// Nobody sends them: a member that is named for the first time takes nothing away.
    NotSent,
}

/// Whether the one accepts everything that the other accepts, and the reasons if it does not or nobody can tell.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) verdict: Containment,
    pub(super) reasons: Vec<Reason>,
}

/// Whether `wide` accepts everything that `narrow` accepts.
pub(super) fn accepts_all_of(wide: &Value, narrow: &Value, unnamed: Unnamed) -> Answer {
    let plain = covers(wide, narrow);
    if plain == Containment::Yes || unnamed == Unnamed::Any {
        return answer(plain, wide, narrow);
    }
    let closed = sent::without_unnamed(narrow, wide);
    match covers(wide, &closed) {
        Containment::Yes if !sent::is_certain(narrow, wide) => Answer {
            verdict: Containment::Unknown,
            reasons: vec![Reason::new(
                "",
                "which members are sent depends on several schemas",
            )],
        },
        verdict => answer(verdict, wide, &closed),
    }
}

fn answer(verdict: Containment, wide: &Value, narrow: &Value) -> Answer {
    let reasons = match verdict {
        Containment::Yes => Vec::new(),
        verdict => locate::reasons(verdict, wide, narrow),
    };
    Answer { verdict, reasons }
}

fn covers(wide: &Value, narrow: &Value) -> Containment {
    let readings = (Reading::of(wide), Reading::of(narrow));
    let (Some(wide_reading), Some(narrow_reading)) = readings else {
        return Containment::Unknown;
    };
    match wide_reading.covers(&narrow_reading, "", "") {
        Containment::Unknown if witness::find(wide, narrow).is_some() => Containment::No,
        verdict => verdict,
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

    /// Whether the schema at `at` accepts everything that the one of `narrow` at `narrow_at` accepts.
    fn covers(&self, narrow: &Self, at: &str, narrow_at: &str) -> Containment {
        let [annotated, asserted] = [0, 1].map(|reading| {
            let part = |document: &PreparedDocument<'_>, at| -> Option<CanonicalSchema> {
                document.canonicalize_at(at).ok()
            };
            let wide = part(&self.0[reading], at)?;
            wide.covers(&part(&narrow.0[reading], narrow_at)?).ok()
        });
        match (annotated, asserted) {
            (Some(annotated), Some(asserted)) if annotated == asserted => annotated,
            _ => Containment::Unknown,
        }
    }
}
