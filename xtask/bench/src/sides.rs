//! The sides of the comparison: passes over an entry, each by one way of checking.

use std::hint::black_box;

use anyhow::{Result, ensure};
use assay_bench::corpus::{Class, Entry, Message};
use assay_bench::ours::Ours;
use jsonschema::Validator;

use crate::baseline::{self, Baseline};

/// A way of checking.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Side {
    /// mcp-assay: the verdict, or with faults their full text.
    Ours,
    /// mcp-assay's scanner alone.
    Syntax,
    /// `serde_json` and `jsonschema`.
    Baseline,
    /// mcp-assay with every rule.
    Rules,
}

impl Side {
    pub(crate) const ALL: [Self; 4] = [Self::Ours, Self::Syntax, Self::Baseline, Self::Rules];
}

/// An entry and everything needed to check it again and again.
pub(crate) struct Subject<'a> {
    pub(crate) entry: &'a Entry,
    validators: Vec<&'a Validator>,
    ours: Ours,
}

impl<'a> Subject<'a> {
    /// Prepares an entry; fails if either side takes a valid message for an invalid one, or the
    /// reverse.
    pub(crate) fn new(entry: &'a Entry, baseline: &'a Baseline) -> Result<Self> {
        let validators = baseline.validators(entry);
        let mut subject = Self {
            entry,
            validators,
            ours: Ours::default(),
        };
        let valid = entry.class != Class::Invalid;
        for (message, validator) in entry.messages.iter().zip(&subject.validators) {
            let text = || {
                String::from_utf8_lossy(&message.bytes[..message.bytes.len().min(300)]).into_owned()
            };
            ensure!(
                baseline::accepts(validator, &message.bytes) == valid,
                "the baseline errs about {}",
                text()
            );
            let sentences = subject.ours.sentences(message);
            ensure!(
                sentences.is_empty() == valid,
                "mcp-assay errs about {}: {sentences:?}",
                text()
            );
            let sentences = subject.ours.sentences_by_all_rules(message);
            ensure!(
                sentences.is_empty() == valid,
                "by all rules, mcp-assay errs about {}: {sentences:?}",
                text()
            );
        }
        Ok(subject)
    }

    /// Runs `passes` passes over the entry; each pass over the mix is a session of its own, and
    /// each at first sight has a validator of its own. One loop for each side: a choice inside it
    /// would count for both.
    #[inline(never)]
    pub(crate) fn run(&mut self, side: Side, passes: usize) {
        let Self {
            entry,
            validators,
            ours,
        } = self;
        let pairs = || entry.messages.iter().zip(validators.iter());
        match (side, entry.class) {
            (Side::Rules, Class::Mix) => {
                for _ in 0..passes {
                    ours.begin();
                    repeat(1, pairs, |message, _| ours.accepts_by_all_rules(message));
                }
            }
            (Side::Ours, Class::Mix) => {
                for _ in 0..passes {
                    ours.begin();
                    repeat(1, pairs, |message, _| ours.accepts(message));
                }
            }
            (Side::Rules, Class::FirstSight) => {
                for _ in 0..passes {
                    *ours = Ours::default();
                    repeat(1, pairs, |message, _| ours.accepts_by_all_rules(message));
                }
            }
            (Side::Ours, Class::FirstSight) => {
                for _ in 0..passes {
                    *ours = Ours::default();
                    repeat(1, pairs, |message, _| ours.accepts(message));
                }
            }
            (Side::Rules, _) => {
                repeat(passes, pairs, |message, _| {
                    ours.accepts_by_all_rules(message)
                });
            }
            (Side::Syntax, _) => repeat(passes, pairs, |message, _| ours.scans(message)),
            (Side::Ours, Class::Invalid) => {
                repeat(passes, pairs, |message, _| ours.explain(message));
            }
            (Side::Ours, _) => repeat(passes, pairs, |message, _| ours.accepts(message)),
            (Side::Baseline, Class::Invalid) => {
                repeat(passes, pairs, |message, validator| {
                    baseline::explain(validator, &message.bytes)
                });
            }
            (Side::Baseline, _) => {
                repeat(passes, pairs, |message, validator| {
                    baseline::accepts(validator, &message.bytes)
                });
            }
        }
    }
}

#[inline]
fn repeat<'p, P, T>(
    passes: usize,
    pairs: impl Fn() -> P,
    mut check: impl FnMut(&Message, &Validator) -> T,
) where
    P: Iterator<Item = (&'p Message, &'p &'p Validator)>,
{
    for _ in 0..passes {
        for (message, validator) in pairs() {
            black_box(check(black_box(message), validator));
        }
    }
}

#[cfg(test)]
mod tests {
    use assay_bench::corpus;

    use super::*;

    #[test]
    fn both_sides_judge_the_corpus_alike() {
        let entries = [corpus::valid(), corpus::invalid()].concat();
        let baseline = Baseline::compile(&entries).expect("the definitions compile");
        for entry in &entries {
            if let Err(error) = Subject::new(entry, &baseline) {
                panic!("{}: {error}", entry.name);
            }
        }
    }
}
