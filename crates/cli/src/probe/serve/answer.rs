//! Answers to commands.

use mcp_assay_harness::{Error, Timing, Violation};
use mcp_assay_report::clause;
use serde_json::{Value, json};

/// A command that worked.
pub(super) fn good(id: &Value, result: Value) -> Value {
    let mut answer = json!({"id": id, "ok": true});
    answer["result"] = result;
    answer
}

/// The answer to a line that is no command.
pub(super) fn bad(id: &Value, message: &str) -> Value {
    json!({"id": id, "ok": false, "error": {
        "kind": "bad_command", "message": mcp_assay_report::visible(message), "violations": [],
    }})
}

/// A command that failed.
pub(super) fn failed(id: &Value, error: &Error) -> Value {
    let violations: Vec<Value> = error.violations().iter().map(violation).collect();
    let mut shown = json!({
        "kind": error.kind(),
        "message": error.to_string(),
        "violations": violations,
    });
    match error {
        Error::Refused { error, .. } => {
            shown["code"] = json!(error.code);
            shown["data"] = error.data.clone();
        }
        Error::Status { status, .. } => shown["status"] = json!(status),
        _ => {}
    }
    json!({"id": id, "ok": false, "error": shown})
}

/// A violation, with the members that it has in reports, and more.
pub(super) fn violation(violation: &Violation) -> Value {
    let rule = violation.rule;
    json!({
        "rule": rule.name,
        "layer": rule.layer.name(),
        "level": violation.level.name(),
        "headline": violation.headline(),
        "message": violation.message,
        "pointer": violation.pointer,
        "span": {"start": violation.span.start, "end": violation.span.end},
        "code": if rule.code == 0 { Value::Null } else { json!(rule.code) },
        "help": violation.help,
        "spec": clause(rule, violation.revision),
        "method": violation.method,
        "revision": violation.revision.map(mcp_assay::Revision::name),
        "record": violation.at,
    })
}

/// The duration of an exchange, in milliseconds to the microsecond.
pub(super) fn timing(timing: &Timing) -> Value {
    let milliseconds = |time: std::time::Duration| (time.as_secs_f64() * 1e6).round() / 1e3;
    json!({
        "method": timing.method,
        "sent_ms": milliseconds(timing.sent),
        "took_ms": timing.took.map(milliseconds),
        "outcome": timing.outcome.name(),
    })
}
