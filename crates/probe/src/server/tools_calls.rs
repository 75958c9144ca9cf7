//! Calls of tools that do no harm or that the user named, with good arguments and with bad ones.
//! The requirements share the calls: what a good call gives decides which bad ones are made. The
//! calls also give the steps for schemas, broken streams and rounds of input what these need.

use std::time::{Duration, Instant};

use mcp_assay::model::Fact;
use mcp_assay::rules;
use serde_json::{Value, json};

use super::mrtr_rounds::Candidate;
use super::resources_subscribed::expect_served;
use super::{Listed, Probe, Step};
use super::{broken_streams, mrtr_rounds, schema_dialects};
use crate::arguments::{Generator, broken};
use crate::raw_client::{Answer, Call, Reply};
use crate::requirement::{ALL, ERROR, Requirement, SINCE_2025_11, WARNING};

static VALIDATED: Requirement = Requirement::of_server(
    "tools/input-validated",
    ERROR,
    ALL,
    "A server validates arguments before it acts on them.",
)
.page(
    "server/tools#security-considerations",
    "A tool acts on values that its author did not foresee.",
    "check the arguments against the input schema before the tool runs",
);

static IN_RESULT: Requirement = Requirement::of_server(
    rules::tools::INPUT_ERROR_IN_RESULT.name,
    WARNING,
    SINCE_2025_11,
    "Since 2025-11-25 bad argument values are also reported through isError instead of \
     invalid-params.",
)
.page(
    "server/tools#error-handling",
    "The model does not see the error and cannot mend its arguments.",
    "answer with a result that has `isError` and names the argument",
);

static EXECUTION: Requirement = Requirement::of_server(
    "tools/execution-error-in-result",
    WARNING,
    ALL,
    "A failure inside the tool is a result with isError true, so that the model can see it, \
     and not a JSON-RPC error.",
)
.page(
    "server/tools#error-handling",
    "The model does not see the error and cannot try another way.",
    "answer with a result that has `isError` and says what failed",
);

pub(super) static PROBE: Probe = Probe::walk(&[&VALIDATED, &IN_RESULT, &EXECUTION], run);

/// The longest call that is made once more to see whether it asks a capable client for input.
const SLOW: Duration = Duration::from_millis(500);

/// Tools called that the user did not name.
const MOST_CALLS: usize = 16;

fn run(step: &mut Step<'_, '_>, listed: &Listed) {
    if !step.client.declares("/tools") {
        for id in [&VALIDATED, &IN_RESULT, &EXECUTION] {
            step.not_applicable(id, "tools are not declared");
        }
        if step.client.is_http() {
            broken_streams::run(step, None);
        }
        return;
    }
    let options = step.client.options.clone();
    let mut seen = Seen::default();
    for (name, arguments) in &options.calls {
        if step.is_over() {
            return;
        }
        let params = call(name, arguments);
        let sent = step.client.begin("tools/call", params.clone());
        if let Some(answer) = answer_in_time(step, sent, options.step_timeout) {
            seen.keep_slowest(step, &answer, params);
        }
    }
    let mut generator = Generator::new(options.seed);
    let (mut called, mut late) = (0, Vec::new());
    for tool in &listed.tools {
        let Some(name) = tool["name"].as_str() else {
            continue;
        };
        // The annotation is the server's word, and it is its own tool.
        let harmless = tool["annotations"]["readOnlyHint"] == json!(true);
        let is_task = tool["execution"]["taskSupport"] == json!("required")
            && step.client.declares("/tasks/requests/tools/call");
        if step.findings.slow.contains(name) || is_task {
            continue;
        }
        if !(harmless || options.call_tools) || called >= MOST_CALLS || step.is_over() {
            continue;
        }
        called += 1;
        let arguments = generator.arguments(&tool["inputSchema"]);
        let params = with_meta(step, call(name, &arguments), called);
        let due = Instant::now() + options.step_timeout;
        let sent = step.client.begin("tools/call", params);
        match answer_soon(step, sent) {
            Some(answer) => seen.take(step, tool, &arguments, answer),
            None => late.push((tool, arguments, sent, due)),
        }
    }
    // Tools that take their time do so side by side.
    for (tool, arguments, sent, due) in late {
        let left = due.saturating_duration_since(Instant::now());
        if let Some(answer) = answer_in_time(step, sent, left) {
            seen.take(step, tool, &arguments, answer);
        } else if let Some(name) = tool["name"].as_str() {
            step.findings.slow.insert(name.to_owned());
        }
    }
    schema_dialects::not_seen(step, seen.newer, seen.foreign);
    if step.client.is_http() {
        broken_streams::run(step, seen.slowest);
    }
    if step.client.is_stateless() {
        mrtr_rounds::run(step, listed, seen.candidates);
    }
    step.not_observed(&EXECUTION, "no tool that was called failed");
    if called == 0 {
        for id in [&VALIDATED, &IN_RESULT] {
            step.not_observed(
                id,
                "no tool is annotated as read-only; --call-tools calls others",
            );
        }
    }
}

/// Calls each tool that may be called once, and nothing more.
pub(super) fn call_each(step: &mut Step<'_, '_>, listed: &Listed) {
    let options = step.client.options.clone();
    let mut generator = Generator::new(options.seed);
    let mut late = Vec::new();
    for tool in listed.tools.iter().take(MOST_CALLS) {
        let harmless = tool["annotations"]["readOnlyHint"] == json!(true) || options.call_tools;
        let Some(name) = tool["name"].as_str().filter(|_| harmless) else {
            continue;
        };
        if step.is_over() {
            return;
        }
        let arguments = generator.arguments(&tool["inputSchema"]);
        let due = Instant::now() + options.step_timeout;
        let sent = step.client.begin("tools/call", call(name, &arguments));
        if answer_soon(step, sent).is_none() {
            late.push((sent, due));
        }
    }
    for (sent, due) in late {
        answer_in_time(step, sent, due.saturating_duration_since(Instant::now()));
    }
}

/// The outcomes of the calls with good arguments.
#[derive(Default)]
struct Seen<'l> {
    /// The call that took longest, and its params.
    slowest: Option<(Duration, Value)>,
    /// The calls that were answered soon.
    candidates: Vec<Candidate<'l>>,
    /// Whether a schema has keywords of a newer dialect, or is of a foreign one.
    newer: bool,
    foreign: bool,
}

impl<'l> Seen<'l> {
    /// Takes the answer to a call with good arguments, and makes the one with bad ones.
    fn take(
        &mut self,
        step: &mut Step<'_, '_>,
        tool: &'l Value,
        arguments: &Value,
        answer: Answer,
    ) {
        let name = tool["name"].as_str().unwrap_or_default();
        let schema = &tool["inputSchema"];
        let failed = answer
            .result()
            .is_some_and(|result| result["isError"] == json!(true));
        check_failure(step, name, &answer, failed);
        if tool["execution"]["taskSupport"].is_null() {
            expect_served(step, "tools/call", "tools", &answer);
        }
        let params = call(name, arguments);
        if answer.code().is_none() && !failed {
            self.keep_slowest(step, &answer, params.clone());
        }
        let duration = step.client.duration(&answer);
        if duration.is_some_and(|took| took < SLOW) {
            self.candidates.push(Candidate {
                method: "tools/call",
                params,
                tool: Some(tool),
                answer,
            });
        }
        self.newer |= schema_dialects::run(step, name, schema, arguments);
        self.foreign |= schema_dialects::is_foreign(schema);
        bad_arguments(step, name, schema, arguments);
    }

    /// Tracks the call that took longest.
    fn keep_slowest(&mut self, step: &Step<'_, '_>, answer: &Answer, params: Value) {
        let succeeds = answer
            .result()
            .is_some_and(|result| result["isError"] != json!(true));
        if let Some(duration) = step.client.duration(answer).filter(|_| succeeds)
            && self
                .slowest
                .as_ref()
                .is_none_or(|(known, _)| duration > *known)
        {
            self.slowest = Some((duration, params));
        }
    }
}

/// A tool that fails with good arguments says so in its result, where a model sees it.
fn check_failure(step: &mut Step<'_, '_>, name: &str, answer: &Answer, failed: bool) {
    if failed {
        step.pass(&EXECUTION);
    } else if answer.code() == Some(-32603) {
        let message = format!(
            "a failure of tool `{name}` was answered with error -32603, expected a result with \
             `isError`"
        );
        step.fail(&EXECUTION, message, &answer.evidence);
    }
}

/// The answer to a call, if the tool is quick. A server that does one thing at a time answers the
/// next request when it is done.
fn answer_soon(step: &mut Step<'_, '_>, sent: Call) -> Option<Answer> {
    let mut answer = step.client.answer_within(sent, SLOW);
    if answer.reply == Reply::Silence {
        step.client.is_alive();
        answer = step.client.answer_within(sent, Duration::ZERO);
    }
    if answer.reply == Reply::Silence {
        return None;
    }
    step.note_silence("tools/call", &answer);
    Some(answer)
}

/// The answer to a call that may take its time: then it is cancelled, which is no failure.
fn answer_in_time(step: &mut Step<'_, '_>, sent: Call, patience: Duration) -> Option<Answer> {
    let answer = step.client.answer_within(sent, patience);
    if answer.reply != Reply::Silence {
        step.note_silence("tools/call", &answer);
        return Some(answer);
    }
    if !(step.client.is_http() && step.client.is_stateless()) {
        let params = json!({"requestId": sent.id, "reason": "it takes too long"});
        let (sent, _) = step.client.notify("notifications/cancelled", params);
        step.check_end("notifications/cancelled", sent);
    }
    None
}

fn call(name: &str, arguments: &Value) -> Value {
    json!({"name": name, "arguments": arguments})
}

/// Asks for progress, which a server may give or not, and with every other call for messages of a
/// level, where calls ask for them.
fn with_meta(step: &Step<'_, '_>, mut params: Value, number: usize) -> Value {
    params["_meta"] = json!({"progressToken": format!("probe-{number}")});
    let in_meta = step
        .revision()
        .is_some_and(|revision| revision.has(Fact::LogLevelInMeta));
    if in_meta && step.client.declares("/logging") && number.is_multiple_of(2) {
        params["_meta"]["io.modelcontextprotocol/logLevel"] = json!("warning");
    }
    params
}

/// A value of the wrong type must not lead to success.
fn bad_arguments(step: &mut Step<'_, '_>, name: &str, schema: &Value, good: &Value) {
    let Some((arguments, place)) = broken(schema, good) else {
        return;
    };
    if step.is_over() || !step.wants(&[&VALIDATED, &IN_RESULT]) {
        return;
    }
    let answer = step.ask("tools/call", call(name, &arguments));
    let in_result = step
        .revision()
        .is_some_and(|revision| revision.has(Fact::ArgumentErrorsInResult));
    match &answer.reply {
        Reply::Result(result) if result["isError"] == json!(true) => {
            step.pass(&VALIDATED);
            step.pass(&IN_RESULT);
            pass_foreign(step, schema);
        }
        Reply::Result(result) if result["resultType"] == json!("input_required") => {}
        Reply::Result(_) if schema_dialects::is_foreign(schema) => {
            let message = format!(
                "tool `{name}` has a schema of a dialect of its own, and took argument `{place}` \
                 of another type without a word"
            );
            step.fail(&schema_dialects::FOREIGN, message, &answer.evidence);
        }
        Reply::Result(_) => {
            let message = format!(
                "tool `{name}` succeeded although argument `{place}` is not of the type that its \
                 schema demands"
            );
            step.fail(&VALIDATED, message, &answer.evidence);
        }
        Reply::Error(code, _) => {
            step.pass(&VALIDATED);
            pass_foreign(step, schema);
            if in_result {
                let message = format!(
                    "a bad argument of tool `{name}` was answered with error {code}, expected a \
                     result with `isError`"
                );
                step.fail(&IN_RESULT, message, &answer.evidence);
            }
        }
        Reply::Silence => {
            step.findings.slow.insert(name.to_owned());
        }
        Reply::Status(_) | Reply::Closed => {}
    }
}

fn pass_foreign(step: &mut Step<'_, '_>, schema: &Value) {
    if schema_dialects::is_foreign(schema) {
        step.pass(&schema_dialects::FOREIGN);
    }
}
