//! `registry diff`: the tools of two snapshots.

use std::path::PathBuf;

use crate::args::{ListFormat, Undecided};
use crate::exit::Exit;
use crate::input::Source;
use crate::{output, tool_diff};

pub(super) fn diff(
    old: PathBuf,
    new: PathBuf,
    format: ListFormat,
    undecided: Undecided,
) -> anyhow::Result<Exit> {
    let [old, new] = [old, new].map(|path| {
        super::snapshot::snapshot(&if path.as_os_str() == "-" {
            Source::Stdin
        } else {
            Source::File(path)
        })
    });
    let diff = tool_diff::compare(&old?, &new?);
    let text = match format {
        ListFormat::Human => tool_diff::human(&diff, true),
        ListFormat::Json => tool_diff::json(&diff),
    };
    output::print(text.as_bytes())?;
    if let Some(warning) = diff.warning(undecided) {
        output::say(&warning);
    }
    Ok(if diff.fails(undecided) {
        Exit::Violations
    } else {
        Exit::Clean
    })
}
