//! A probe report for programs: one document with every rule.

use serde_json::{Value, json};

use super::{Fault, Outcome, ProbeReport, ProbeRow, names};

/// The report as JSON, or the reason why there is none.
pub(crate) fn render(report: &ProbeReport) -> String {
    let document = match &report.trouble {
        Some(why) => json!({"error": why}),
        None => json!({
            "revisions": names(&report.revisions),
            "rules": report.rows.iter().map(row).collect::<Vec<_>>(),
            "notes": report.notes,
            "summary": {
                "messages": report.messages,
                "connections": report.connections,
                "rules": {
                    "fail": report.broken(),
                    "pass": report.count(Outcome::Passed),
                    "not_observed": report.count(Outcome::NotObserved),
                    "not_applicable": report.count(Outcome::NotApplicable),
                },
            },
        }),
    };
    format!("{document:#}\n")
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
        "seen_by": if row.is_passive { "check" } else { "probe" },
    });
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
    if fault.is_known {
        value["known"] = json!(true);
    }
    value
}
