//! A probe report as findings, for the formats that are lists of them.

use serde_json::{Map, Value};

use super::{Fault, Outcome, ProbeReport, ProbeRow};
use crate::finding::{Finding, Told};
use crate::visible;

/// Failures that no baseline knows.
pub(crate) fn of(report: &ProbeReport) -> impl Iterator<Item = Finding> {
    let places = report
        .rows
        .iter()
        .filter(|row| row.outcome == Outcome::Failed)
        .flat_map(|row| row.faults.iter().map(move |fault| (row, fault)));
    places
        .filter(|(_, fault)| !fault.is_known)
        .map(|(row, fault)| finding(report, row, fault))
}

fn finding(report: &ProbeReport, row: &ProbeRow, fault: &Fault) -> Finding {
    let help = if row.help.is_empty() {
        let again = report.context.again("", row.rule);
        format!("`{again}` shows it again")
    } else {
        row.help.clone()
    };
    let mut what = format!("probe of {}", report.subject);
    let place = fault.place();
    if !place.is_empty() {
        what = format!("{what}: {place}");
    }
    Finding::told(Told {
        source: report.file.as_deref(),
        level: row.level,
        rule: row.rule,
        summary: row.about,
        message: &fault.message,
        help,
        clause: row.clause.clone(),
        what,
        method: fault.method.as_deref(),
        pointer: &fault.pointer,
        schema: fault.schema.clone(),
        // Findings of steps have no pointer: the sentence distinguishes them.
        detail: match fault.method {
            Some(_) => String::new(),
            None => fault.message.clone(),
        },
    })
}

/// The number of rules by outcome.
pub(crate) fn counts(report: &ProbeReport) -> Map<String, Value> {
    Outcome::ALL
        .into_iter()
        .map(|outcome| {
            (
                outcome.name().replace(' ', "_"),
                report.count(outcome).into(),
            )
        })
        .collect()
}

/// The same in a sentence.
pub(crate) fn summary(report: &ProbeReport) -> String {
    let text = format!("{}: {}", report.subject, counts_in_words(report));
    visible::text(&text).into_owned()
}

/// The same without the name of the peer.
pub(crate) fn counts_in_words(report: &ProbeReport) -> String {
    let counts: Vec<_> = Outcome::ALL
        .into_iter()
        .filter(|outcome| *outcome != Outcome::Known || report.count(*outcome) > 0)
        .map(|outcome| format!("{} {}", report.count(outcome), outcome.name()))
        .collect();
    counts.join(", ")
}
