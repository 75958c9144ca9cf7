//! Weighs passive violations that the probe itself brought about.

use mcp_assay::{Level, Party, Policy, rules};
use serde_json::Value;

use crate::judge::Broken;
use crate::record::Record;

/// Drops violations in values that the peer merely repeats, and lowers to warnings those that the
/// agreed revision only recommends to avoid, and those that follow a malformed message of ours.
pub(crate) fn weigh(
    records: &[Record],
    broken: &mut Vec<Broken>,
    policy: &Policy,
    malformed: Option<usize>,
) {
    broken.retain(|broken| !repeats_argument(records, broken));
    if policy.strict {
        return;
    }
    let lenient = rules::version::NEGOTIATED_RESPECTED.recommended;
    for broken in broken {
        // The sentence names the later revision; before 2025-06-18 the agreed one SHOULD be kept.
        let is_of_later = broken.message.contains("` exists since ");
        // MCP does not say how to react to bytes that no client sends.
        let is_reaction = malformed.is_some_and(|sent| broken.at > sent);
        if is_reaction || is_of_later && broken.revision.is_some_and(|one| lenient.contains(one)) {
            broken.level = broken.level.min(Level::Warning);
        }
    }
}

/// Whether the value at fault is a string that was sent to the peer before: a tool that echoes its
/// argument is not to blame for the argument.
fn repeats_argument(records: &[Record], broken: &Broken) -> bool {
    let calls = ["tools/call", "prompts/get", "resources/read"];
    if !broken
        .method
        .as_deref()
        .is_some_and(|method| calls.contains(&method))
    {
        return false;
    }
    let Some((record, earlier)) = records.get(broken.at).zip(records.get(..broken.at)) else {
        return false;
    };
    let range = broken.span.start as usize..broken.span.end as usize;
    let Some(text) = record.bytes().get(range) else {
        return false;
    };
    let Ok(Value::String(value)) = serde_json::from_slice(text) else {
        return false;
    };
    let is_sent = |record: &&Record| record.direction().sender() != Party::Server;
    let mut sent = earlier.iter().filter(is_sent).filter_map(Record::message);
    sent.any(|message| {
        let params = &message["params"];
        holds(&params["arguments"], &value) || params["uri"] == value.as_str()
    })
}

/// Whether a string is somewhere in a value. Arguments are generated here, and not deep.
fn holds(value: &Value, text: &str) -> bool {
    match value {
        Value::String(one) => one == text,
        Value::Array(items) => items.iter().any(|item| holds(item, text)),
        Value::Object(members) => members.values().any(|member| holds(member, text)),
        _ => false,
    }
}
