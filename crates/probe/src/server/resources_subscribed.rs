//! A resource that is subscribed to while tools are called. Afterwards it is unsubscribed, and what
//! made the server announce changes is done again: the passive rules check that nothing comes.

use std::time::Duration;

use serde_json::json;

use super::calls_made::announcing_calls;
use super::capability_truthful::TRUTHFUL;
use super::{Listed, Probe, Step};
use crate::raw_client::Answer;

/// Subscribes.
pub(super) static PROBE: Probe = Probe::walk(&[], subscribe);

/// Unsubscribes.
pub(super) static END: Probe = Probe::walk(&[], unsubscribe);

/// Calls made again once nobody is subscribed.
const MAX_CALLS: usize = 2;

/// How long a notification is waited for that must not come.
const QUIET: Duration = Duration::from_millis(200);

fn subscribe(step: &mut Step<'_, '_>, listed: &Listed) {
    let Some(uri) = subscribable(step, listed) else {
        return;
    };
    let answer = step.ask("resources/subscribe", json!({"uri": uri}));
    expect_served(step, "resources/subscribe", "resources.subscribe", &answer);
}

fn unsubscribe(step: &mut Step<'_, '_>, listed: &Listed) {
    let Some(uri) = subscribable(step, listed).filter(|_| !step.is_over()) else {
        return;
    };
    let answer = step.ask("resources/unsubscribe", json!({"uri": uri}));
    expect_served(
        step,
        "resources/unsubscribe",
        "resources.subscribe",
        &answer,
    );
    if answer.result().is_none() {
        return;
    }
    for params in announcing_calls(step.client, MAX_CALLS) {
        if step.is_over() {
            return;
        }
        step.ask("tools/call", params);
        step.client.wait(QUIET, |_| false);
    }
}

/// The first resource, if the server lets clients subscribe to it.
fn subscribable(step: &Step<'_, '_>, listed: &Listed) -> Option<String> {
    let declared = step.client.declares("/resources/subscribe") && !step.client.is_stateless();
    let first = listed.resources.first().filter(|_| declared)?;
    first["uri"].as_str().map(str::to_owned)
}

/// A method behind a declared capability has to be there. Another error may have its reasons.
pub(super) fn expect_served(
    step: &mut Step<'_, '_>,
    method: &str,
    capability: &str,
    answer: &Answer,
) {
    if answer.code() == Some(-32601) && !step.client.is_garbled_since(answer.evidence[0]) {
        let message =
            format!("`{capability}` is declared, but `{method}` was answered with error -32601");
        step.fail(&TRUTHFUL, message, &answer.evidence);
    }
}
