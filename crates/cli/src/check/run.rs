//! A whole run, from arguments to the exit code.

use std::collections::BTreeMap;
use std::io::{self, BufWriter, Write};
use std::thread;

use anyhow::Context;
use mcp_assay_report::{Document, Format, Reporter, SourceNote, Totals, visible};

use super::checkers::Checkers;
use super::failure::Failure;
use super::ordered;
use super::progress::Progress;
use super::report::Report;
use super::screen::{Screen, complain};
use super::tools::{self, Locked};
use crate::baseline::KnownFailures;
use crate::baseline::Ledger;
use crate::config::{OnViolations, Sessions, Settings};
use crate::exit::Exit;
use crate::input::{Meter, Source};
use crate::log::Log;
use crate::output;

/// Checks sources and reports in their order. Sources that were not found are errors already; the
/// rest is still checked.
pub(crate) fn run(
    settings: &Settings,
    sources: Vec<anyhow::Result<Source>>,
) -> anyhow::Result<Exit> {
    let reporter = settings
        .format
        .reporter_in(settings.style, settings.context.clone());
    let log = settings.open_log()?;
    let out = output::open(settings.output.as_deref())?;
    let progress = Progress::new();
    let meter = Meter::default();
    let mut result = Run {
        progress: &progress,
        totals: Totals::default(),
        ledger: Ledger::default(),
        stale: 0,
        locked: Locked::Kept,
        incomplete: false,
        unwritten: None,
        is_cut: false,
        empty: Vec::new(),
    };
    let mut known = Vec::with_capacity(sources.len());
    for source in sources {
        match source {
            Ok(source) => known.push(source),
            Err(error) => result.fail(&error),
        }
    }
    let out = BufWriter::with_capacity(64 << 10, Screen::new(out, &progress));
    let written = Document::begin(&*reporter, out)
        .context(UNWRITTEN)
        .and_then(|out| result.report(settings, &*reporter, &known, &meter, log.as_ref(), out));
    // Without a reader the output ends; the findings up to there still decide the exit code.
    output::unless_closed(written)?;
    result.warn_of_empty();
    result.balance(settings)?;
    if let Some(log) = log {
        result.finish_log(log);
    }
    Ok(result.exit(settings))
}

/// The interpretation of sources of a foreign format, by their names.
fn notes(sources: &[Source], meter: &Meter) -> BTreeMap<String, SourceNote> {
    sources
        .iter()
        .filter_map(|source| {
            let reading = meter.reading(source)?;
            let note = SourceNote {
                format: reading.about.name,
                fidelity: reading.fidelity.name(),
                missing: reading.missing().collect(),
            };
            Some((source.name().into_owned(), note))
        })
        .collect()
}

/// Reports how sources of foreign formats were understood, and what they cannot prove.
fn say_how_read(sources: &[Source], meter: &Meter, out: &mut dyn Write) -> io::Result<()> {
    for source in sources {
        if let Some(sentence) = meter.reading(source).and_then(|reading| reading.sentence()) {
            writeln!(out, "{}: {sentence}", source.name())?;
        }
    }
    Ok(())
}

const UNWRITTEN: &str = "failed to write the report";

/// Sources without messages that are named.
const MAX_EMPTY_NAMED: usize = 20;

struct Run<'p> {
    progress: &'p Progress,
    totals: Totals,
    ledger: Ledger,
    /// Entries of the baseline that are fixed.
    stale: usize,
    /// The result of the lock of tools.
    locked: Locked,
    /// Some source could not be checked.
    incomplete: bool,
    unwritten: Option<io::Error>,
    /// Whether the output ended before all sources were checked.
    is_cut: bool,
    /// The first sources without a single message.
    empty: Vec<String>,
}

impl Run<'_> {
    /// Checks all sources and writes the document.
    fn report<W: Write>(
        &mut self,
        settings: &Settings,
        reporter: &dyn Reporter,
        sources: &[Source],
        meter: &Meter,
        log: Option<&Log>,
        mut out: Document<'_, W>,
    ) -> anyhow::Result<()> {
        thread::scope(|scope| {
            let total = sources.iter().map(Source::size).sum();
            // A file that is followed has no end to show.
            if settings.follow.is_none() {
                self.progress.watch(scope, meter, total);
            }
            let written = self.check_all(settings, reporter, sources, meter, log, &mut out);
            self.progress.end();
            written
        })?;
        self.totals.sources = notes(sources, meter);
        let mut last = Vec::new();
        if settings.format == Format::Human {
            say_how_read(sources, meter, &mut last).context(UNWRITTEN)?;
        }
        self.locked = tools::balance(settings, sources, meter, &mut last)?;
        out.write_all(&last).context(UNWRITTEN)?;
        out.finish(&self.totals).context(UNWRITTEN)?;
        Ok(())
    }

    fn check_all(
        &mut self,
        settings: &Settings,
        reporter: &dyn Reporter,
        sources: &[Source],
        meter: &Meter,
        log: Option<&Log>,
        out: &mut dyn Write,
    ) -> anyhow::Result<()> {
        if settings.in_parallel() && sources.len() > 1 {
            ordered::run(
                settings,
                reporter,
                sources,
                meter,
                out,
                |source, outcome| self.settle(settings, source, outcome),
            );
        } else {
            let mut checkers = Checkers::new(settings);
            let mut report = Report::new(reporter, settings, out);
            report.log = log;
            for source in sources {
                let result = checkers.check(source, meter, &mut report);
                let totals = std::mem::take(&mut report.totals);
                let tally = std::mem::take(&mut report.tally);
                if !self.settle(settings, source, (totals, tally, result)) {
                    break;
                }
                if settings.sessions == Sessions::First && report.begun {
                    break;
                }
            }
        }
        match self.unwritten.take() {
            Some(error) => Err(error).context(UNWRITTEN),
            None => Ok(()),
        }
    }

    /// Records the result of a source; returns whether to go on.
    fn settle(
        &mut self,
        settings: &Settings,
        source: &Source,
        (totals, tally, result): ordered::Outcome,
    ) -> bool {
        self.totals.merge(&totals);
        if result.is_ok() && totals.messages == 0 {
            self.totals.empty_sources += 1;
            if self.empty.len() < MAX_EMPTY_NAMED {
                self.empty.push(visible(&source.name()));
            }
        }
        match result {
            Ok(()) => {
                let policy = &settings.of_source(source).policy;
                self.ledger.close(tally, policy);
                true
            }
            Err(Failure::Read(error)) => {
                self.fail(
                    &anyhow::Error::new(error).context(format!("failed to read {}", source.name())),
                );
                true
            }
            Err(Failure::Write(error)) => {
                self.unwritten = Some(error);
                self.is_cut = true;
                let policy = &settings.of_source(source).policy;
                self.ledger.close(tally, policy);
                false
            }
        }
    }

    fn fail(&mut self, error: &anyhow::Error) {
        self.incomplete = true;
        complain(self.progress, error);
    }

    /// Names the sources without messages: they are not clean traffic.
    fn warn_of_empty(&self) {
        for name in &self.empty {
            output::say(&format!("warning: {name} has no messages"));
        }
        let more = self.totals.empty_sources - self.empty.len() as u64;
        if more > 0 {
            let inputs = output::counted(more, "more input");
            output::say(&format!("warning: {inputs} without messages"));
        }
    }

    /// Compares with the baseline and reports stale entries, or writes it.
    fn balance(&mut self, settings: &Settings) -> anyhow::Result<()> {
        match &settings.known_failures {
            KnownFailures::None => {}
            // The rest may have the entries that were not met.
            KnownFailures::Pass(_) if self.is_cut => {}
            KnownFailures::Pass(baseline) => {
                let stale = self.ledger.stale(baseline);
                self.stale = stale.len();
                for entry in &stale {
                    output::say(&entry.to_string());
                }
                output::say(&self.ledger.summary(baseline, stale.len()));
            }
            KnownFailures::Write(path) if self.incomplete || self.is_cut => {
                let path = path.display();
                output::say(&format!("{path} is not written: not all could be checked"));
            }
            KnownFailures::Write(path) => self.ledger.write(path)?,
        }
        Ok(())
    }

    /// An incomplete log that was requested is a failure to run.
    fn finish_log(&mut self, log: Log) {
        let (missing, path) = log.finish();
        if missing > 0 {
            let path = path.display();
            output::say(&format!("{missing} events are missing from {path}"));
            self.incomplete = true;
        }
    }

    fn exit(&self, settings: &Settings) -> Exit {
        let failed = match &settings.known_failures {
            KnownFailures::None => self.totals.block > 0 || self.totals.missing > 0,
            KnownFailures::Pass(_) => self.ledger.new_failures() > 0 || self.stale > 0,
            KnownFailures::Write(_) => false,
        };
        let violated = failed || self.totals.record_faults > 0 || self.locked == Locked::Broken;
        match settings.on_violations {
            _ if self.incomplete || self.locked == Locked::Untold => Exit::CouldNotRun,
            OnViolations::Fail if violated => Exit::Violations,
            OnViolations::Fail | OnViolations::Succeed => Exit::Clean,
        }
    }
}
