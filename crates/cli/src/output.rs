//! The destinations of text: the report goes to standard output or a file, errors to standard
//! error.

use std::env;
use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::sync::OnceLock;

use anyhow::Context;
use clap::ValueEnum;
use mcp_assay_live::output_queue::{OnDropped, Opening, Output, OutputQueue};
use mcp_assay_report::Style;

/// Bytes of notices that may wait for a reader of standard error.
const MAX_NOTICES: usize = 1 << 20;

/// The queue before standard error, while traffic passes.
static NOTICES: OnceLock<OutputQueue> = OnceLock::new();

/// The use of colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Colour {
    /// On a terminal, unless `NO_COLOR` is set; `FORCE_COLOR` colours pipes and files, too
    Auto,
    Always,
    Never,
}

/// Opens the destination of a report.
pub(crate) fn open(file: Option<&Path>) -> anyhow::Result<Box<dyn Write>> {
    match file {
        Some(path) => {
            let file = File::create(path)
                .with_context(|| format!("failed to write {}", path.display()))?;
            Ok(Box::new(file))
        }
        // The raw handle: what is above it buffers by itself.
        None => Ok(Box::new(io::stdout().lock())),
    }
}

/// Writes a text from memory to standard output.
pub(crate) fn print(text: &[u8]) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    let written = out.write_all(text).and_then(|()| out.flush());
    unless_closed(written.map_err(anyhow::Error::from))
}

/// The abilities of the reader's terminal.
pub(crate) fn style(colour: Colour, to_file: bool) -> Style {
    let terminal = !to_file && io::stdout().is_terminal();
    if terminal {
        allow_escapes();
    }
    let colour = match colour {
        Colour::Always => true,
        Colour::Never => false,
        Colour::Auto => wants_colour(terminal, |name| {
            env::var_os(name).map(|value| value.to_string_lossy().into_owned())
        }),
    };
    let width = if terminal {
        terminal_size::terminal_size().map(|(width, _)| usize::from(width.0))
    } else {
        None
    };
    Style {
        colour,
        width: width.unwrap_or(Style::PLAIN.width),
        fold: width.is_some(),
    }
}

/// Older consoles of Windows show escapes as text unless they are told.
fn allow_escapes() {
    #[cfg(windows)]
    // If it knows none, `NO_COLOR` is left.
    let _ = anstyle_query::windows::enable_ansi_colors();
}

/// The conventions of no-color.org, force-color.org and bixense.com/clicolors.
fn wants_colour(terminal: bool, variable: impl Fn(&str) -> Option<String>) -> bool {
    let is_set = |name| variable(name).is_some_and(|value| !value.is_empty());
    if is_set("NO_COLOR") {
        return false;
    }
    let is_forced = |name| is_set(name) && variable(name).is_none_or(|value| value != "0");
    if is_forced("FORCE_COLOR") || is_forced("CLICOLOR_FORCE") {
        return true;
    }
    terminal && variable("TERM").is_none_or(|value| value != "dumb")
}

/// Lets notices wait in a queue from now on: nothing is delayed if nobody reads standard error.
pub(crate) fn queue_notices(on_dropped: OnDropped) -> io::Result<()> {
    let open = || Ok(StandardError);
    let queue = OutputQueue::start("notices", MAX_NOTICES, Opening::Awaited, open, on_dropped)?;
    // A second queue would have nothing to do.
    let _ = NOTICES.set(queue);
    Ok(())
}

/// Writes the notices that wait, for a bounded time.
pub(crate) fn finish() {
    if let Some(queue) = NOTICES.get() {
        // Nobody could be told of those that are missing.
        let _ = queue.finish();
    }
}

/// Reports an error, with every cause.
pub(crate) fn complain(error: &anyhow::Error) {
    write_error(format!("mcp-assay: {error:#}\n").as_bytes());
}

/// Prints a notice that is no failure to run.
pub(crate) fn say(text: &str) {
    write_error(format!("mcp-assay: {text}\n").as_bytes());
}

/// Writes whole lines to standard error.
pub(crate) fn write_error(lines: &[u8]) {
    match NOTICES.get() {
        Some(queue) => {
            queue.push(lines);
        }
        // If this cannot be written, the exit code still shows the result.
        None => {
            let _ = io::stderr().write_all(lines);
        }
    }
}

/// Standard error as the output of a queue.
struct StandardError;

impl Output for StandardError {
    fn write(&mut self, lines: &[u8]) -> io::Result<()> {
        io::stderr().write_all(lines)
    }
}

/// The result of writing, in which a reader that has gone away is no failure: it ends the output,
/// not the verdict.
pub(crate) fn unless_closed(written: anyhow::Result<()>) -> anyhow::Result<()> {
    match written {
        Err(error) if is_broken_pipe(&error) => Ok(()),
        written => written,
    }
}

/// Whether the reader of our output has gone away, which is its right.
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause
            .downcast_ref::<io::Error>()
            .is_some_and(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
    })
}

/// A count with its noun.
pub(crate) fn counted(count: u64, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colour_follows_the_environment() {
        let wants = |terminal, set: &[(&str, &str)]| {
            wants_colour(terminal, |name| {
                set.iter()
                    .find(|(known, _)| *known == name)
                    .map(|(_, value)| (*value).to_owned())
            })
        };
        assert!(wants(true, &[]));
        assert!(!wants(false, &[]));
        assert!(!wants(true, &[("NO_COLOR", "1")]));
        assert!(wants(true, &[("NO_COLOR", "")]));
        assert!(wants(false, &[("CLICOLOR_FORCE", "1")]));
        assert!(!wants(false, &[("CLICOLOR_FORCE", "0")]));
        assert!(wants(false, &[("FORCE_COLOR", "1")]));
        assert!(wants(false, &[("FORCE_COLOR", "true"), ("TERM", "dumb")]));
        assert!(!wants(false, &[("FORCE_COLOR", "")]));
        assert!(!wants(false, &[("FORCE_COLOR", "0")]));
        assert!(!wants(true, &[("FORCE_COLOR", "1"), ("NO_COLOR", "1")]));
        assert!(!wants(true, &[("TERM", "dumb")]));
    }
}
