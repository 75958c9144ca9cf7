//! The goals, and whether they are met.

use assay_bench::corpus::Class;
use serde_json::{Value, json};

/// A figure and its goal.
pub(crate) struct Bar {
    pub(crate) name: String,
    pub(crate) found: f64,
    pub(crate) must: Goal,
    pub(crate) aim: Option<f64>,
}

/// The range of a figure.
#[derive(Clone, Copy)]
pub(crate) enum Goal {
    AtLeast(f64),
    AtMost(f64),
    Below(f64),
}

/// The limit of instructions of a check by all rules, as a multiple of a check up to the schema, on
/// the mix.
pub(crate) const ALL_RULES: f64 = 1.5;

/// The same for a list of tools that no session has seen.
pub(crate) const ALL_RULES_AT_FIRST_SIGHT: f64 = 2.0;

/// The speed of a class as a multiple of the baseline: required and desired.
pub(crate) fn speed(class: Class) -> Option<(f64, f64)> {
    match class {
        Class::Small => Some((7.0, 10.0)),
        Class::Medium => Some((10.0, 14.0)),
        Class::Large => Some((5.0, 5.5)),
        Class::Mix => Some((8.0, 12.0)),
        Class::FirstSight | Class::Invalid => None,
    }
}

/// The reduction of instructions of a class, as a multiple of the baseline.
pub(crate) fn instructions(class: Class) -> Option<f64> {
    match class {
        Class::Small | Class::Medium | Class::Large => Some(6.0),
        Class::Mix => Some(7.0),
        Class::FirstSight | Class::Invalid => None,
    }
}

/// The slowdown of full diagnostics, as a multiple of the baseline.
pub(crate) const DIAGNOSTICS: f64 = 1.2;

impl Bar {
    pub(crate) fn new(name: impl Into<String>, found: f64, must: Goal) -> Self {
        Self {
            name: name.into(),
            found,
            must,
            aim: None,
        }
    }

    pub(crate) fn aiming_at(self, aim: f64) -> Self {
        Self {
            aim: Some(aim),
            ..self
        }
    }

    pub(crate) fn passes(&self) -> bool {
        match self.must {
            Goal::AtLeast(bound) => self.found >= bound,
            Goal::AtMost(bound) => self.found <= bound,
            Goal::Below(bound) => self.found < bound,
        }
    }

    pub(crate) fn to_json(&self) -> Value {
        let (sense, bound) = self.must.parts();
        json!({"name": self.name, "found": self.found, "sense": sense, "must": bound, "aim": self.aim, "pass": self.passes()})
    }
}

impl Goal {
    fn parts(self) -> (&'static str, f64) {
        match self {
            Self::AtLeast(bound) => (">=", bound),
            Self::AtMost(bound) => ("<=", bound),
            Self::Below(bound) => ("<", bound),
        }
    }
}

/// Prints the goals as a table.
pub(crate) fn print(bars: &[Bar]) {
    println!("{:<54} {:>7}  {:<7} {:>6}", "goal", "found", "must", "aim");
    for bar in bars {
        let (sense, bound) = bar.must.parts();
        let must = format!("{sense} {bound}");
        let aim = bar.aim.map_or(String::new(), |aim| aim.to_string());
        let verdict = if bar.passes() { "PASS" } else { "FAIL" };
        println!(
            "{:<54} {:>7.2}  {must:<7} {aim:>6}  {verdict}",
            bar.name, bar.found
        );
    }
}
