//! Writes each failure as a capture, with the command that shows it.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::Context;
use mcp_assay_probe::{Entry, Failure, Report};
use mcp_assay_report::visible;

use super::client;
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
    let command = if entry.passive {
        let path = capture.to_string_lossy().into_owned();
        vec![
            "check".to_owned(),
            "--select".to_owned(),
            entry.id.to_owned(),
            path,
        ]
    } else {
        again(entry.id, &revisions, args)
    };
    let command: Vec<_> = command.iter().map(|word| quoted(word)).collect();
    let message = visible(&failure.message);
    let mut text = format!("{}[{}]: {message}\n", entry.level.name(), entry.id);
    // Writing to a string cannot fail.
    if !revisions.is_empty() {
        let _ = writeln!(text, "revisions: {}", revisions.join(", "));
    }
    if !entry.passive && !args.header.is_empty() {
        // They may be secret.
        text.push_str("it needs the same --header flags\n");
    }
    let _ = writeln!(text, "\nmcp-assay {}", command.join(" "));
    text
}

/// The arguments that probe for one rule again.
fn again(id: &str, revisions: &[&str], args: &ProbeArgs) -> Vec<String> {
    let mut words = vec!["probe".to_owned()];
    words.extend(
        client::words(args.tested)
            .iter()
            .map(|word| (*word).to_owned()),
    );
    words.extend(["--only".to_owned(), id.to_owned()]);
    if let [revision] = revisions {
        words.extend(["--revision".to_owned(), (*revision).to_owned()]);
    }
    if args.call_tools {
        words.push("--call-tools".to_owned());
    }
    for (tool, arguments) in &args.call {
        words.extend(["--call".to_owned(), format!("{tool}={arguments}")]);
    }
    if args.seed != 0 {
        words.extend(["--seed".to_owned(), args.seed.to_string()]);
    }
    match &args.url {
        Some(url) => words.extend(["--url".to_owned(), url.clone()]),
        None => {
            words.push("--".to_owned());
            words.extend(args.command.iter().cloned());
        }
    }
    words
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
