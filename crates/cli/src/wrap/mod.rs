//! `wrap`: runs a stdio server and stands between it and its client.
//!
//! One thread waits for both pipes and the signals, and copies. In `shadow` bytes are handed on before they are looked at, and
//! long messages are looked at by another thread, so that nothing ever waits for a check. In `enforce` a line is judged first.

mod child;
mod copy;
mod enforce;
mod files;
mod join;
mod pump;
mod worker;

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Instant;

use mcp_assay_live::guard::Mode;
use mcp_assay_report::{Context, Format, Style};

use self::child::Child;
pub(crate) use self::child::exec;

use self::pump::Pump;
use self::worker::Checking;
use crate::args::WrapArgs;
use crate::config::Settings;
use crate::live::{Recorder, ReportFile, Watch};
use crate::output;

/// Runs the server until it ends, and gives its exit code.
pub(crate) fn run(args: &WrapArgs) -> anyhow::Result<ExitCode> {
    let settings = Settings::of_live(&args.live)?;
    let recorder = match &args.live.record {
        Some(path) => Some(Recorder::create(path)?),
        None => None,
    };
    let report = match &args.live.report {
        Some(path) => Some(ReportFile::create(
            path,
            args.live.report_format,
            again(args),
        )?),
        None => None,
    };
    let mode = args.live.mode;
    let limits = settings.policy.limits;
    let checking = if args.live.no_check {
        Checking::off(recorder)
    } else {
        let log = settings.open_log()?;
        let guard = args.live.guard(&settings);
        let source = args.command.join(" ");
        let watch = Watch::new(source, guard, report, log);
        Checking::new(watch, recorder, mode)
    };
    let child = Child::spawn(&args.command)?;
    let mut pump = Pump::new(child, checking, limits.bytes, args.grace.into())?;
    if args.live.repair {
        pump.join_lines(&limits);
    }
    let (code, checking) = pump.run(Instant::now());
    let told = checking.finish();
    if !args.quiet {
        summarise(told, mode);
    }
    Ok(code)
}

/// The command that shows the violations of this session again: a check of the recording, if there is one.
fn again(args: &WrapArgs) -> String {
    match &args.live.record {
        Some(path) => Context::default().again(&path.to_string_lossy(), ""),
        None => {
            let server = args.command.join(" ");
            format!("mcp-assay wrap --record session.ndjson -- {server}")
        }
    }
}

/// What was found, on standard error: standard output belongs to the server.
fn summarise(told: worker::Told, mode: Mode) {
    let worker::Told { watch, trouble } = told;
    if let Some(watch) = watch {
        let mut text = Vec::new();
        for notice in watch.notices() {
            // Writing to memory cannot fail.
            let _ = writeln!(text, "mcp-assay: {notice}");
        }
        let reporter = Format::Human.reporter(Style::PLAIN);
        let mut summary = Vec::new();
        if reporter.finish(watch.totals(), &mut summary).is_ok() {
            let summary = String::from_utf8_lossy(&summary);
            for line in summary.lines().filter(|line| !line.is_empty()) {
                let _ = writeln!(text, "mcp-assay ({}): {line}", mode.name());
            }
        }
        // If nobody reads it any more, nobody misses it.
        let _ = io::stderr().write_all(&text);
    }
    for trouble in trouble {
        output::say(&trouble);
    }
}
