//! Searches for a counterexample: a value that one schema accepts and another refuses.
//!
//! Values are made from the keywords of both schemas: at and next to limits, from patterns, with
//! and without each member, with items that repeat. Each is checked by validators of both schemas,
//! so a value that is found is a proof; finding none proves nothing. The search draws no random
//! numbers, and its work is bounded: schemas come from strangers.

mod arrays;
mod atoms;
mod objects;
mod patterns;
mod place;
mod side;

use std::collections::HashSet;

use serde_json::{Value, json};

use self::place::{Force, Owner, Place, Sides};
use self::side::Side;

/// Depth of the values that are made.
const MAX_DEPTH: usize = 6;
/// Values within one value.
const MAX_SIZE: usize = 1000;
/// Values of one place that are used for the place above it.
const MAX_KEPT: usize = 24;

/// The work that a search may do.
#[derive(Clone, Copy, Debug)]
pub(super) enum Effort {
    /// To decide what nothing else could.
    Full,
    /// To doubt a proof.
    Small,
}

impl Effort {
    fn checks(self) -> usize {
        match self {
            Self::Full => 60_000,
            Self::Small => 3_000,
        }
    }
}

/// A value that `narrow` accepts and `wide` refuses, whether `format` is asserted or not.
pub(super) fn find(wide: &Value, narrow: &Value, effort: Effort) -> Option<Value> {
    // A refusal may not depend on formats, nor may an acceptance.
    let sides = Sides {
        narrow: Side::new(narrow, true)?,
        wide: Side::new(wide, false)?,
    };
    let mut search = Search {
        sides,
        part_checks: effort.checks(),
        root_checks: effort.checks(),
        places: match effort {
            Effort::Full => 300,
            Effort::Small => 40,
        },
    };
    let root = search.sides.root();
    let found = search.values(&root, 0).refused.into_iter();
    found
        .take(MAX_KEPT)
        .find(|it| search.sides.narrow.accepts(it) && search.sides.wide.refuses(it))
}

/// Values of one place that the narrow schema may accept there.
#[derive(Clone, Default, Debug)]
struct Values {
    /// Those that the wide schema refuses.
    refused: Vec<Value>,
    accepted: Vec<Value>,
}

impl Values {
    /// All of them, by turns: one that may lead to a counterexample, one that may be needed.
    fn iter(&self) -> impl Iterator<Item = &Value> {
        let longest = self.refused.len().max(self.accepted.len());
        (0..longest).flat_map(|turn| {
            let pair = [self.refused.get(turn), self.accepted.get(turn)];
            pair.into_iter().flatten()
        })
    }

    /// A value for a place that does not matter.
    fn plain(&self) -> Option<&Value> {
        self.accepted.first().or(self.refused.first())
    }

    fn is_enough(&self) -> bool {
        self.refused.len() >= MAX_KEPT && self.accepted.len() >= MAX_KEPT
    }
}

struct Search<'v> {
    sides: Sides<'v>,
    /// Checks of values that are left, in units of their sizes: for parts, and for whole values.
    part_checks: usize,
    root_checks: usize,
    /// Places that may still be looked into.
    places: usize,
}

/// Collects the values of one place.
struct Sieve<'p> {
    place: &'p Place,
    known: HashSet<String>,
    values: Values,
    is_root: bool,
}

impl Search<'_> {
    /// Values of a place.
    fn values(&mut self, place: &Place, depth: usize) -> Values {
        let mut sieve = Sieve {
            place,
            known: HashSet::new(),
            values: Values::default(),
            is_root: depth == 0,
        };
        let keywords = self.sides.all_keywords(place);
        for value in atoms::listed(&keywords) {
            self.offer(&mut sieve, value);
        }
        for value in [json!(null), json!(true), json!(false), json!([]), json!({})] {
            self.offer(&mut sieve, value);
        }
        if mentions(
            &keywords,
            &["string"],
            &["minLength", "maxLength", "pattern", "format"],
        ) {
            for text in atoms::strings(&keywords) {
                self.offer(&mut sieve, Value::from(text));
            }
        }
        if mentions(&keywords, &["number", "integer"], &NUMERIC) {
            for number in atoms::numbers(&keywords) {
                self.offer(&mut sieve, number);
            }
        }
        for value in [
            json!("a"),
            json!("b"),
            json!(1),
            json!(2),
            json!(0.5),
            json!([1]),
            json!({"a": 1}),
        ] {
            self.offer(&mut sieve, value);
        }
        if depth < MAX_DEPTH && self.places > 0 {
            self.places -= 1;
            if mentions(&keywords, &["object"], &OBJECTS) {
                self.objects(&mut sieve, depth);
            }
            if mentions(&keywords, &["array"], &ARRAYS) {
                self.arrays(&mut sieve, depth);
            }
        }
        sieve.values
    }

    fn checks(&mut self, sieve: &Sieve<'_>) -> &mut usize {
        if sieve.is_root {
            &mut self.root_checks
        } else {
            &mut self.part_checks
        }
    }

    /// Checks a value of a place and keeps it if the narrow schema may accept it.
    fn offer(&mut self, sieve: &mut Sieve<'_>, value: Value) {
        let size = size(&value);
        if size > MAX_SIZE {
            return;
        }
        let checks = self.checks(sieve);
        if *checks < size || sieve.is_over() {
            *checks = if *checks < size { 0 } else { *checks };
            return;
        }
        if !sieve.known.insert(value.to_string()) {
            return;
        }
        *checks -= size;
        let mut is_refused = false;
        for part in sieve
            .place
            .own
            .iter()
            .filter(|it| it.force == Force::Binding)
        {
            let document = self.sides.of(part.owner);
            match (part.owner, document.part_accepts(&part.pointer, &value)) {
                (Owner::Narrow, Some(false)) => return,
                (Owner::Wide, Some(false)) => is_refused = true,
                _ => {}
            }
        }
        let kept = if is_refused {
            &mut sieve.values.refused
        } else {
            &mut sieve.values.accepted
        };
        if kept.len() < MAX_KEPT {
            kept.push(value);
        }
    }
}

impl Sieve<'_> {
    /// Whether further values would not be kept, or not be needed.
    fn is_over(&self) -> bool {
        if self.is_root {
            self.values.refused.len() >= 4
        } else {
            self.values.is_enough()
        }
    }
}

const NUMERIC: [&str; 5] = [
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
];
const OBJECTS: [&str; 10] = [
    "properties",
    "patternProperties",
    "additionalProperties",
    "unevaluatedProperties",
    "propertyNames",
    "required",
    "minProperties",
    "maxProperties",
    "dependentRequired",
    "dependencies",
];
const ARRAYS: [&str; 8] = [
    "items",
    "prefixItems",
    "contains",
    "minItems",
    "maxItems",
    "uniqueItems",
    "additionalItems",
    "unevaluatedItems",
];

/// Whether schemas concern values of a type: they name it, or have a keyword for it.
fn mentions(
    schemas: &[&serde_json::Map<String, Value>],
    types: &[&str],
    keywords: &[&str],
) -> bool {
    let names = |value: &Value| match value {
        Value::Array(names) => names.iter().any(|it| types.iter().any(|name| it == name)),
        name => types.iter().any(|it| name == it),
    };
    schemas.iter().any(|schema| {
        schema.get("type").is_some_and(names) || keywords.iter().any(|it| schema.contains_key(*it))
    })
}

/// The number of values in a value, at least 1.
fn size(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(size).sum::<usize>(),
        Value::Object(members) => 1 + members.values().map(size).sum::<usize>(),
        Value::String(text) => 1 + text.len() / 64,
        _ => 1,
    }
}
