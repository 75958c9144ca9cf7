//! The log level that a client sets before it calls tools. The passive rules check the messages
//! that come during the calls.

use mcp_assay::model::Fact;
use serde_json::json;

use super::resources_subscribed::expect_served;
use super::{Listed, Probe, Step};

pub(super) static PROBE: Probe = Probe::walk(&[], run);

fn run(step: &mut Step<'_, '_>, _: &Listed) {
    let by_request = step
        .revision()
        .is_some_and(|revision| revision.has(Fact::LogLevelByRequest));
    if by_request && step.client.declares("/logging") {
        let answer = step.ask("logging/setLevel", json!({"level": "warning"}));
        expect_served(step, "logging/setLevel", "logging", &answer);
    }
}
