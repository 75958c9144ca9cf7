//! `probe`: what its arguments mean, and what becomes of its report.

mod client;
mod human;
mod json;
mod progress;
mod reproduce;

use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use mcp_assay::{Level, rules};
use mcp_assay_probe::{OWN, Options, ROWS, Report, Status, Target, Unreachable, probe};

use self::progress::Progress;
use crate::args::{ListFormat, ProbeArgs, Tested};
use crate::baseline::{Baseline, Ledger, Tally};
use crate::config::{Choices, ConfigFile, KnownFailures, policy};
use crate::exit::Exit;
use crate::{output, suggest};

/// The exit codes that only `probe` has.
const NEEDS_AUTHORISATION: u8 = 3;
const UNREACHABLE: u8 = 4;

/// Probes a server, and shows what came of it.
pub(crate) fn run(args: &ProbeArgs) -> anyhow::Result<ExitCode> {
    let options = options(args)?;
    let known_failures = known_failures(args)?;
    let mut progress = Progress::new();
    let result = probe(&options, &mut |what| progress.tell(what));
    progress.end();
    let report = match result {
        Ok(report) => report,
        Err(why) => {
            output::say(&mcp_assay_report::visible(&why.to_string()));
            return Ok(ExitCode::from(match why {
                Unreachable::Authorisation(_) => NEEDS_AUTHORISATION,
                _ => UNREACHABLE,
            }));
        }
    };
    show(args, &report)?;
    if let Some(folder) = &args.reproduce {
        reproduce::write(folder, args, &report)?;
    }
    let exit = balance(args, &options, &known_failures, &report)?;
    Ok(exit.into())
}

fn options(args: &ProbeArgs) -> anyhow::Result<Options> {
    let target = match &args.url {
        Some(url) if url.starts_with("http://") || url.starts_with("https://") => Target::Url {
            url: url.clone(),
            headers: args.header.clone(),
        },
        Some(url) => bail!("`{}` is no URL of http or https", url.escape_debug()),
        None if args.tested != Tested::Server => client::target(args)?,
        None => Target::Command(args.command.clone()),
    };
    for only in &args.only {
        check_name(only)?;
    }
    let file = ConfigFile::find(&args.selection)?;
    let flags = Choices::of_flags(&args.selection);
    let places: Vec<_> = file
        .iter()
        .map(ConfigFile::choices)
        .chain([&flags])
        .collect();
    let mut options = Options::new(target);
    options.policy = policy(&places);
    // The traffic says which revision is in force; a configuration that forces one is for recordings.
    options.policy.revision = None;
    options.step_timeout = args.step_timeout.into();
    let all: Duration = args.timeout.into();
    options.deadline = Instant::now()
        .checked_add(all)
        .context("--timeout is too long")?;
    options.revisions.clone_from(&args.revision);
    options.quick = args.quick;
    options.call_tools = args.call_tools;
    options.calls.clone_from(&args.call);
    options.seed = args.seed;
    options.only.clone_from(&args.only);
    Ok(options)
}

/// A name that nothing bears would report nothing, which looks like success.
fn check_name(only: &str) -> anyhow::Result<()> {
    let names = || {
        let rows = OWN.iter().chain(ROWS).map(|row| row.id);
        rows.chain(rules::all().map(|rule| rule.name))
    };
    let fits = |id: &str| {
        id == only
            || id
                .strip_prefix(only)
                .is_some_and(|rest| rest.starts_with('/'))
    };
    if names().any(fits) {
        Ok(())
    } else {
        Err(suggest::unknown("rule", only, names()))
    }
}

fn known_failures(args: &ProbeArgs) -> anyhow::Result<KnownFailures> {
    Ok(match (&args.write_baseline, &args.baseline) {
        (Some(path), _) => KnownFailures::Write(path.clone()),
        (None, Some(path)) => KnownFailures::Pass(Arc::new(Baseline::read(path)?)),
        (None, None) => KnownFailures::None,
    })
}

fn show(args: &ProbeArgs, report: &Report) -> anyhow::Result<()> {
    const UNWRITTEN: &str = "failed to write the report";
    let mut out = output::open(args.output.as_deref())?;
    let text = match args.format {
        ListFormat::Human => {
            let style = output::style(args.color, args.output.is_some());
            human::render(report, style, args.verbose)
        }
        ListFormat::Json => json::render(report),
    };
    out.write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .context(UNWRITTEN)
}

/// Compares with the baseline, or writes it, and says how it ends.
fn balance(
    args: &ProbeArgs,
    options: &Options,
    known_failures: &KnownFailures,
    report: &Report,
) -> anyhow::Result<Exit> {
    let mut tally = Tally::of_server(known_failures);
    for entry in report.failures() {
        for failure in &entry.failures {
            tally.add_failure(
                entry.id,
                failure.method.as_deref(),
                &failure.pointer,
                entry.level,
            );
        }
    }
    let mut ledger = Ledger::default();
    ledger.close(tally, &options.policy);
    let failed = match known_failures {
        KnownFailures::None => report
            .failures()
            .any(|entry| entry.level == Level::Error && entry.status == Status::Fail),
        KnownFailures::Write(path) => {
            ledger.write(path)?;
            false
        }
        KnownFailures::Pass(baseline) => {
            // What was not put to the test is not fixed.
            let whole = !args.quick && args.only.is_empty() && args.revision.is_empty();
            let stale = if whole {
                ledger.stale(baseline)
            } else {
                Vec::new()
            };
            for entry in &stale {
                output::say(&entry.to_string());
            }
            output::say(&ledger.summary(baseline, stale.len()));
            ledger.new_failures() > 0 || !stale.is_empty()
        }
    };
    Ok(if failed {
        Exit::Violations
    } else {
        Exit::Clean
    })
}
