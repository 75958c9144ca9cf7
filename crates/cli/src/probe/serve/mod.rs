//! `probe --serve-json`: the harness of a test suite in any language. One command per line comes
//! in, one answer per line goes out.

mod answer;
mod arguments;
mod commands;

use std::io::{self, Write};

use anyhow::{Context, bail};
use mcp_assay::{Direction, Level};
use mcp_assay_harness::{Builder, Content, Harness, Outcome};
use mcp_assay_probe::{Options, Target};

use crate::args::ProbeArgs;
use crate::bounded_lines::{self as lines, Line};
use crate::exit::Exit;
use crate::output;

/// Serves commands until there are no more.
pub(super) fn run(args: &ProbeArgs, options: Options) -> anyhow::Result<Exit> {
    let mut harness = match builder(args, options)?.start() {
        Ok(harness) => harness,
        Err(error) => {
            output::say(&error.to_string());
            return Ok(Exit::Unreachable);
        }
    };
    serve(&mut harness).or_else(|error| match error.kind() {
        // The caller has gone.
        io::ErrorKind::BrokenPipe => Ok(()),
        _ => Err(error).context("failed to serve commands"),
    })?;
    if !harness.is_closed()
        && let Err(error) = harness.close()
    {
        output::say(&error.to_string());
    }
    Ok(exit(&harness))
}

/// The result of the session.
fn exit(harness: &Harness) -> Exit {
    let succeeded = harness
        .timings()
        .iter()
        .any(|timing| timing.outcome == Outcome::Result);
    let wants_authorisation = harness.records().iter().any(|record| {
        matches!(
            record.content,
            Content::Response {
                status: 401 | 403,
                ..
            }
        )
    });
    let is_silent = harness
        .records()
        .iter()
        .all(|record| record.direction() == Direction::ClientToServer);
    if !succeeded && wants_authorisation {
        return Exit::NeedsAuthorisation;
    }
    if is_silent && !harness.timings().is_empty() {
        return Exit::Unreachable;
    }
    let is_clean = harness
        .violations()
        .iter()
        .all(|violation| violation.level < Level::Error);
    if is_clean {
        Exit::Clean
    } else {
        Exit::Violations
    }
}

fn serve(harness: &mut Harness) -> io::Result<()> {
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    loop {
        let answer = match lines::next(&mut input)? {
            Line::End => return Ok(()),
            Line::TooLong => answer::bad(&serde_json::Value::Null, lines::TOO_LONG),
            Line::Text(line) if line.trim_ascii().is_empty() => continue,
            Line::Text(line) => commands::run(harness, &line),
        };
        writeln!(output, "{answer}")?;
        output.flush()?;
    }
}

fn builder(args: &ProbeArgs, options: Options) -> anyhow::Result<Builder> {
    let target = match options.target {
        Target::Command(command) => Target::Command(ending_with_us(command)?),
        target => target,
    };
    let mut builder = Builder::new(target)
        .policy(options.policy)
        .timeout(options.step_timeout);
    if let Some(definitions) = options.definitions {
        builder = builder.definitions(definitions);
    }
    if let Some(timeout) = args.timeout {
        builder = builder.total_timeout(timeout.into());
    }
    match args.report.revision.as_slice() {
        [] => {}
        [revision] => builder = builder.revision(*revision),
        _ => bail!("--serve-json speaks one revision"),
    }
    if args.report.selection.no_strict {
        builder = builder.lenient();
    }
    if args.allow_stdout_noise {
        builder = builder.allow_stdout_noise();
    }
    Ok(builder)
}

/// A command whose process ends with ours, even if we are killed: this program starts it.
#[cfg(unix)]
fn ending_with_us(command: Vec<String>) -> anyhow::Result<Vec<String>> {
    let ours = std::env::current_exe().context("failed to find this program")?;
    let ours = ours.to_string_lossy().into_owned();
    let before = [ours, "exec-server".to_owned(), "--".to_owned()];
    Ok(before.into_iter().chain(command).collect())
}

/// On Windows its job ends it.
#[cfg(windows)]
#[expect(clippy::unnecessary_wraps, reason = "elsewhere it can fail")]
fn ending_with_us(command: Vec<String>) -> anyhow::Result<Vec<String>> {
    Ok(command)
}
