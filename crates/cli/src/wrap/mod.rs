//! `wrap`: runs a stdio server and stands between it and its client.
//!
//! One thread waits for both pipes and the signals, and copies. In `shadow` bytes are forwarded
//! before they are checked, and long messages are checked by another thread, so that nothing ever
//! waits for a check. In `enforce` a line is checked first.
//!
//! `system` is what waits: `poll` on Unix; on Windows, where a pipe can only block, a thread for
//! each end of a pipe.

mod checking;
mod child;
mod copy;
mod enforce;
mod events;
mod pump;
#[cfg(unix)]
#[path = "unix.rs"]
mod system;
#[cfg(windows)]
#[path = "windows.rs"]
mod system;

use std::sync::Arc;
use std::time::Instant;

use anyhow::Context as _;
use mcp_assay_gateway::Metrics;
use mcp_assay_report::Context;

use self::checking::Checking;
use self::child::Child;
pub(crate) use self::child::exec;
use self::pump::Pump;
use crate::args::WrapArgs;
use crate::config::Settings;
use crate::exit::Exit;
use crate::live::{MetricsFile, Recorder, ReportFile, Watch, dropped};
use crate::output;

/// Runs the server until it ends, and gives its exit code.
pub(crate) fn run(args: &WrapArgs) -> anyhow::Result<Exit> {
    let settings = Settings::of_live(&args.live)?;
    let metrics = Arc::<Metrics>::default();
    output::queue_notices(dropped(&metrics, "notices")).context("failed to start")?;
    let recorder = match &args.live.record {
        Some(path) => {
            let on_dropped = dropped(&metrics, "recording");
            Some(Recorder::create(path, settings.rotation, on_dropped)?)
        }
        None => None,
    };
    let report = match &args.live.report {
        Some(path) => Some(ReportFile::create(
            path,
            args.live.report_format,
            again(args),
            dropped(&metrics, "report"),
        )?),
        None => None,
    };
    let metrics_file = match &args.metrics {
        Some(path) => Some(Arc::new(MetricsFile::create(path, Arc::clone(&metrics))?)),
        None => None,
    };
    let mode = args.live.mode;
    let limits = settings.policy.limits;
    let checking = if args.live.no_check {
        Checking::off(recorder)
    } else {
        let log = settings.open_live_log(dropped(&metrics, "log"))?;
        let guard = args.live.guard(settings.validator());
        let source = args.command.join(" ");
        let mut watch = Watch::new(source, guard, report, log);
        if metrics_file.is_some() {
            watch.count(Arc::clone(&metrics));
        }
        Checking::new(watch, recorder, mode)
    };
    let child = Child::spawn(&args.command)?;
    let mut pump = Pump::new(child, checking, limits.bytes, args.grace.into())?;
    if args.live.once {
        pump.end_with_session();
    }
    if let Some(file) = &metrics_file {
        pump.write_metrics(Arc::clone(file));
    }
    if args.live.repair {
        pump.join_lines(&limits);
    }
    pump.refresher = settings.refresher;
    let (exit, checking) = pump.run(Instant::now());
    let mut summary = checking.finish();
    if let Some(file) = metrics_file {
        summary.trouble.extend(file.finish());
    }
    summary.show(mode, args.quiet);
    Ok(exit)
}

/// The command that shows the violations of this session again: a check of the recording, if there
/// is one.
fn again(args: &WrapArgs) -> String {
    match &args.live.record {
        Some(path) => Context::default().again(&path.to_string_lossy(), ""),
        None => {
            let server = args.command.join(" ");
            format!("mcp-assay wrap --record session.ndjson -- {server}")
        }
    }
}
