//! `registry diff`: the tools of two snapshots.

use std::path::PathBuf;

use crate::args::ListFormat;
use crate::exit::Exit;
use crate::input::Source;
use crate::{output, tool_diff};

pub(super) fn diff(old: PathBuf, new: PathBuf, format: ListFormat) -> anyhow::Result<Exit> {
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
    Ok(if diff.fails() {
        Exit::Violations
    } else {
        Exit::Clean
    })
}
