//! Writes each failure as a capture, with the command that shows it.

use std::fs;
use std::path::Path;

use anyhow::Context;
use mcp_assay_probe::{Entry, Failure, Report};

use crate::args::ProbeArgs;

/// Writes two files for each failure.
pub(super) fn write(folder: &Path, args: &ProbeArgs, report: &Report) -> anyhow::Result<()> {
    fs::create_dir_all(folder)
        .with_context(|| format!("failed to make the folder {}", folder.display()))?;
    for entry in report.failures() {
        for (index, failure) in entry.failures.iter().enumerate() {
            let name = format!("{}-{}", entry.id.replace('/', "-"), index + 1);
            let capture = folder.join(format!("{name}.ndjson"));
            put(&capture, &records(failure))?;
            let text = describe(entry, failure, args, &capture);
            put(&folder.join(format!("{name}.txt")), &text)?;
        }
    }
    Ok(())
}

fn put(path: &Path, text: &str) -> anyhow::Result<()> {
    fs::write(path, text).with_context(|| format!("failed to write {}", path.display()))
}

fn records(failure: &Failure) -> String {
    let records = if failure.capture.is_empty() {
        &failure.evidence
    } else {
        &failure.capture
    };
    records
        .iter()
        .map(|record| record.to_capture() + "\n")
        .collect()
}

fn describe(entry: &Entry, failure: &Failure, args: &ProbeArgs, capture: &Path) -> String {
    let revisions: Vec<_> = failure
        .revisions
        .iter()
        .map(|revision| revision.name())
        .collect();
    let mut text = format!(
        "{}[{}]: {}\n",
        entry.level.name(),
        entry.id,
        failure.message
    );
    if !revisions.is_empty() {
        text.push_str(&format!("revisions: {}\n", revisions.join(", ")));
    }
    let path = quoted(&capture.to_string_lossy());
    let command = if entry.passive {
        format!("mcp-assay check --select {} {path}", entry.id)
    } else {
        let mut command = format!("mcp-assay probe --only {}", entry.id);
        if let [revision] = revisions[..] {
            command.push_str(&format!(" --revision {revision}"));
        }
        if args.call_tools {
            command.push_str(" --call-tools");
        }
        if args.seed != 0 {
            command.push_str(&format!(" --seed {}", args.seed));
        }
        match &args.url {
            Some(url) => command.push_str(&format!(" --url {}", quoted(url))),
            None => {
                let words: Vec<_> = args.command.iter().map(|word| quoted(word)).collect();
                command.push_str(&format!(" -- {}", words.join(" ")));
            }
        }
        if !args.header.is_empty() {
            text.push_str("the headers of the run are needed too\n");
        }
        command
    };
    text.push_str(&format!("\n{command}\n"));
    text
}

/// A word of a shell.
fn quoted(word: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-:=@%+,".contains(&byte);
    if !word.is_empty() && word.bytes().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}
