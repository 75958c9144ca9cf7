//! Subscriptions of the revision without a handshake: two are opened before any tool is called, one
//! for everything that is declared and one for a single kind, and both are cancelled after the
//! calls. The passive rules check what is delivered; the steps report a subscription that was never
//! acknowledged.

use std::time::Duration;

use mcp_assay::{Party, rules};
use serde_json::{Map, Value, json};

use super::calls_made::announcing_calls;
use super::{Listed, Probe, Step};
use crate::raw_client::Client;
use crate::record::Record;

/// Opens the subscriptions.
pub(super) static PROBE: Probe = Probe::walk(&[], open);

/// Cancels them, and makes the server announce changes that nobody asked for.
pub(super) static END: Probe = Probe::walk(&[], end);

/// The id of a subscription in `_meta`.
const TAG: &str = "io.modelcontextprotocol/subscriptionId";

const ACKNOWLEDGED: &str = "notifications/subscriptions/acknowledged";

/// Calls made again once nobody listens.
const MAX_CALLS: usize = 2;

/// How long a notification is waited for that must not come.
const QUIET: Duration = Duration::from_millis(200);

fn open(step: &mut Step<'_, '_>, listed: &Listed) {
    if !step.client.is_stateless() {
        return;
    }
    let all = declared(step, listed);
    if all.is_empty() {
        return;
    }
    let one = all.iter().next_back();
    let one = one.map(|(kind, value)| json!({kind.as_str(): value}));
    let mut filters = vec![Value::Object(all.clone())];
    // What is delivered to somebody who did not ask for it shows only if there is such a one.
    if all.len() > 1 {
        filters.extend(one);
    }
    let mut opened = Vec::new();
    for filter in filters {
        let params = json!({"notifications": filter});
        opened.push(step.client.request_open("subscriptions/listen", params));
    }
    let patience = step.client.options.step_timeout;
    for (id, sent, exchange) in opened {
        let mut next = sent;
        let mut is_settled = false;
        step.client.wait(patience, |client| {
            while next < client.records.len() {
                let record = &client.records[next];
                let is_theirs = record.direction().sender() == Party::Server;
                // Over HTTP a subscription is known by its stream.
                let on_stream = exchange.is_none() || record.exchange() == exchange;
                is_settled |= is_theirs
                    && on_stream
                    && record
                        .message()
                        .is_some_and(|message| settles(&message, id, exchange.is_some()));
                next += 1;
            }
            let refused = client.status(exchange).is_some_and(|status| status >= 400);
            is_settled || refused || client.status_of(exchange).is_some_and(|(_, over)| over)
        });
        let refused = step.client.status(exchange).is_some_and(|one| one >= 400);
        if !is_settled && !refused {
            step.check_end("subscriptions/listen", sent);
        }
        if !is_settled && !refused && !step.is_over() {
            let message = "a subscription was neither acknowledged nor refused";
            step.fail_rule(rules::subscriptions::ACK_SENT.name, message, &[sent]);
            return;
        }
    }
}

/// The kinds of notifications that the server declares.
fn declared(step: &Step<'_, '_>, listed: &Listed) -> Map<String, Value> {
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
    wanted
}

/// Whether a message acknowledges the subscription, or answers the request for it. A wrong tag has
/// a rule of its own: with one stream for each subscription it need not be read.
fn settles(message: &Value, id: i64, has_stream: bool) -> bool {
    let tag = &message["params"]["_meta"][TAG];
    let is_acknowledgement = message["method"] == ACKNOWLEDGED;
    let is_own = has_stream || *tag == json!(id) || !tag.is_i64();
    message["id"] == json!(id) || is_acknowledgement && is_own
}

/// The ids of the requests that opened a subscription.
fn subscribed(client: &Client<'_>) -> Vec<i64> {
    let ours = client
        .records
        .iter()
        .filter(|record| record.direction().sender() == Party::Client);
    ours.filter_map(Record::message)
        .filter(|message| message["method"] == "subscriptions/listen")
        .filter_map(|message| message["id"].as_i64())
        .collect()
}

/// Whether the server agreed to announce changes of a kind.
pub(super) fn is_acknowledged(client: &Client<'_>, kind: &str) -> bool {
    client.since(0).any(|(_, record)| {
        record.message().is_some_and(|message| {
            message["method"] == ACKNOWLEDGED && message["params"]["notifications"][kind] == true
        })
    })
}

fn end(step: &mut Step<'_, '_>, _: &Listed) {
    // Over HTTP the subscriptions end with their streams, and nothing can come after.
    let subscriptions = subscribed(step.client);
    if step.client.is_http() || subscriptions.is_empty() || step.is_over() {
        return;
    }
    for id in subscriptions {
        let params = json!({"requestId": id});
        step.client.notify("notifications/cancelled", params);
    }
    // The answer proves that the cancellations were read.
    if step.ask("server/discover", json!({})).result().is_none() {
        return;
    }
    let from = step.client.records.len();
    for params in announcing_calls(step.client, MAX_CALLS) {
        if step.is_over() {
            return;
        }
        step.ask("tools/call", params);
        step.client.wait(QUIET, |_| false);
    }
    let late = step.client.since(from).find_map(|(at, record)| {
        let message = record.message()?;
        let is_tagged = message["params"]["_meta"][TAG].is_i64();
        (is_tagged && message["method"].is_string()).then_some(at)
    });
    if let Some(at) = late {
        let message = "a notification came for a subscription that was cancelled, and the server \
                       had answered a request after the cancellation";
        step.fail_rule(
            rules::subscriptions::SILENT_AFTER_CLOSE.name,
            message,
            &[at],
        );
    }
}
