//! A probe report for people: the verdict first, then the failures with what to do about them, then
//! counts. The families come only if everything is asked for.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use mcp_assay::Level;

use super::{Blame, Fault, Outcome, ProbeReport, ProbeRow, names};
use crate::paint::Paint;
use crate::{Style, visible, wrap};

/// Places of one rule that are shown, and characters of one message.
const MAX_PLACES: usize = 3;
const MAX_TEXT: usize = 400;

/// The report as text. Writing to a string cannot fail.
pub(crate) fn render(report: &ProbeReport, style: Style, verbose: bool) -> String {
    let paint = Paint::new(style);
    let mut out = String::new();
    let _ = writeln!(out, "{}", verdict(report, paint));
    failures(report, paint, verbose, &mut out);
    if verbose {
        for row in &report.rows {
            let _ = write!(out, "{:<15}{}", row.outcome.status(), row.rule);
            if !row.reason.is_empty() {
                let _ = write!(out, ": {}", visible::text(&row.reason));
            }
            out.push('\n');
        }
        out.push('\n');
        families(report, &mut out);
    }
    for note in &report.notes {
        let _ = writeln!(out, "note: {}", visible::text(note));
    }
    let _ = writeln!(
        out,
        "{} messages over {} connections",
        report.messages, report.connections
    );
    let _ = writeln!(
        out,
        "{} failed ({} of level error), {} passed, {} not observed, {} not applicable",
        report.broken(),
        count(report, |row| row.outcome.is_broken()
            && row.level == Level::Error),
        report.count(Outcome::Passed),
        report.count(Outcome::NotObserved),
        report.count(Outcome::NotApplicable)
    );
    wrap::folded_text(&out, style).into_owned()
}

/// The server, the revisions and the verdict in a line.
fn verdict(report: &ProbeReport, paint: Paint) -> String {
    let subject = visible::text(&report.subject);
    let spoken = match &names(&report.revisions)[..] {
        [] => "no revision of MCP".to_owned(),
        revisions => revisions.join(", "),
    };
    let failed = |level: Level| {
        count(report, |row| {
            row.outcome == Outcome::Failed && row.level == level
        })
    };
    let counts: Vec<_> = [Level::Error, Level::Warning, Level::Note]
        .into_iter()
        .filter(|level| failed(*level) > 0)
        .map(|level| match failed(level) {
            1 => format!("1 {}", level.name()),
            more => format!("{more} {}s", level.name()),
        })
        .collect();
    let verdict = match &counts[..] {
        [] => paint.bold("clean"),
        counts if failed(Level::Error) > 0 => paint.level(Level::Error, &counts.join(", ")),
        counts => paint.level(Level::Warning, &counts.join(", ")),
    };
    match report.authorisation {
        Some(status) => {
            format!("{subject} wants authorisation (status {status}); without it: {verdict}")
        }
        None => format!("{subject} speaks {spoken}: {verdict}"),
    }
}

fn count(report: &ProbeReport, is_one: impl Fn(&ProbeRow) -> bool) -> usize {
    report.rows.iter().filter(|row| is_one(row)).count()
}

/// The failures of the server with the remedy, then those of its SDK, a line each.
fn failures(report: &ProbeReport, paint: Paint, verbose: bool, out: &mut String) {
    let rows = report.rows.iter();
    let mut failed: Vec<_> = rows.filter(|row| row.outcome == Outcome::Failed).collect();
    failed.sort_by_key(|row| std::cmp::Reverse(row.level));
    let (of_sdk, own): (Vec<_>, Vec<_>) = failed
        .into_iter()
        .partition(|row| matches!(row.blame, Blame::Sdk(_)));
    if let (Some(sdk), false) = (&report.sdk, own.is_empty()) {
        let _ = writeln!(out, "\nyour server (besides {})", visible::text(sdk));
    }
    for row in own {
        show(
            report,
            row,
            paint,
            verbose || row.level == Level::Error,
            out,
        );
    }
    if let (Some(sdk), false) = (&report.sdk, of_sdk.is_empty()) {
        let _ = writeln!(
            out,
            "\nyour SDK: {}; nothing to change in your server",
            visible::text(sdk)
        );
        for row in of_sdk {
            show_of_sdk(report, row, paint, verbose, out);
        }
        let _ = writeln!(
            out,
            "  --sdk-report prints this part as an issue for its authors"
        );
    }
    if report.count(Outcome::Failed) > 0 {
        let _ = writeln!(
            out,
            "\n`mcp-assay explain RULE` prints the page of a rule\n"
        );
    }
}

/// A failure with its remedy; in full with the messages that show it.
fn show(report: &ProbeReport, row: &ProbeRow, paint: Paint, full: bool, out: &mut String) {
    let head = format!("{}[{}]", row.level.name(), row.rule);
    let head = paint.level(row.level, &head);
    let new: Vec<_> = row.faults.iter().filter(|fault| !fault.is_known).collect();
    if !full {
        let message = new
            .first()
            .map_or(row.about, |fault| fault.message.as_str());
        let more = match new.len() {
            0 | 1 => String::new(),
            2 => " (and in 1 more place)".to_owned(),
            more => format!(" (and in {} more places)", more - 1),
        };
        let _ = writeln!(out, "{head} {}{more}", visible::text(message));
        let _ = writeln!(out, "  fix: {} ({})", row.help, row.clause);
        return;
    }
    let _ = writeln!(out, "{head}");
    for fault in new.iter().take(MAX_PLACES) {
        place(fault, out);
    }
    let more = new.len().saturating_sub(MAX_PLACES);
    if more > 0 {
        let places = if more == 1 { "place" } else { "places" };
        let _ = writeln!(out, "  ... and in {more} more {places}");
    }
    let _ = writeln!(out, "  fix: {}", row.help);
    let _ = writeln!(out, "  clause: {}", row.clause);
    let again = report.context.again("", row.rule);
    let _ = writeln!(out, "  again: {}", visible::text(&again));
    let _ = writeln!(out, "  page: mcp-assay explain {}", row.rule);
}

fn show_of_sdk(
    report: &ProbeReport,
    row: &ProbeRow,
    paint: Paint,
    verbose: bool,
    out: &mut String,
) {
    if verbose {
        show(report, row, paint, true, out);
    }
    let Blame::Sdk(reason) = &row.blame else {
        return;
    };
    let head = format!("{}[{}]", row.level.name(), row.rule);
    let head = paint.level(row.level, &head);
    let _ = writeln!(out, "  {head} {}", visible::text(reason));
}

fn place(fault: &Fault, out: &mut String) {
    let _ = write!(out, "  {}", visible::text(&fault.message));
    if let Some(method) = &fault.method {
        let _ = write!(out, " ({}", visible::text(method));
        if !fault.pointer.is_empty() {
            let _ = write!(out, " at {}", visible::text(&fault.pointer));
        }
        out.push(')');
    }
    if !fault.revisions.is_empty() {
        let _ = write!(out, " [{}]", names(&fault.revisions).join(", "));
    }
    out.push('\n');
    if let Some(schema) = &fault.schema {
        let _ = writeln!(out, "    schema: {}", visible::text(&schema.to_string()));
    }
    for evidence in &fault.evidence {
        let arrow = evidence.arrow();
        let cut: String = evidence.text.chars().take(MAX_TEXT).collect();
        let dots = if cut.len() < evidence.text.len() {
            "..."
        } else {
            ""
        };
        let _ = writeln!(out, "    {arrow} {}{dots}", visible::text(&cut));
    }
}

fn families(report: &ProbeReport, out: &mut String) {
    let mut families: BTreeMap<&str, [usize; 4]> = BTreeMap::new();
    for row in &report.rows {
        let column = match row.outcome {
            Outcome::Failed | Outcome::Known => 0,
            Outcome::Passed => 1,
            Outcome::NotObserved => 2,
            Outcome::NotApplicable => 3,
        };
        families.entry(row.family()).or_default()[column] += 1;
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
