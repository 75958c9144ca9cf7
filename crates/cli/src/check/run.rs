//! A whole run: from arguments to the exit code.

use std::io::{BufWriter, Write};
use std::thread;

use anyhow::Context;
use mcp_assay_report::{Reporter, Totals};

use super::ordered;
use super::progress::Progress;
use super::report::Report;
use super::screen::{Screen, complain};
use super::source::{Checker, Failure};
use crate::config::{OnViolations, Settings};
use crate::exit::Exit;
use crate::input::{Meter, Source};
use crate::output;

/// Checks sources and reports in their order. What could not be found was an error before; the rest is still checked.
pub(crate) fn run(
    settings: &Settings,
    sources: Vec<anyhow::Result<Source>>,
) -> anyhow::Result<Exit> {
    let reporter = settings.format.reporter(settings.style);
    let out = output::open(settings.output.as_deref())?;
    let progress = Progress::default();
    let meter = Meter::default();
    let mut result = Run {
        progress: &progress,
        totals: Totals::default(),
        incomplete: false,
        unwritten: None,
    };
    let mut known = Vec::with_capacity(sources.len());
    for source in sources {
        match source {
            Ok(source) => known.push(source),
            Err(error) => result.fail(&error),
        }
    }
    let mut out = BufWriter::with_capacity(64 << 10, Screen::new(out, &progress));
    thread::scope(|scope| {
        let total = known.iter().map(Source::size).sum();
        progress.watch(scope, &meter, total);
        let written = result.check_all(settings, &*reporter, &known, &meter, &mut out);
        progress.end();
        written
    })?;
    reporter
        .finish(&result.totals, &mut out)
        .and_then(|()| out.flush())
        .context(UNWRITTEN)?;
    Ok(result.exit(settings))
}

const UNWRITTEN: &str = "failed to write the report";

struct Run<'p> {
    progress: &'p Progress,
    totals: Totals,
    /// Something could not be checked.
    incomplete: bool,
    unwritten: Option<std::io::Error>,
}

impl Run<'_> {
    fn check_all(
        &mut self,
        settings: &Settings,
        reporter: &dyn Reporter,
        sources: &[Source],
        meter: &Meter,
        out: &mut dyn Write,
    ) -> anyhow::Result<()> {
        reporter.begin(out).context(UNWRITTEN)?;
        if settings.jobs > 1 && sources.len() > 1 {
            ordered::run(
                settings,
                reporter,
                sources,
                meter,
                out,
                |source, outcome| self.settle(source, outcome),
            );
        } else {
            let mut checker = Checker::new(settings);
            let mut report = Report::new(reporter, settings.detail, out);
            for source in sources {
                let result = checker.check(source, meter, &mut report);
                let totals = std::mem::take(&mut report.totals);
                if !self.settle(source, (totals, result)) {
                    break;
                }
            }
        }
        match self.unwritten.take() {
            Some(error) => Err(error).context(UNWRITTEN),
            None => Ok(()),
        }
    }

    /// Takes note of what came of a source; tells whether there is a point in going on.
    fn settle(&mut self, source: &Source, (totals, result): ordered::Outcome) -> bool {
        self.totals.merge(&totals);
        match result {
            Ok(()) => true,
            Err(Failure::Read(error)) => {
                self.fail(
                    &anyhow::Error::new(error).context(format!("failed to read {}", source.name())),
                );
                true
            }
            Err(Failure::Write(error)) => {
                self.unwritten = Some(error);
                false
            }
        }
    }

    fn fail(&mut self, error: &anyhow::Error) {
        self.incomplete = true;
        complain(self.progress, error);
    }

    fn exit(&self, settings: &Settings) -> Exit {
        let violated = self.totals.block > 0 || self.totals.record_faults > 0;
        match settings.on_violations {
            _ if self.incomplete => Exit::CouldNotRun,
            OnViolations::Fail if violated => Exit::Violations,
            OnViolations::Fail | OnViolations::Succeed => Exit::Clean,
        }
    }
}
