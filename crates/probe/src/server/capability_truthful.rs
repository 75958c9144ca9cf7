//! Reads every list that the server declares, page by page.

use std::collections::BTreeSet;

use mcp_assay::rules;
use serde_json::{Value, json};

use super::pagination_invalid_cursor_reply::{INVALID_CURSOR, send_unknown_cursor};
use super::{Listed, Probe, Step};
use crate::raw_client::Reply;
use crate::requirement::{ALL, ERROR, Requirement, WARNING};

pub(super) static TRUTHFUL: Requirement = Requirement::of_server(
    rules::capability::TRUTHFUL.name,
    ERROR,
    ALL,
    "Every declared server capability is backed by working methods; in 2026-07-28 the list \
     methods must answer, if only with an empty list.",
)
.page(
    "server/tools#capabilities",
    "A client relies on the capability, calls its methods and fails.",
    "implement the methods, or do not declare the capability",
);

static OWN_CURSOR: Requirement = Requirement::of_server(
    "pagination/own-cursor-served",
    WARNING,
    ALL,
    "A cursor that the server handed out leads to the next page.",
)
.page(
    "server/utilities/pagination#implementation-guidelines",
    "A client sees a part of the list, or none. The specification recommends stable cursors and \
     does not demand them, so it is a warning.",
    "accept every cursor that was handed out, for as long as the client may walk",
);

/// The walk begins with it, because the other steps need the lists.
pub(super) static PROBE: Probe = Probe::between(&[&TRUTHFUL, &OWN_CURSOR]);

/// Pages read of one list.
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
pub(super) fn read_lists(step: &mut Step<'_, '_>) -> Listed {
    let mut listed = Listed::default();
    for (method, capability, member) in LISTS {
        if !step.client.declares(capability) {
            continue;
        }
        if step.is_over() {
            listed.unread.push(method);
            continue;
        }
        let Some(items) = read(step, method, member) else {
            listed.unread.push(method);
            continue;
        };
        match method {
            "tools/list" => listed.tools = items,
            "resources/list" => listed.resources = items,
            "prompts/list" => listed.prompts = items,
            _ => listed.templates = items,
        }
        if !step.client.options.quick && !step.is_over() && step.wants(&[&INVALID_CURSOR]) {
            send_unknown_cursor(step, method);
        }
    }
    if step
        .client
        .capabilities
        .as_object()
        .is_none_or(serde_json::Map::is_empty)
    {
        step.not_applicable(&TRUTHFUL, "no capability is declared");
    }
    listed
}

/// The items of all pages; `None` if the list is refused.
pub(super) fn read(
    step: &mut Step<'_, '_>,
    method: &'static str,
    member: &str,
) -> Option<Vec<Value>> {
    let (mut items, mut params) = (Vec::new(), json!({}));
    let mut cursors: BTreeSet<String> = BTreeSet::new();
    for _ in 0..MOST_PAGES {
        let answer = step.ask(method, params);
        match &answer.reply {
            Reply::Result(result) => {
                items.extend(result[member].as_array().cloned().unwrap_or_default());
                match result["nextCursor"].as_str() {
                    // A walk that comes back never ends.
                    Some(cursor) if !cursors.insert(cursor.to_owned()) => {
                        let message = format!(
                            "`nextCursor` of `{method}` is one of an earlier page: the list never \
                             ends"
                        );
                        step.fail_rule(rules::pagination::ADVANCES.name, message, &answer.evidence);
                        return Some(items);
                    }
                    Some(cursor) => params = json!({"cursor": cursor}),
                    None => {
                        if !cursors.is_empty() {
                            step.pass(&OWN_CURSOR);
                        }
                        step.pass(&TRUTHFUL);
                        return Some(items);
                    }
                }
            }
            // `resources` without templates is a habit of many servers, and no page says that they
            // have to be there.
            Reply::Error(-32601, _)
                if method == "resources/templates/list" && !step.client.is_stateless() =>
            {
                return None;
            }
            Reply::Error(..) if step.client.is_garbled_since(answer.evidence[0]) => return None,
            Reply::Error(..) if !cursors.is_empty() => {
                let message = format!(
                    "`{method}` with the cursor of the page before was answered with {}",
                    answer.in_words()
                );
                step.fail(&OWN_CURSOR, message, &answer.evidence);
                return Some(items);
            }
            Reply::Error(..) | Reply::Status(_) => {
                let message = format!(
                    "the capability is declared, but `{method}` was answered with {}",
                    answer.in_words()
                );
                step.fail(&TRUTHFUL, message, &answer.evidence);
                return None;
            }
            Reply::Silence | Reply::Closed => return None,
        }
    }
    Some(items)
}
