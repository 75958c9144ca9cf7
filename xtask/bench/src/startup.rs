//! The cost of a single `check`: time from start to end, memory, and the size of the program.

use std::env;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use nix::sys::resource::{UsageWho, getrusage};
use serde_json::json;

use crate::bars::{Bar, Goal};
use crate::report::Report;
use crate::statistics::median;

const SPAWNS: usize = 50;
const MESSAGE: &str = concat!(
    r#"{"jsonrpc":"2.0","id":42,"method":"tools/call","params":{"name":"search_files"}}"#,
    "\n"
);

/// Measures `program check FILE` beside `true`.
pub(crate) fn report(program: &Path) -> Result<Report> {
    let file = env::temp_dir().join(format!("assay-bench-{}.ndjson", std::process::id()));
    fs::write(&file, MESSAGE).with_context(|| format!("cannot write {}", file.display()))?;
    let figures = measure(program, &file);
    // Left-overs in the temporary folder are no failure.
    let _ = fs::remove_file(&file);
    let Figures {
        nothing,
        check,
        resident,
        resident_floor,
    } = figures?;
    let size = fs::metadata(program)
        .with_context(|| format!("cannot read {}", program.display()))?
        .len();
    #[expect(clippy::cast_precision_loss, reason = "far fewer than 2^53")]
    let size = size as f64 / 1e6;
    let lines = vec![
        format!("true                     {nothing:>8.2} ms"),
        format!("check of one message     {check:>8.2} ms"),
        format!(
            "resident at most         {resident:>8.2} MiB (at least {resident_floor:.2}, which the kernel counts for any child)"
        ),
        format!("size of the program      {size:>8.2} MB"),
    ];
    let rows = vec![json!({
        "true_ms": nothing, "check_ms": check, "resident_mib": resident,
        "resident_floor_mib": resident_floor, "size_mb": size,
    })];
    let bars = vec![
        Bar::new(
            "check of one message, ms more than true",
            check - nothing,
            Goal::AtMost(5.0),
        ),
        Bar::new("resident, MiB", resident, Goal::AtMost(10.0)),
        Bar::new("size of the program, MB", size, Goal::AtMost(12.0)),
    ];
    Ok(Report { lines, rows, bars })
}

struct Figures {
    /// Milliseconds of `true`.
    nothing: f64,
    /// Milliseconds of `check`.
    check: f64,
    /// The largest resident size of a child, in MiB.
    resident: f64,
    /// The same before `check` ran: a child starts with the size of its parent.
    resident_floor: f64,
}

fn measure(program: &Path, file: &Path) -> Result<Figures> {
    let run_nothing = || spawn(&mut Command::new("true"));
    let run_check = || spawn(Command::new(program).arg("check").arg(file));
    run_nothing()?;
    let resident_floor = resident()?;
    run_check()?;
    let (mut nothing, mut check) = (Vec::new(), Vec::new());
    for _ in 0..SPAWNS {
        nothing.push(run_nothing()?);
        check.push(run_check()?);
    }
    Ok(Figures {
        nothing: median(nothing),
        check: median(check),
        resident: resident()?,
        resident_floor,
    })
}

/// Milliseconds from start to end.
fn spawn(command: &mut Command) -> Result<f64> {
    let start = Instant::now();
    let status = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    let taken = start.elapsed();
    let name = command.get_program().to_string_lossy().into_owned();
    let status = status.with_context(|| format!("cannot run {name}"))?;
    ensure!(
        status.success(),
        "{name} ended with {status} on a valid message"
    );
    Ok(taken.as_secs_f64() * 1e3)
}

/// The largest resident size of a child that has ended, in MiB.
fn resident() -> Result<f64> {
    let usage =
        getrusage(UsageWho::RUSAGE_CHILDREN).context("the resources of children cannot be read")?;
    #[expect(clippy::cast_precision_loss, reason = "kilobytes fit")]
    let kibibytes = usage.max_rss() as f64;
    Ok(kibibytes / 1024.0)
}
