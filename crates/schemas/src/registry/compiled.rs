//! A compiled schema, and checks of values against it.

use core::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;

use jsonschema::Validator;
use mcp_assay_json::{Node, ScanLimits, Tape, scan};

use super::cache::Key;
use super::dialect::Dialect;
use super::fingerprint::Fingerprint;
use super::limits::SchemaLimits;
use super::meter::{Meter, Prices};
use super::metered::{MeteredJson, MeteredNode};
use super::mismatch::{Mismatch, Teller};
use super::simple::Simple;

/// Steps that a token of the value pays for, beyond those that every check has.
const STEPS_PER_TOKEN: u64 = 16;

/// Steps that each byte pays for.
const STEPS_PER_BYTE: u64 = 1;

/// A schema that can check values from any thread. `format` and the content keywords are
/// annotations.
pub struct Compiled {
    validator: Validator<MeteredJson>,
    /// Accepts many values at once.
    simple: Option<Simple>,
    /// Whether it accepts an object without members, once that was checked.
    accepts_nothing: OnceLock<bool>,
    fingerprint: Fingerprint,
    dialect: Dialect,
    unchecked: Vec<String>,
    prices: Prices,
    steps: u64,
    mismatches: usize,
    size: usize,
}

/// The result of checking a value against a schema.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fit {
    /// The schema accepts the value.
    Fits,
    /// The schema does not accept the value.
    Misfits,
    /// The answer costs more than the limit allows.
    Undecided,
}

impl Compiled {
    pub(super) fn new(
        validator: Validator<MeteredJson>,
        fingerprint: Fingerprint,
        dialect: Dialect,
        unchecked: Vec<String>,
        prices: Prices,
        limits: &SchemaLimits,
        size: usize,
    ) -> Self {
        Self {
            validator,
            simple: None,
            accepts_nothing: OnceLock::new(),
            fingerprint,
            dialect,
            unchecked,
            prices,
            steps: limits.steps,
            mismatches: limits.mismatches,
            size,
        }
    }

    /// The same, with a fast path for acceptance.
    pub(super) fn with_simple(self, simple: Option<Simple>) -> Self {
        Self { simple, ..self }
    }

    /// The fingerprint of the schema.
    #[must_use]
    pub fn fingerprint(&self) -> Fingerprint {
        self.fingerprint
    }

    /// The dialect of the schema.
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// The parts that are not checked, as JSON Pointers within the schema: patterns that cannot be
    /// run in linear time (look-around, back-references, very large ones), and the keywords that
    /// depend on them.
    #[must_use]
    pub fn unchecked(&self) -> &[String] {
        &self.unchecked
    }

    /// Whether the schema accepts a value, as far as can be told.
    #[must_use]
    pub fn accepts(&self, value: Node<'_>) -> bool {
        self.judge(value) != Fit::Misfits
    }

    /// Whether the schema accepts an object without members, as far as can be told.
    #[must_use]
    pub fn accepts_nothing(&self) -> bool {
        *self.accepts_nothing.get_or_init(|| {
            let mut tape = Tape::new();
            let scanned = scan(b"{}", &ScanLimits::DEFAULT, &mut tape);
            let root = scanned.ok().and_then(|()| tape.root(b"{}"));
            root.is_none_or(|root| self.accepts(root))
        })
    }

    /// Checks a value against the schema. Allocates nothing unless the schema is recursive or
    /// compares whole values.
    #[must_use]
    pub fn judge(&self, value: Node<'_>) -> Fit {
        let simple = self.simple.as_ref();
        if simple.is_some_and(|simple| simple.surely_accepts(value)) {
            return Fit::Fits;
        }
        self.judge_fully(value)
    }

    /// The same by the validator alone.
    #[inline(never)]
    fn judge_fully(&self, value: Node<'_>) -> Fit {
        let meter = self.meter(value);
        let instance = MeteredNode::Token(value, &meter);
        let accepted = guarded(|| self.validator.is_valid(instance));
        match accepted {
            Some(true) if !meter.is_spent() => Fit::Fits,
            Some(false) if !meter.is_spent() => Fit::Misfits,
            _ => Fit::Undecided,
        }
    }

    /// The same; reports each mismatch, up to the limit.
    pub fn check(&self, value: Node<'_>, each: &mut dyn FnMut(&Mismatch<'_>)) -> Fit {
        let fit = self.judge(value);
        if fit == Fit::Misfits {
            let mut teller = Teller {
                root: value,
                left: self.mismatches,
                each,
            };
            self.explain(value, &mut teller);
        }
        fit
    }

    /// The key of its cache entry.
    pub(super) fn key(&self) -> Key {
        (self.fingerprint, self.dialect)
    }

    /// The estimated bytes.
    pub(super) fn size(&self) -> usize {
        self.size
    }

    /// Reports all mismatches if that is not too much, else the first, else that there are some.
    fn explain(&self, value: Node<'_>, teller: &mut Teller<'_, '_>) {
        let meter = self.meter(value);
        let instance = MeteredNode::Token(value, &meter);
        let errors = guarded(|| self.validator.iter_errors(instance).into_errors());
        if let Some(errors) = errors.filter(|errors| !meter.is_spent() && !errors.is_empty()) {
            errors.iter().for_each(|error| teller.tell(error));
            return;
        }
        let meter = self.meter(value);
        let instance = MeteredNode::Token(value, &meter);
        match guarded(|| self.validator.validate(instance)) {
            Some(Err(error)) if !meter.is_spent() => teller.tell(&error),
            _ => teller.tell_root(),
        }
    }

    fn meter(&self, value: Node<'_>) -> Meter {
        let tokens = u64::from(value.end() - value.index());
        let bytes = value.raw().len() as u64;
        let steps = self
            .steps
            .saturating_add(tokens.saturating_mul(STEPS_PER_TOKEN))
            .saturating_add(bytes.saturating_mul(STEPS_PER_BYTE));
        Meter::new(steps, self.prices)
    }
}

impl fmt::Debug for Compiled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Compiled")
            .field("fingerprint", &self.fingerprint)
            .field("dialect", &self.dialect)
            .finish_non_exhaustive()
    }
}

/// `None` if the crate below fails: a mistake there must not end the program.
fn guarded<T>(check: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(check)).ok()
}
