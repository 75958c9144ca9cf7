//! Lists, page by page, and cursors that no server gave out.

use serde_json::{Value, json};

use super::{Listed, Step};
use crate::client::Reply;

/// So many pages are read of one list.
const MOST_PAGES: usize = 50;

/// A list, its capability, and the member with the items.
const LISTS: [(&str, &str, &str); 4] = [
    ("tools/list", "/tools", "tools"),
    ("resources/list", "/resources", "resources"),
    (
        "resources/templates/list",
        "/resources",
        "resourceTemplates",
    ),
    ("prompts/list", "/prompts", "prompts"),
];

/// Reads every list that the server declares, to its end.
pub(crate) fn walk(step: &mut Step<'_, '_>) -> Listed {
    const ID: &str = "capability/truthful";
    let mut listed = Listed::default();
    for (method, capability, member) in LISTS {
        if step.is_over() || !step.client.declares(capability) {
            continue;
        }
        let Some(items) = read(step, method, member) else {
            continue;
        };
        match method {
            "tools/list" => listed.tools = items,
            "resources/list" => listed.resources = items,
            "prompts/list" => listed.prompts = items,
            _ => listed.templates = items,
        }
        if !step.client.options.quick
            && !step.is_over()
            && step.wants(&["pagination/invalid-cursor-reply"])
        {
            bad_cursor(step, method);
        }
    }
    if step
        .client
        .capabilities
        .as_object()
        .is_none_or(serde_json::Map::is_empty)
    {
        step.not_applicable(ID, "no capability is declared");
    }
    listed
}

/// The items of all pages; `None` if the list is refused.
pub(crate) fn read(
    step: &mut Step<'_, '_>,
    method: &'static str,
    member: &str,
) -> Option<Vec<Value>> {
    const ID: &str = "capability/truthful";
    let (mut items, mut params) = (Vec::new(), json!({}));
    for _ in 0..MOST_PAGES {
        let answer = step.ask(method, params);
        match &answer.reply {
            Reply::Result(result) => {
                items.extend(result[member].as_array().cloned().unwrap_or_default());
                match result["nextCursor"].as_str() {
                    Some(cursor) => params = json!({"cursor": cursor}),
                    None => {
                        step.pass(ID);
                        return Some(items);
                    }
                }
            }
            // `resources` without templates is a habit of many servers, and no page says that they have to be there.
            Reply::Error(-32601, _)
                if method == "resources/templates/list" && !step.client.is_stateless() =>
            {
                return None;
            }
            Reply::Error(..) if step.client.is_garbled_since(answer.evidence[0]) => return None,
            Reply::Error(..) | Reply::Status(_) => {
                let message = format!(
                    "the capability is declared, but `{method}` was answered with {}",
                    answer.in_words()
                );
                step.fail(ID, message, &answer.evidence);
                return None;
            }
            Reply::Silence | Reply::Closed => return None,
        }
    }
    Some(items)
}

fn bad_cursor(step: &mut Step<'_, '_>, method: &'static str) {
    let answer = step.ask(method, json!({"cursor": "mcp-assay-no-such-cursor"}));
    if answer.code() == Some(-32601) {
        return;
    }
    step.expect_code(
        "pagination/invalid-cursor-reply",
        &answer,
        &[-32602],
        &format!("`{method}` with a cursor that was never given out"),
    );
}
