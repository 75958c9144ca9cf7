//! The dialect in which the schemas of tools are written: arguments that only a server that reads
//! it refuses. The calls of tools are shared with `tools_calls`.

use serde_json::{Value, json};

use super::Probe;
use super::Step;
use crate::arguments::wrong;
use crate::raw_client::Reply;
use crate::requirement::{ERROR, Requirement, SINCE_2025_11};

pub(crate) static DIALECT: Requirement = Requirement::of_both(
    "schema/dialect-2020-12",
    ERROR,
    SINCE_2025_11,
    "Schemas without $schema are read as JSON Schema 2020-12, and that dialect has to be \
     supported.",
)
.page(
    "basic/index#implementation-requirements",
    "A schema that is read in another dialect allows other values than its author meant.",
    "evaluate schemas without `$schema` as JSON Schema 2020-12",
);

pub(crate) static FOREIGN: Requirement = Requirement::of_both(
    "schema/unknown-dialect-error",
    ERROR,
    SINCE_2025_11,
    "An unsupported $schema leads to a clear error, not to a crash or to silent acceptance.",
)
.page(
    "basic/index#implementation-requirements",
    "Wrong values pass without anybody noticing.",
    "report an error for a `$schema` that is not supported",
);

pub(super) static PROBE: Probe = Probe::between(&[&DIALECT, &FOREIGN]);

/// Whether a schema says that it is of a dialect which nobody published.
pub(super) fn is_foreign(schema: &Value) -> bool {
    schema["$schema"]
        .as_str()
        .is_some_and(|name| !name.contains("json-schema.org/"))
}

/// Calls a tool with arguments that break a keyword which older dialects do not have; tells whether
/// there is one.
pub(super) fn run(step: &mut Step<'_, '_>, name: &str, schema: &Value, good: &Value) -> bool {
    let Some((arguments, keyword)) = newer(schema, good) else {
        return false;
    };
    if step.is_over() || !step.wants(&[&DIALECT]) {
        return true;
    }
    let answer = step.ask("tools/call", json!({"name": name, "arguments": arguments}));
    match &answer.reply {
        Reply::Result(result) if result["isError"] == json!(true) => step.pass(&DIALECT),
        Reply::Result(result) if result["resultType"] == json!("input_required") => {}
        Reply::Result(_) => {
            let message = format!(
                "tool `{name}` succeeded although its arguments break `{keyword}` of its schema"
            );
            step.fail(&DIALECT, message, &answer.evidence);
        }
        Reply::Error(..) => step.pass(&DIALECT),
        Reply::Status(_) | Reply::Silence | Reply::Closed => {}
    }
    true
}

/// The skip reason for servers whose called tools have no such schema.
pub(super) fn not_seen(step: &mut Step<'_, '_>, newer: bool, foreign: bool) {
    if !newer {
        let why = "no tool that was called has a keyword that only 2020-12 knows";
        step.not_observed(&DIALECT, why);
    }
    if !foreign {
        let why = "no tool that was called has a schema of a dialect of its own";
        step.not_observed(&FOREIGN, why);
    }
}

/// Arguments that break a keyword of 2020-12, and the keyword.
fn newer(schema: &Value, good: &Value) -> Option<(Value, &'static str)> {
    let is_newer = schema["$schema"]
        .as_str()
        .is_none_or(|name| name.contains("json-schema.org/draft/2020-12"));
    if !is_newer {
        return None;
    }
    for (name, property) in schema["properties"].as_object()? {
        let Some(first) = property["prefixItems"].get(0) else {
            continue;
        };
        if let Some(wrong) = wrong(first) {
            let mut arguments = good.clone();
            let mut items = good[name].as_array().cloned().unwrap_or_default();
            match items.first_mut() {
                Some(item) => *item = wrong,
                None => items.push(wrong),
            }
            arguments[name] = Value::Array(items);
            return Some((arguments, "prefixItems"));
        }
    }
    None
}
