//! Writes a golden log.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::Context;
use mcp_assay::syntax::Tape;

use super::event::LIMITS;
use super::fields::{Ids, Ignored};
use super::stream::Stream;
use crate::input::{Meter, is_packed};
use crate::json;

/// Writes a log to another file, without the members that differ from run to run, so that the next
/// one changes few lines. The file is replaced as a whole.
pub(super) fn write(new: &Path, golden: &Path, ids: Ids, meter: &Meter) -> anyhow::Result<()> {
    if is_packed(golden) {
        anyhow::bail!(
            "failed to write {}: a golden log is not packed by --update",
            golden.display()
        );
    }
    // A link stays one.
    let target = fs::canonicalize(golden).unwrap_or_else(|_| golden.to_owned());
    let context = || format!("failed to write {}", golden.display());
    let mut name = OsString::from(".");
    name.push(target.file_name().unwrap_or_default());
    name.push(format!(".{}.new", std::process::id()));
    let draft = target.with_file_name(name);
    let written = copy(new, &draft, ids, meter)
        .with_context(context)
        .and_then(|()| fs::rename(&draft, &target).with_context(context));
    if written.is_err() {
        // The failure is reported; a draft that cannot be removed is no news.
        let _ = fs::remove_file(&draft);
    }
    written
}

fn copy(new: &Path, draft: &Path, ids: Ids, meter: &Meter) -> anyhow::Result<()> {
    let volatile = Ignored::volatile(ids);
    let mut stream = Stream::open(new, meter)?;
    let mut out = BufWriter::new(File::create(draft)?);
    let (mut tape, mut text) = (Tape::new(), Vec::new());
    while let Some((number, line)) = stream.next()? {
        text.clear();
        // It was read before.
        let root = json::read(line, &LIMITS, &mut tape)
            .map_err(|_| anyhow::anyhow!("{}:{number} was changed meanwhile", new.display()))?;
        if let Some(root) = root {
            json::write(root, &mut text, |name, pointer| {
                volatile.has_member(name, pointer).then_some("")
            });
        }
        text.push(b'\n');
        out.write_all(&text)?;
    }
    Ok(out.flush()?)
}
