//! Answers as lines.

use mcp_assay::syntax::write_text;
use mcp_assay_contract::Misfit;
use mcp_assay_contract::protocol::{Problem, ValidationError};
use mcp_assay_report::visible;
use serde_json::{Map, Value, json};

/// The answer of a command. The id is JSON, as it was given.
pub(super) fn good(id: &str, result: &str) -> String {
    format!(r#"{{"id":{id},"ok":true,"result":{result}}}"#)
}

/// The answer to a line that is no question.
pub(super) fn bad(id: &str, message: &str) -> String {
    let mut text = format!(r#"{{"id":{id},"ok":false,"error":{{"kind":"bad_question","message":"#);
    write_text(&visible(message), &mut text);
    text.push_str("}}");
    text
}

/// The result of a check: whether it is valid, the problems, and all of them in one line.
pub(super) fn checked(found: &Result<(), ValidationError>) -> String {
    let result = match found {
        Ok(()) => json!({"valid": true, "problems": []}),
        Err(error) => {
            let problems: Vec<Value> = error.problems().map(problem).collect();
            json!({
                "valid": false,
                "reason": error.reason().as_str(),
                "problems": problems,
                "text": error.to_string(),
            })
        }
    };
    result.to_string()
}

/// The result of a check of a document.
pub(super) fn misfits(found: &[Misfit]) -> String {
    let problems = found
        .iter()
        .map(|misfit| json!({"pointer": misfit.pointer, "message": misfit.reason}));
    json!({"valid": found.is_empty(), "problems": problems.collect::<Vec<_>>()}).to_string()
}

fn problem(problem: &Problem) -> Value {
    let details = problem.details.iter();
    let details = details.map(|(name, value)| ((*name).to_owned(), json!(value)));
    json!({
        "reason": problem.reason.as_str(),
        "details": details.collect::<Map<_, _>>(),
        "index": problem.index,
        "pointer": problem.pointer,
        "rule": problem.rule,
        "message": problem.message,
    })
}
