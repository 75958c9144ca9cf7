//! A sheet for programs: one document with every rule.

use serde_json::{Value, json};

use super::{Fault, Outcome, Sheet, SheetRow, names};

/// The sheet as JSON, or why there is none.
pub(crate) fn render(sheet: &Sheet) -> String {
    let document = match &sheet.trouble {
        Some(why) => json!({"error": why}),
        None => json!({
            "revisions": names(&sheet.revisions),
            "rules": sheet.rows.iter().map(row).collect::<Vec<_>>(),
            "notes": sheet.notes,
            "summary": {
                "messages": sheet.messages,
                "connections": sheet.connections,
                "rules": {
                    "fail": sheet.broken(),
                    "pass": sheet.count(Outcome::Passed),
                    "not_observed": sheet.count(Outcome::NotObserved),
                    "not_applicable": sheet.count(Outcome::NotApplicable),
                },
            },
        }),
    };
    format!("{document:#}\n")
}

fn row(row: &SheetRow) -> Value {
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
