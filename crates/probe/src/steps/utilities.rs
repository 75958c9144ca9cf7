//! Ping, completion and logging.

use mcp_assay::model::Fact;
use serde_json::{Value, json};

use super::{Listed, Step};

const UNKNOWN_REF: &str = "completion/unknown-ref-reply";
const LEVEL: &str = "logging/invalid-level-reply";

/// One ping.
pub(crate) fn ping(step: &mut Step<'_, '_>) {
    if !step.is_over() {
        step.ask("ping", Value::Null);
    }
}

pub(crate) fn run(step: &mut Step<'_, '_>, listed: &Listed) {
    completion(step, listed);
    if !step.is_over() {
        logging(step);
    }
}

fn completion(step: &mut Step<'_, '_>, listed: &Listed) {
    if !step.client.declares("/completions") {
        step.not_applicable(UNKNOWN_REF, "completions are not declared");
        return;
    }
    let with_argument = listed.prompts.iter().find_map(|prompt| {
        let argument = prompt["arguments"].as_array()?.first()?["name"].as_str()?;
        Some((prompt["name"].as_str()?, argument))
    });
    if let Some((name, argument)) = with_argument {
        step.ask("completion/complete", complete(name, argument));
    }
    if step.wants(&[UNKNOWN_REF]) && !step.is_over() {
        let params = complete("mcp-assay-no-such-prompt", "argument");
        let answer = step.ask("completion/complete", params);
        let what = "completion for a prompt that is not listed";
        step.expect_code(UNKNOWN_REF, &answer, &[-32602], what);
    }
}

fn complete(prompt: &str, argument: &str) -> Value {
    json!({
        "ref": {"type": "ref/prompt", "name": prompt},
        "argument": {"name": argument, "value": ""},
    })
}

fn logging(step: &mut Step<'_, '_>) {
    if !step.client.declares("/logging") {
        step.not_applicable(LEVEL, "logging is not declared");
        return;
    }
    let by_request = step
        .revision()
        .is_some_and(|revision| revision.has(Fact::LogLevelByRequest));
    if !step.wants(&[LEVEL]) {
        return;
    }
    let answer = if by_request {
        step.ask("logging/setLevel", json!({"level": "warning"}));
        step.ask("logging/setLevel", json!({"level": "mcp-assay"}))
    } else {
        let meta = json!({"_meta": {"io.modelcontextprotocol/logLevel": "mcp-assay"}});
        let method = if step.client.declares("/tools") {
            "tools/list"
        } else {
            "server/discover"
        };
        step.ask(method, meta)
    };
    step.expect_code(LEVEL, &answer, &[-32602], "a log level that does not exist");
}
