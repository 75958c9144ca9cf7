//! Subscriptions of the revision without a handshake: asked for, acknowledged, ended. What comes of it is judged by the passive rules.

use serde_json::{Map, Value, json};

use super::{Listed, Step};

pub(crate) fn run(step: &mut Step<'_, '_>, listed: &Listed) {
    // Over HTTP the stream would stay open until one side closes it, and closing it is all that a client can do.
    if !step.client.is_stateless() || step.client.is_http() {
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
    let id = step.client.next_id();
    let params = step.client.with_meta(json!({"notifications": wanted}));
    let request =
        json!({"jsonrpc": "2.0", "id": id, "method": "subscriptions/listen", "params": params});
    let (sent, _) = step.client.send(request.to_string().into_bytes());
    let patience = step.client.options.step_timeout;
    let settled = step
        .client
        .wait_for(patience, sent, |message| settles(message, id))
        .is_some();
    if !settled && !step.is_over() {
        let message = "a subscription was neither acknowledged nor refused";
        step.fail("subscriptions/ack-sent", message, &[sent]);
    }
    // A request that is taken back need not be acknowledged: then nobody could tell that it was not.
    if settled {
        step.client
            .notify("notifications/cancelled", json!({"requestId": id}));
    }
}

/// Whether a message acknowledges the subscription, or answers the request for it.
fn settles(message: &Value, id: i64) -> bool {
    message["method"] == "notifications/subscriptions/acknowledged" || message["id"] == json!(id)
}
