//! Writes each failure as a capture, with the command that shows it.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::Context;
use mcp_assay_probe::{Entry, Failure, Report};
use mcp_assay_report::{quoted, visible};

use super::again;
use crate::args::ProbeArgs;

/// Writes two files for each failure.
pub(super) fn write(folder: &Path, args: &ProbeArgs, report: &Report) -> anyhow::Result<()> {
    fs::create_dir_all(folder)
        .with_context(|| format!("failed to create the folder {}", folder.display()))?;
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
    let id = entry.id;
    let command = if entry.passive {
        let path = quoted(&capture.to_string_lossy());
        let mut words = vec!["mcp-assay check".to_owned()];
        // Rules of a profile cannot be selected by name.
        if mcp_assay::selectable(id).is_ok() {
            words.push(format!("--select {id}"));
        }
        words.push(path);
        words.extend(again::judging(args));
        words.join(" ")
    } else {
        let revision = match &revisions[..] {
            // Versions are compared with each other.
            [revision] if !id.starts_with("version/") => format!("--revision {revision} "),
            _ => String::new(),
        };
        let (program, rest) = (again::program(args), again::in_private(args));
        format!("{program} --only {id} {revision}{rest}")
    };
    let message = visible(&failure.message);
    let mut text = format!("{}[{id}]: {message}\n", entry.level.name());
    // Writing to a string cannot fail.
    if !revisions.is_empty() {
        let _ = writeln!(text, "revisions: {}", revisions.join(", "));
    }
    if !entry.passive && !args.header.is_empty() {
        // They may be secret.
        text.push_str("it needs the same --header flags\n");
    }
    let _ = writeln!(text, "\n{command}");
    text
}
