//! A checker for each source: the usual one, or one under the policy that the configuration has for
//! the file.

use super::failure::Failure;
use super::report::Report;
use super::source::Checker;
use crate::config::Settings;
use crate::input::{Meter, Source};

/// Checks sources one after the other, each under its own policy.
pub(super) struct Checkers<'s> {
    settings: &'s Settings,
    usual: Checker<'s>,
    /// The last one that was not usual, with its settings: files of one folder come together.
    special: Option<(&'s Settings, Checker<'s>)>,
}

impl<'s> Checkers<'s> {
    pub(super) fn new(settings: &'s Settings) -> Self {
        Self {
            settings,
            usual: Checker::new(settings),
            special: None,
        }
    }

    /// Checks a source. Findings before a failure are in the report.
    pub(super) fn check(
        &mut self,
        source: &Source,
        meter: &Meter,
        report: &mut Report<'_>,
    ) -> Result<(), Failure> {
        report.begin(source);
        let result = self.check_messages(source, meter, report);
        let failure = match &result {
            Ok(()) => None,
            Err(Failure::Read(error)) => Some(error.to_string()),
            Err(Failure::Write(_)) => return result,
        };
        let written = report.end(&source.name(), failure.as_deref());
        result.and(written.map_err(Failure::Write))
    }

    fn check_messages(
        &mut self,
        source: &Source,
        meter: &Meter,
        report: &mut Report<'_>,
    ) -> Result<(), Failure> {
        let settings = self.settings.of_source(source);
        if std::ptr::eq(settings, self.settings) {
            return self.usual.check(source, meter, report);
        }
        let (_, checker) = match self.special.take() {
            Some((same, checker)) if std::ptr::eq(same, settings) => {
                self.special.insert((same, checker))
            }
            _ => self.special.insert((settings, Checker::new(settings))),
        };
        checker.check(source, meter, report)
    }
}
