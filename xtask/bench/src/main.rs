//! `cargo xtask bench`: bytes to verdict, against `serde_json` and `jsonschema` in the same
//! process.
//!
//! Times swing with the machine, so only ratios inside one run are goals. Instruction counts do not
//! swing.

mod allocations;
mod bars;
mod baseline;
mod http;
mod instructions;
mod pipe;
mod placement;
mod report;
mod sides;
mod startup;
mod statistics;
mod timing;
mod way;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, ensure};
use assay_bench::corpus::{self, Entry};
use clap::Parser;

use self::baseline::Baseline;
use self::report::Report;
use self::timing::Effort;

/// Compares the speed of mcp-assay with `serde_json` and `jsonschema`.
#[derive(Parser)]
#[command(name = "cargo xtask bench", bin_name = "cargo xtask bench")]
#[expect(clippy::struct_excessive_bools, reason = "switches of a command line")]
struct Arguments {
    /// Print JSON instead of tables.
    #[arg(long)]
    json: bool,
    /// Measure for a shorter time; good enough to see a trend.
    #[arg(long)]
    quick: bool,
    /// Only messages whose name or class contains this.
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
    /// End with 1 if a goal is missed, or one whose name contains this; may be given several times.
    #[arg(long, value_name = "GOAL", num_args = 0..=1, default_missing_value = "")]
    gate: Vec<String>,
    /// Count instructions under callgrind instead of time; ends with 2 if valgrind is not there.
    #[arg(long, conflicts_with = "startup")]
    instructions: bool,
    /// Keep callgrind's dumps in this folder, for `callgrind_annotate`.
    #[arg(long, value_name = "FOLDER", requires = "instructions")]
    keep: Option<PathBuf>,
    /// Measure the start of this program instead.
    #[arg(long, value_name = "PROGRAM")]
    startup: Option<PathBuf>,
    /// Measure the overhead of `wrap` of this program, built with `--profile dist`, on a pipe
    /// instead.
    #[arg(long, value_name = "PROGRAM", conflicts_with_all = ["instructions", "startup"])]
    wrap: Option<PathBuf>,
    /// Measure the overhead of `gateway` of this program, built with `--profile dist`, on HTTP
    /// instead.
    #[arg(long, value_name = "PROGRAM", conflicts_with_all = ["instructions", "startup", "wrap"])]
    gateway: Option<PathBuf>,
    /// Run the server behind the pipe.
    #[arg(long, hide = true)]
    serve: bool,
    /// Run the part that callgrind counts.
    #[arg(long, hide = true)]
    counted: bool,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &Arguments) -> Result<ExitCode> {
    // First, and without a corpus in memory: children begin with their parent's resident size.
    if let Some(program) = &arguments.startup {
        let about = format!("start of {}, medians of wall time", program.display());
        return Ok(finish(arguments, &startup::report(program)?, &about));
    }
    if arguments.serve {
        pipe::serve()?;
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(program) = &arguments.wrap {
        let about = format!("{} wrap, beside the pipe alone", program.display());
        let report = pipe::report(program, arguments.quick)?;
        return Ok(finish(arguments, &report, &about));
    }
    if let Some(program) = &arguments.gateway {
        let about = format!("{} gateway, beside the server alone", program.display());
        let report = http::report(program, arguments.quick)?;
        return Ok(finish(arguments, &report, &about));
    }
    if arguments.instructions && !instructions::available() {
        eprintln!("skipped: valgrind is not installed");
        return Ok(ExitCode::from(2));
    }
    let mut entries = corpus::valid();
    entries.extend(corpus::invalid());
    if let Some(filter) = &arguments.filter {
        entries.retain(|entry| entry.name.contains(filter) || entry.class.name().contains(filter));
        ensure!(!entries.is_empty(), "no message is called {filter}");
    }
    let baseline = Baseline::compile(&entries)?;
    if arguments.counted {
        instructions::run_counted(&entries, &baseline)?;
        return Ok(ExitCode::SUCCESS);
    }
    let (report, about) = compare(arguments, &entries, &baseline)?;
    Ok(finish(arguments, &report, &about))
}

fn compare(
    arguments: &Arguments,
    entries: &[Entry],
    baseline: &Baseline,
) -> Result<(Report, String)> {
    let versus = format!("baseline: serde_json and jsonschema, {}", baseline.source);
    if arguments.instructions {
        let report = instructions::report(
            entries,
            arguments.filter.as_deref(),
            arguments.keep.as_deref(),
        )?;
        return Ok((
            report,
            format!("instructions a message (callgrind); {versus}"),
        ));
    }
    let effort = if arguments.quick {
        Effort::QUICK
    } else {
        Effort::FULL
    };
    let report = timing::report(entries, baseline, effort)?;
    Ok((
        report,
        format!("nanoseconds a message (thread CPU time, system allocator); {versus}"),
    ))
}

fn finish(arguments: &Arguments, report: &Report, about: &str) -> ExitCode {
    if arguments.json {
        report.print_json(about);
    } else {
        report.print(about);
    }
    if report.passes(&arguments.gate) {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
