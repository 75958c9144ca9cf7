//! The report.

use std::collections::BTreeMap;
use std::env;
use std::io::{self, Write};
use std::path::Path;

use mcp_assay::Violation;
use mcp_assay_probe::{
    Connection, Entry, Failure, Options, Record, Report, Sdk, Seen, Status, find_rule,
};
use mcp_assay_report::{
    Blame, Context, Evidence, Fault, Format, Origin, Outcome, ProbeReport, ProbeRow, Remark,
    Timeline, View,
};

use super::again;
use super::known::Known;
use crate::args::ProbeArgs;
use crate::config::repository;
use crate::output;

/// Writes a report.
pub(super) fn write(
    format: Format,
    args: &ProbeArgs,
    options: &Options,
    report: &Report,
    known: &Known,
    sdk: Option<&Sdk>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut shown = empty(args);
    shown.sdk = sdk.map(Sdk::to_string);
    shown.revisions.clone_from(&report.revisions);
    shown.messages = report.messages;
    shown.connections = report.connections;
    shown.notes.clone_from(&report.notes);
    shown.authorisation = report.authorisation;
    shown.rows = report
        .entries
        .iter()
        .map(|entry| row(entry, known, sdk, report))
        .collect();
    let view = View {
        style: output::style(args.report.color, args.report.output.is_some()),
        verbose: args.report.verbose,
        only_findings: args.report.only_findings,
        timeline: (format == Format::Html).then(|| timeline(&shown, options, report)),
    };
    if args.report.sdk_report {
        let issues = sdk.map(Sdk::issues).unwrap_or_default();
        return out.write_all(shown.sdk_issue(issues).as_bytes());
    }
    shown.write(format, view, out)
}

/// Writes the reason why there is none.
pub(super) fn trouble(
    format: Format,
    args: &ProbeArgs,
    why: &str,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut shown = empty(args);
    shown.trouble = Some(why.to_owned());
    shown.write(format, View::default(), out)
}

fn empty(args: &ProbeArgs) -> ProbeReport {
    let folder = env::current_dir().unwrap_or_default();
    let root = repository(&folder).unwrap_or(&folder).to_owned();
    ProbeReport {
        subject: again::subject(args),
        file: file(&args.command, &folder, &root),
        context: Context {
            probe: Some((again::program(args), again::in_public(args))),
            folder,
            root,
            ..Context::default()
        },
        ..ProbeReport::default()
    }
}

/// A file of the repository that the command names: `server.py` of `python server.py`. Annotations
/// need a place.
fn file(command: &[String], folder: &Path, root: &Path) -> Option<String> {
    // A script is an argument, or a word of one, as in `bash -c`; the program itself is often the
    // interpreter.
    let arguments = command.iter().skip(1);
    let words = arguments.flat_map(|word| word.split_whitespace());
    let program = command.first().map(String::as_str);
    let program = program.filter(|word| Path::new(word).components().count() > 1);
    let root = root.canonicalize().ok()?;
    words
        .chain(program)
        .find(|word| {
            let path = folder.join(word);
            path.is_file()
                && path
                    .canonicalize()
                    .is_ok_and(|path| path.starts_with(&root))
        })
        .map(str::to_owned)
}

fn row(entry: &Entry, known: &Known, sdk: Option<&Sdk>, report: &Report) -> ProbeRow {
    let outcome = match entry.status {
        Status::Fail if known.has_all(entry) => Outcome::Known,
        Status::Fail => Outcome::Failed,
        Status::Pass => Outcome::Passed,
        Status::NotObserved => Outcome::NotObserved,
        Status::NotApplicable => Outcome::NotApplicable,
    };
    let mut row = ProbeRow::new(entry.id, entry.level, outcome);
    row.about = entry.about;
    let rule = find_rule(entry.id);
    // A rule of a profile has its remedy in its sentence.
    rule.map_or(entry.about, |rule| rule.help)
        .clone_into(&mut row.help);
    let revisions = entry.failures.iter().flat_map(|failure| &failure.revisions);
    row.clause = rule.map_or_else(String::new, |rule| rule.clause(revisions.max().copied()));
    row.blame = blame(entry, sdk);
    row.is_passive = entry.passive;
    row.reason.clone_from(&entry.reason);
    row.faults = entry
        .failures
        .iter()
        .enumerate()
        .map(|(index, failure)| {
            let mut fault = fault(failure, report);
            fault.is_known = known.has(entry, index);
            fault
        })
        .collect();
    row
}

/// The SDK is to blame if it explains every failure of the rule.
fn blame(entry: &Entry, sdk: Option<&Sdk>) -> Blame {
    let reason = |failure: &Failure| sdk?.reason(entry.id, &failure.message);
    let reasons: Option<Vec<_>> = entry.failures.iter().map(reason).collect();
    match reasons.as_deref() {
        Some([reason, ..]) => Blame::Sdk((*reason).to_owned()),
        _ => Blame::Peer,
    }
}

fn fault(failure: &Failure, report: &Report) -> Fault {
    let mut fault = Fault::default();
    fault.message.clone_from(&failure.message);
    fault.method.clone_from(&failure.method);
    fault.pointer.clone_from(&failure.pointer);
    fault.schema.clone_from(&failure.schema);
    fault.revisions.clone_from(&failure.revisions);
    fault.evidence = failure
        .evidence
        .iter()
        .map(|record| {
            let mut evidence =
                Evidence::new(record.direction(), record.shown(), record.to_capture());
            evidence.place = place(record, report);
            evidence
        })
        .collect();
    fault
}

/// The place of a record in the timeline.
fn place(record: &Record, report: &Report) -> Option<(String, u64)> {
    report
        .transcript
        .iter()
        .enumerate()
        .find_map(|(number, connection)| {
            let at = connection.records.iter().position(|other| {
                // A message may be sent twice, but not at the same time.
                other.time == record.time && other.bytes() == record.bytes()
            })?;
            Some((name(number, connection), at as u64 + 1))
        })
}

fn name(number: usize, connection: &Connection) -> String {
    let number = number + 1;
    match connection.revision {
        Some(revision) => format!("connection {number}, {revision}"),
        None => format!("connection {number}"),
    }
}

fn timeline(shown: &ProbeReport, options: &Options, report: &Report) -> Timeline {
    let remarks = remarks(shown, report);
    let mut timeline = Timeline::new(shown.context.clone());
    for (number, connection) in report.transcript.iter().enumerate() {
        let name = name(number, connection);
        connection.replay(options, |seen| {
            let mut origin = Origin {
                source: &name,
                ..Origin::default()
            };
            match seen {
                Seen::Record(at, record, checked) => {
                    origin.line = at as u64 + 1;
                    origin.time = Some(record.time);
                    let counts = |violation: &Violation| connection.counts(at, violation.rule.name);
                    let remarks = remarks.get(&(name.as_str(), origin.line));
                    let remarks = remarks.map_or(&[][..], Vec::as_slice);
                    timeline.message(&origin, checked, counts, remarks);
                }
                Seen::Ending(ending) => {
                    origin.line = ending.at + 1;
                    timeline.ending(&origin, ending);
                }
            }
        });
    }
    timeline
}

/// The findings of steps, by the last message that shows them.
fn remarks<'s>(
    shown: &'s ProbeReport,
    report: &Report,
) -> BTreeMap<(&'s str, u64), Vec<Remark<'s>>> {
    let mut remarks: BTreeMap<_, Vec<_>> = BTreeMap::new();
    let rows = shown.rows.iter().zip(&report.entries);
    for (row, _) in rows.filter(|(_, entry)| !entry.passive) {
        for fault in &row.faults {
            let last = fault.evidence.last();
            if let Some((source, line)) = last.and_then(|last| last.place.as_ref()) {
                remarks
                    .entry((source.as_str(), *line))
                    .or_default()
                    .push(Remark {
                        rule: row.rule,
                        level: row.level,
                        message: &fault.message,
                        about: row.about,
                    });
            }
        }
    }
    remarks
}
