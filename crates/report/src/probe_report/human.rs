//! A probe report for people: failures with their evidence first, then totals by family, then
//! counts.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use mcp_assay::Level;

use super::{Fault, Outcome, ProbeReport, ProbeRow, names};
use crate::{Style, visible};

/// Places of one rule that are shown, and characters of one message.
const MAX_PLACES: usize = 3;
const MAX_TEXT: usize = 400;

/// The report as text. Writing to a string cannot fail.
pub(crate) fn render(report: &ProbeReport, style: Style, verbose: bool) -> String {
    let mut out = String::new();
    let rows = report.rows.iter();
    let mut failed: Vec<_> = rows.filter(|row| row.outcome == Outcome::Failed).collect();
    failed.sort_by_key(|row| std::cmp::Reverse(row.level));
    for row in failed {
        show(row, style, &mut out);
    }
    if verbose {
        for row in &report.rows {
            let _ = write!(out, "{:<15}{}", row.outcome.status(), row.rule);
            if !row.reason.is_empty() {
                let _ = write!(out, ": {}", visible::text(&row.reason));
            }
            out.push('\n');
        }
        out.push('\n');
    }
    families(report, &mut out);
    for note in &report.notes {
        let _ = writeln!(out, "note: {}", visible::text(note));
    }
    let _ = writeln!(out, "{}", report.traffic());
    let errors = |row: &&ProbeRow| row.outcome.is_broken() && row.level == Level::Error;
    let _ = writeln!(
        out,
        "{} failed ({} of level error), {} passed, {} not observed, {} not applicable",
        report.broken(),
        report.rows.iter().filter(errors).count(),
        report.count(Outcome::Passed),
        report.count(Outcome::NotObserved),
        report.count(Outcome::NotApplicable)
    );
    out
}

fn show(row: &ProbeRow, style: Style, out: &mut String) {
    let (on, off) = match (style.colour, row.level) {
        (false, _) => ("", ""),
        (true, Level::Error) => ("\x1b[91m", "\x1b[0m"),
        (true, _) => ("\x1b[33m", "\x1b[0m"),
    };
    let _ = writeln!(out, "{on}{}[{}]{off}", row.level.name(), row.rule);
    let new: Vec<_> = row.faults.iter().filter(|fault| !fault.is_known).collect();
    for fault in new.iter().take(MAX_PLACES) {
        place(fault, out);
    }
    let more = new.len().saturating_sub(MAX_PLACES);
    if more > 0 {
        let _ = writeln!(out, "  ... and in {more} more places");
    }
    out.push('\n');
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
