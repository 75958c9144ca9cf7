//! `registry diff`: the tools of two snapshots.

use std::path::PathBuf;

use crate::args::ListFormat;
use crate::exit::Exit;
use crate::input::Source;
use crate::{drift, output};

pub(super) fn diff(old: PathBuf, new: PathBuf, format: ListFormat) -> anyhow::Result<Exit> {
    let [old, new] = [old, new].map(|path| {
        drift::snapshot(&if path.as_os_str() == "-" {
            Source::Stdin
        } else {
            Source::File(path)
        })
    });
    let drift = drift::compare(&old?, &new?);
    let text = match format {
        ListFormat::Human => drift::human(&drift, true),
        ListFormat::Json => drift::json(&drift),
    };
    output::print(text.as_bytes())?;
    Ok(if drift.fails() {
        Exit::Violations
    } else {
        Exit::Clean
    })
}
