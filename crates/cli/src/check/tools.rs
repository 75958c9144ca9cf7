//! The tools in the traffic of a run, compared with a lock.

use std::io::{self, Write};

use mcp_assay_report::Format;

use super::checkers::Checkers;
use super::failure::Failure;
use super::report::Report;
use crate::config::{Detail, Settings, ToolsLock};
use crate::input::{Meter, Source};
use crate::output;
use crate::tool_diff::{self, Tools};

/// The result of a lock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Locked {
    /// No failure.
    Kept,
    /// Tools are removed or breaking.
    Broken,
    /// The traffic shows no tools.
    Untold,
}

/// Compares the tools of all sources with the lock and reports the differences, or writes the lock.
/// The output goes before the summary.
pub(super) fn balance(
    settings: &Settings,
    sources: &[Source],
    meter: &Meter,
    out: &mut dyn Write,
) -> anyhow::Result<Locked> {
    let mut tools = Tools::default();
    for source in sources {
        if let Some(shown) = meter.take_tools(source) {
            tools.merge(shown);
        }
    }
    match &settings.tools {
        ToolsLock::Ignore | ToolsLock::Read => Ok(Locked::Kept),
        ToolsLock::Write(path) => {
            if !tools.is_complete {
                let path = path.display();
                output::say(&format!(
                    "{path} is not written: no whole list of tools was seen"
                ));
                return Ok(Locked::Untold);
            }
            tool_diff::write(&tools, path)?;
            Ok(Locked::Kept)
        }
        ToolsLock::Compare(..) if tools.len() == 0 && !tools.is_complete => {
            output::say("no list of tools was seen: the lock cannot be compared");
            Ok(Locked::Untold)
        }
        ToolsLock::Compare(lock, undecided) => {
            let diff = tool_diff::compare(lock, &tools);
            match settings.format {
                Format::Human => {
                    let text = tool_diff::human(&diff, settings.detail != Detail::Summary);
                    out.write_all(text.as_bytes())?;
                }
                Format::Ndjson => out.write_all(tool_diff::ndjson(&diff).as_bytes())?,
                // One document has no place for it.
                _ => output::say(tool_diff::human(&diff, true).trim_end()),
            }
            if let Some(warning) = diff.warning(*undecided) {
                output::say(&warning);
            }
            Ok(if diff.fails(*undecided) {
                Locked::Broken
            } else {
                Locked::Kept
            })
        }
    }
}

/// The tools in one source; faults of its messages do not matter here.
pub(crate) fn tools_of(source: &Source) -> io::Result<Tools> {
    let settings = Settings::of_tools();
    let (meter, mut nowhere) = (Meter::default(), io::sink());
    let reporter = settings.format.reporter(settings.style);
    let mut report = Report::new(&*reporter, &settings, &mut nowhere);
    let mut checkers = Checkers::new(&settings);
    match checkers.check(source, &meter, &mut report) {
        Ok(()) => Ok(meter.take_tools(source).unwrap_or_default()),
        Err(Failure::Read(error) | Failure::Write(error)) => Err(error),
    }
}
