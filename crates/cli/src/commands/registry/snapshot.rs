//! A snapshot from a file: a lock, a result of `tools/list`, or traffic.

use std::io::Read;

use anyhow::Context;
use serde_json::Value;

use crate::check;
use crate::input::{Meter, Source};
use crate::tool_diff::{Tools, lock};

/// The largest lock or list.
const MAX_BYTES: u64 = 64 << 20;

/// The tools that a file shows.
pub(super) fn snapshot(source: &Source) -> anyhow::Result<Tools> {
    let name = source.name().into_owned();
    let context = || format!("failed to read {name}");
    if matches!(source, Source::File(_)) {
        let meter = Meter::default();
        let mut text = Vec::new();
        let input = source.open(&meter).with_context(context)?;
        input
            .take(MAX_BYTES + 1)
            .read_to_end(&mut text)
            .with_context(context)?;
        // A larger file can only be traffic, which is not one document.
        if text.len() as u64 <= MAX_BYTES
            && let Ok(document) = serde_json::from_slice::<Value>(&text)
        {
            if lock::is_lock(&document) {
                return lock::parse(&text).with_context(context);
            }
            if let Some(tools) = result(&document) {
                return Ok(tools);
            }
        }
    }
    let tools = check::tools_of(source).with_context(context)?;
    if tools.len() == 0 && !tools.is_complete {
        let nothing = anyhow::Error::msg("it shows no list of tools");
        return Err(nothing.context(context()));
    }
    Ok(tools)
}

/// A bare result, or the response that carries it.
fn result(document: &Value) -> Option<Tools> {
    let result = document.get("result").unwrap_or(document);
    let listed = result.get("tools")?.as_array()?;
    let mut tools = Tools::of_list(result.get("nextCursor").is_none_or(Value::is_null));
    for tool in listed {
        tools.add(tool);
    }
    Some(tools)
}
