//! A probe report for programs: one document with every rule, or one line for each.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::{Blame, Fault, Outcome, ProbeReport, ProbeRow, names};
use crate::finding::SchemaMember;
use crate::write_json;

/// The rules that are listed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Listed {
    All,
    /// Those that failed.
    Failed,
}

/// The report as one document, or the reason why there is none.
pub(crate) fn render(report: &ProbeReport, listed: Listed) -> String {
    let document = match &report.trouble {
        Some(why) => json!({"error": why}),
        None => json!({
            "revisions": names(&report.revisions),
            "rules": rows(report, listed).map(row).collect::<Vec<_>>(),
            "sdk": report.sdk,
            "notes": report.notes,
            "summary": summary(report),
        }),
    };
    format!("{document:#}\n")
}

/// The report as one line for each rule and one with the summary, or the reason why there is none.
pub(crate) fn write_lines(
    report: &ProbeReport,
    listed: Listed,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut write = |line: &Value| {
        write_json(line, out)?;
        out.write_all(b"\n")
    };
    if let Some(why) = &report.trouble {
        return write(&json!({"error": why}));
    }
    for rule in rows(report, listed) {
        write(&row(rule))?;
    }
    let mut summary = summary(report);
    summary["revisions"] = names(&report.revisions).into();
    summary["sdk"] = report.sdk.clone().into();
    summary["notes"] = report.notes.clone().into();
    write(&json!({"summary": summary}))
}

fn rows(report: &ProbeReport, listed: Listed) -> impl Iterator<Item = &ProbeRow> {
    let rows = report.rows.iter();
    rows.filter(move |row| listed == Listed::All || row.outcome.is_broken())
}

fn summary(report: &ProbeReport) -> Value {
    json!({
        "messages": report.messages,
        "connections": report.connections,
        "rules": {
            "fail": report.broken(),
            "pass": report.count(Outcome::Passed),
            "not_observed": report.count(Outcome::NotObserved),
            "not_applicable": report.count(Outcome::NotApplicable),
        },
    })
}

fn row(row: &ProbeRow) -> Value {
    let status = match row.outcome {
        Outcome::Known => Outcome::Failed.status(),
        outcome => outcome.status(),
    };
    let mut value = json!({
        "rule": row.rule,
        "about": row.about,
        "level": row.level.name(),
        "status": status.replace(' ', "_"),
        "help": row.help,
        "spec": row.clause,
        "seen_by": if row.is_passive { "check" } else { "probe" },
    });
    if let Blame::Sdk(reason) = &row.blame {
        value["blame"] = json!({"sdk": reason});
    }
    if !row.reason.is_empty() {
        value["reason"] = json!(row.reason);
    }
    if !row.faults.is_empty() {
        value["failures"] = row.faults.iter().map(fault).collect();
    }
    value
}

fn fault(fault: &Fault) -> Value {
    let evidence = fault.evidence.iter();
    let mut value = json!({
        "message": fault.message,
        "method": fault.method,
        "pointer": fault.pointer,
        "revisions": names(&fault.revisions),
        // It was written as JSON a moment ago.
        "evidence": evidence
            .map(|one| serde_json::from_str(&one.capture).unwrap_or_default())
            .collect::<Vec<Value>>(),
    });
    if let Some(schema) = fault.schema.clone() {
        value["schema"] = json!(SchemaMember::from(schema));
    }
    if fault.is_known {
        value["known"] = json!(true);
    }
    value
}
