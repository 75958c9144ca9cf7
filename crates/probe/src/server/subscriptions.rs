//! A subscription of the revision without a handshake: requested, acknowledged, ended. The passive
//! rules check the notifications; the step reports a subscription that was never acknowledged.

use mcp_assay::rules;
use serde_json::{Map, Value, json};

use super::{Listed, Probe, Step};

pub(super) static PROBE: Probe = Probe::walk(&[], run);

fn run(step: &mut Step<'_, '_>, listed: &Listed) {
    if !step.client.is_stateless() {
        return;
    }
    let mut wanted = Map::new();
    for (capability, member) in [
        ("/tools/listChanged", "toolsListChanged"),
        ("/prompts/listChanged", "promptsListChanged"),
        ("/resources/listChanged", "resourcesListChanged"),
    ] {
        if step.client.declares(capability) {
            wanted.insert(member.to_owned(), json!(true));
        }
    }
    if step.client.declares("/resources/subscribe")
        && let Some(uri) = listed.resources.first().map(|first| first["uri"].clone())
    {
        wanted.insert("resourceSubscriptions".to_owned(), json!([uri]));
    }
    if wanted.is_empty() {
        return;
    }
    // Over HTTP the stream would stay open until one side closes it, and closing it is how a client
    // takes it back.
    let params = json!({"notifications": wanted});
    let (id, sent, exchange) = step.client.break_off("subscriptions/listen", params);
    let patience = step.client.options.step_timeout;
    let settled = step
        .client
        .wait_for(patience, sent, |message| settles(message, id))
        .is_some();
    let refused = step
        .client
        .status(exchange)
        .is_some_and(|status| status >= 400);
    if !settled && !refused && !step.is_over() {
        let message = "a subscription was neither acknowledged nor refused";
        step.fail_rule(rules::subscriptions::ACK_SENT.name, message, &[sent]);
    }
    // A request that is taken back need not be acknowledged: then nobody could tell that it was
    // not.
    if settled && !step.client.is_http() {
        step.client
            .notify("notifications/cancelled", json!({"requestId": id}));
    }
}

/// Whether a message acknowledges the subscription, or answers the request for it.
fn settles(message: &Value, id: i64) -> bool {
    message["method"] == "notifications/subscriptions/acknowledged" || message["id"] == json!(id)
}
