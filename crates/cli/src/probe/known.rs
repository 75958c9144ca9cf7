//! A report compared with a baseline: known, new and fixed failures.

use std::collections::BTreeSet;

use mcp_assay::Level;
use mcp_assay_probe::{Entry, Options, Report, Status};

use crate::args::ProbeArgs;
use crate::baseline::KnownFailures;
use crate::baseline::{Ledger, Standing, Tally};
use crate::exit::Exit;
use crate::output;

/// A report compared with a baseline.
pub(super) struct Known {
    baseline: KnownFailures,
    ledger: Ledger,
    /// Failures that it has: the rule, and the index of the failure.
    met: BTreeSet<(&'static str, usize)>,
}

impl Known {
    pub(super) fn new(
        args: &ProbeArgs,
        options: &Options,
        known_failures: KnownFailures,
        report: &Report,
    ) -> Self {
        let mut tally = Tally::of_server(&known_failures);
        let mut met = BTreeSet::new();
        for entry in report.failures() {
            for (index, failure) in entry.failures.iter().enumerate() {
                let method = failure.method.as_deref();
                let standing = tally.add_failure(entry.id, method, &failure.pointer, entry.level);
                if standing == Standing::Known {
                    met.insert((entry.id, index));
                }
            }
        }
        // A rule that was not tested is not fixed.
        let whole = !args.quick && args.report.revision.is_empty();
        tally.keep(|rule| {
            let tested = |entry: &Entry| matches!(entry.status, Status::Pass | Status::Fail);
            let entry = report.entries.iter().find(|entry| entry.id == rule);
            match entry {
                Some(entry) => whole && tested(entry),
                None => whole && options.wants(rule) && options.policy.selection.is_everything(),
            }
        });
        let mut ledger = Ledger::default();
        ledger.close(tally, &options.policy);
        Self {
            baseline: known_failures,
            ledger,
            met,
        }
    }

    /// Whether the baseline has a failure of a rule.
    pub(super) fn has(&self, entry: &Entry, index: usize) -> bool {
        self.met.contains(&(entry.id, index))
    }

    /// Whether the baseline has all failures of a rule.
    pub(super) fn has_all(&self, entry: &Entry) -> bool {
        !entry.failures.is_empty() && (0..entry.failures.len()).all(|index| self.has(entry, index))
    }

    /// Reports stale entries, or writes the baseline, and returns the exit code.
    pub(super) fn settle(&self, report: &Report) -> anyhow::Result<Exit> {
        let failed = match &self.baseline {
            KnownFailures::None => report.failures().any(|entry| entry.level == Level::Error),
            KnownFailures::Write(path) => {
                self.ledger.write(path)?;
                false
            }
            KnownFailures::Pass(baseline) => {
                let stale = self.ledger.stale(baseline);
                for entry in &stale {
                    output::say(&entry.to_string());
                }
                output::say(&self.ledger.summary(baseline, stale.len()));
                self.ledger.new_failures() > 0 || !stale.is_empty()
            }
        };
        Ok(if failed {
            Exit::Violations
        } else {
            Exit::Clean
        })
    }
}
