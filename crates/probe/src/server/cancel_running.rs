//! A call that is cancelled while its tool is at work: the server goes on, and the passive rules
//! check that no answer follows.

use std::time::Duration;

use serde_json::json;

use super::calls_made::calls_made;
use super::survives::SURVIVES;
use super::{Listed, Probe, Step};

pub(super) static PROBE: Probe = Probe::walk(&[], run);

/// The shortest call that is still running when its cancellation arrives.
const LONG: Duration = Duration::from_millis(200);

/// The longest call that is waited for.
const TOO_LONG: Duration = Duration::from_secs(2);

/// How long the call runs before it is cancelled.
const BEGUN: Duration = Duration::from_millis(50);

fn run(step: &mut Step<'_, '_>, _: &Listed) {
    // Over HTTP a client without a session closes the stream instead.
    if step.client.is_http() && step.client.is_stateless() {
        return;
    }
    let calls = calls_made(step.client).into_iter();
    let running = calls
        .filter(|call| call.succeeded)
        .filter_map(|call| Some((call.took?, call.params)))
        .filter(|(took, _)| (LONG..=TOO_LONG).contains(took))
        .min_by_key(|(took, _)| *took);
    let Some((took, params)) = running.filter(|_| step.wants(&[&SURVIVES])) else {
        return;
    };
    let (id, _, _) = step.client.request_open("tools/call", params);
    step.client.wait(BEGUN, |_| false);
    let params = json!({"requestId": id, "reason": "the user changed their mind"});
    let (sent, _) = step.client.notify("notifications/cancelled", params);
    if !step.survives("the cancellation of a running call", sent) {
        return;
    }
    // By then the tool would be done.
    step.client.wait(took, |client| {
        client.since(sent).any(|(_, record)| {
            record
                .message()
                .is_some_and(|message| message["id"] == json!(id))
        })
    });
}
