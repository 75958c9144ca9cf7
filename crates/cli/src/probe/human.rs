//! The report for people: failures with their evidence first, then totals by family, then counts.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use mcp_assay::{Direction, Level};
use mcp_assay_probe::{Entry, Failure, Report, Status};
use mcp_assay_report::{Style, visible};

use super::known::Known;

/// So many places of one rule are shown, and so much of one message.
const MOST_PLACES: usize = 3;
const MOST_TEXT: usize = 400;

/// The report as text. Writing to a string cannot fail.
pub(super) fn render(report: &Report, known: &Known, style: Style, verbose: bool) -> String {
    let mut out = String::new();
    let mut failures: Vec<_> = report.failures().collect();
    failures.sort_by_key(|entry| std::cmp::Reverse(entry.level));
    for entry in failures {
        if !known.has_all(entry) {
            show(entry, known, style, &mut out);
        }
    }
    if verbose {
        for entry in &report.entries {
            let status = if known.has_all(entry) {
                "known"
            } else {
                entry.status.name()
            };
            let _ = write!(out, "{status:<15}{}", entry.id);
            if !entry.reason.is_empty() {
                let _ = write!(out, ": {}", visible(&entry.reason));
            }
            out.push('\n');
        }
        out.push('\n');
    }
    families(report, &mut out);
    for note in &report.notes {
        let _ = writeln!(out, "note: {}", visible(note));
    }
    let revisions: Vec<_> = report
        .revisions
        .iter()
        .map(|revision| revision.name())
        .collect();
    let _ = writeln!(
        out,
        "{} messages over {} connections; revisions: {}",
        report.messages,
        report.connections,
        revisions.join(", ")
    );
    let errors = report
        .failures()
        .filter(|entry| entry.level == Level::Error)
        .count();
    let failed = report.count(Status::Fail);
    let _ = writeln!(
        out,
        "{failed} failed ({errors} of level error), {} passed, {} not observed, {} not applicable",
        report.count(Status::Pass),
        report.count(Status::NotObserved),
        report.count(Status::NotApplicable)
    );
    out
}

fn show(entry: &Entry, known: &Known, style: Style, out: &mut String) {
    let level = entry.level.name();
    let (on, off) = match (style.colour, entry.level) {
        (false, _) => ("", ""),
        (true, Level::Error) => ("\x1b[91m", "\x1b[0m"),
        (true, _) => ("\x1b[33m", "\x1b[0m"),
    };
    let _ = writeln!(out, "{on}{level}[{}]{off}", entry.id);
    let failures = entry.failures.iter().enumerate();
    let new: Vec<_> = failures
        .filter(|(index, _)| !known.has(entry, *index))
        .collect();
    for (_, failure) in new.iter().take(MOST_PLACES) {
        place(failure, out);
    }
    let more = new.len().saturating_sub(MOST_PLACES);
    if more > 0 {
        let _ = writeln!(out, "  ... and in {more} more places");
    }
    out.push('\n');
}

fn place(failure: &Failure, out: &mut String) {
    let _ = write!(out, "  {}", visible(&failure.message));
    if let Some(method) = &failure.method {
        let _ = write!(out, " ({}", visible(method));
        if !failure.pointer.is_empty() {
            let _ = write!(out, " at {}", visible(&failure.pointer));
        }
        out.push(')');
    }
    let revisions: Vec<_> = failure
        .revisions
        .iter()
        .map(|revision| revision.name())
        .collect();
    if !revisions.is_empty() {
        let _ = write!(out, " [{}]", revisions.join(", "));
    }
    out.push('\n');
    for record in &failure.evidence {
        let arrow = match record.direction() {
            Direction::ClientToServer => "-->",
            Direction::ServerToClient => "<--",
        };
        let text = record.shown();
        let cut: String = text.chars().take(MOST_TEXT).collect();
        let dots = if cut.len() < text.len() { "..." } else { "" };
        let _ = writeln!(out, "    {arrow} {}{dots}", visible(&cut));
    }
}

fn families(report: &Report, out: &mut String) {
    let mut families: BTreeMap<&str, [usize; 4]> = BTreeMap::new();
    for entry in &report.entries {
        let counts = families.entry(entry.family()).or_default();
        counts[entry.status as usize] += 1;
    }
    let _ = writeln!(
        out,
        "{:<16}{:>6}{:>6}{:>14}{:>16}",
        "family", "fail", "pass", "not observed", "not applicable"
    );
    for (family, [fail, pass, unseen, foreign]) in families {
        let _ = writeln!(
            out,
            "{family:<16}{fail:>6}{pass:>6}{unseen:>14}{foreign:>16}"
        );
    }
    out.push('\n');
}
