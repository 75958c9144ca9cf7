//! Lists that a tool changed: each is read once more after the calls, where the server promised to
//! announce changes, and a way for the announcement was open. Where there is one way for all
//! messages, and no subscription, the passive rules check it.

use std::time::Duration;

use mcp_assay::{Party, rules};
use serde_json::Value;

use super::capability_truthful::read;
use super::subscriptions::is_acknowledged;
use super::{Listed, Probe, Step};

pub(super) static PROBE: Probe = Probe::walk(&[], run);

/// How long an announcement may come after the list that it announces.
const LATE: Duration = Duration::from_secs(1);

/// A list, its capability, its member, the announcement and the rule.
const LISTS: [(&str, &str, &str, &str, &mcp_assay::Rule); 3] = [
    (
        "tools/list",
        "/tools",
        "tools",
        "notifications/tools/list_changed",
        &rules::tools::LIST_CHANGED_SENT,
    ),
    (
        "prompts/list",
        "/prompts",
        "prompts",
        "notifications/prompts/list_changed",
        &rules::prompts::LIST_CHANGED_SENT,
    ),
    (
        "resources/list",
        "/resources",
        "resources",
        "notifications/resources/list_changed",
        &rules::resources::LIST_CHANGED_SENT,
    ),
];

fn run(step: &mut Step<'_, '_>, listed: &Listed) {
    for (method, of, member, notification, rule) in LISTS {
        if step.is_over() || !step.client.declares(&format!("{of}/listChanged")) {
            continue;
        }
        let before = match member {
            "tools" => &listed.tools,
            "prompts" => &listed.prompts,
            _ => &listed.resources,
        };
        let from = step.client.records.len();
        let Some(now) = read(step, method, member) else {
            continue;
        };
        let is_awaited = if step.client.is_stateless() {
            is_acknowledged(step.client, &format!("{member}ListChanged"))
        } else {
            step.client.is_listening()
        };
        if keys(before) == keys(&now) {
            continue;
        }
        listed.changed.borrow_mut().insert(of);
        if !is_awaited {
            continue;
        }
        let is_announced = |message: &Value| {
            message["method"]
                .as_str()
                .is_some_and(|one| one == notification)
        };
        let was_announced = step.client.records.iter().any(|record| {
            record.direction().sender() == Party::Server
                && record
                    .message()
                    .is_some_and(|message| is_announced(&message))
        });
        if !was_announced
            && step.client.wait_for(LATE, from, is_announced).is_none()
            && !step.is_over()
        {
            let message = format!(
                "the list has changed since it was first shown, and no `{notification}` came \
                 although the client listened"
            );
            let evidence: Vec<_> = (from..step.client.records.len()).take(4).collect();
            step.fail_rule(rule.name, message, &evidence);
        }
    }
}

/// The names or URIs of the items of a list, in order.
fn keys(items: &[Value]) -> Vec<String> {
    let key = |item: &Value| item.get("uri").unwrap_or(&item["name"]).to_string();
    let mut keys: Vec<_> = items.iter().map(key).collect();
    keys.sort();
    keys
}
