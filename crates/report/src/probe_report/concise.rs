//! A probe report for agents, editors and `grep`: one line for each rule that failed, with the
//! remedy and the command that shows it again, then one line of totals.

use std::io::{self, Write};

use super::{Blame, Outcome, ProbeReport, ProbeRow, findings, names};
use crate::concise::FindingLine;
use crate::visible;

/// Columns of the peer's name where no file stands for it, of the sentence and of the remedy.
const MAX_SUBJECT: usize = 60;
const MAX_SENTENCE: usize = 160;
const MAX_REMEDY: usize = 120;

/// Writes the report.
pub(crate) fn write(report: &ProbeReport, out: &mut dyn Write) -> io::Result<()> {
    if let Some(why) = &report.trouble {
        let subject = visible::beginning(&report.subject, MAX_SUBJECT);
        return writeln!(out, "{subject}: {}", visible::text(why));
    }
    let mut failed: Vec<_> = report
        .rows
        .iter()
        .filter(|row| row.outcome == Outcome::Failed)
        .collect();
    failed.sort_by_key(|row| std::cmp::Reverse(row.level));
    for row in failed {
        show(report, row, out)?;
    }
    writeln!(out, "{}", findings::counts_in_words(report))
}

fn show(report: &ProbeReport, row: &ProbeRow, out: &mut dyn Write) -> io::Result<()> {
    let mut new = row.faults.iter().filter(|fault| !fault.is_known);
    let first = new.next();
    let more = match new.count() {
        0 => String::new(),
        1 => ", and in 1 more place".to_owned(),
        more => format!(", and in {more} more places"),
    };
    let message = first.map_or(row.about, |fault| &fault.message);
    let message = visible::beginning(message, MAX_SENTENCE);
    let revisions = match first.map_or(&[][..], |fault| &fault.revisions) {
        [] => String::new(),
        revisions => format!(" ({})", names(revisions).join(", ")),
    };
    let remedy = visible::beginning(&row.help, MAX_REMEDY);
    let blame = match &row.blame {
        Blame::Peer => "",
        Blame::Sdk(_) => " (your SDK)",
    };
    let again = report.context.again("", row.rule);
    let subject;
    let source = match &report.file {
        Some(file) => file.as_str(),
        None => {
            subject = visible::beginning(&report.subject, MAX_SUBJECT);
            &subject
        }
    };
    FindingLine {
        source,
        line: 1,
        column: 1,
        level: row.level,
        rule: row.rule,
    }
    .write(
        &format!("{message}{revisions}{more}{blame}; fix: {remedy}; again: {again}"),
        out,
    )
}
