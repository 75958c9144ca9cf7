//! The report for programs: one document with every rule.

use mcp_assay_probe::{Entry, Failure, Report, Status};
use serde_json::{Value, json};

use super::known::Known;

/// The report as JSON.
pub(super) fn render(report: &Report, known: &Known) -> String {
    let revisions: Vec<_> = report
        .revisions
        .iter()
        .map(|revision| revision.name())
        .collect();
    let counts: serde_json::Map<String, Value> = Status::ALL
        .into_iter()
        .map(|status| (key(status).to_owned(), json!(report.count(status))))
        .collect();
    let document = json!({
        "revisions": revisions,
        "rules": report.entries.iter().map(|one| entry(one, known)).collect::<Vec<_>>(),
        "notes": report.notes,
        "summary": {
            "messages": report.messages,
            "connections": report.connections,
            "rules": counts,
        },
    });
    format!("{document:#}\n")
}

/// The report of a probe that could not be made.
pub(super) fn trouble(why: &str) -> String {
    format!("{:#}\n", json!({"error": why}))
}

fn entry(entry: &Entry, known: &Known) -> Value {
    let mut value = json!({
        "rule": entry.id,
        "about": entry.about,
        "level": entry.level.name(),
        "status": key(entry.status),
        "seen_by": if entry.passive { "check" } else { "probe" },
    });
    if !entry.reason.is_empty() {
        value["reason"] = json!(entry.reason);
    }
    if !entry.failures.is_empty() {
        let failures = entry.failures.iter().enumerate();
        value["failures"] = failures
            .map(|(index, one)| {
                let mut value = failure(one);
                if known.has(entry, index) {
                    value["known"] = json!(true);
                }
                value
            })
            .collect();
    }
    value
}

fn failure(failure: &Failure) -> Value {
    let evidence: Vec<Value> = failure
        .evidence
        .iter()
        .map(|record| {
            // It was written as JSON a moment ago.
            serde_json::from_str(&record.to_capture()).unwrap_or_default()
        })
        .collect();
    let revisions: Vec<_> = failure
        .revisions
        .iter()
        .map(|revision| revision.name())
        .collect();
    json!({
        "message": failure.message,
        "method": failure.method,
        "pointer": failure.pointer,
        "revisions": revisions,
        "evidence": evidence,
    })
}

fn key(status: Status) -> &'static str {
    match status {
        Status::Fail => "fail",
        Status::Pass => "pass",
        Status::NotObserved => "not_observed",
        Status::NotApplicable => "not_applicable",
    }
}
