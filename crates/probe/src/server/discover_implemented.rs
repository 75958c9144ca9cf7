//! `server/discover`, which opens the revision without a handshake.

use mcp_assay::Revision;
use serde_json::json;

use super::{Listed, Probe, Step};
use crate::raw_client::{Answer, Client, Reply};
use crate::requirement::{ERROR, Requirement, SINCE_2026_07};

static DISCOVER: Requirement = Requirement::of_server(
    "discover/implemented",
    ERROR,
    SINCE_2026_07,
    "Every server answers server/discover, without any prior exchange.",
)
.page(
    "basic/versioning#protocol-version-negotiation",
    "A client of this revision begins with the method and takes the server for an older \
         one.",
    "implement `server/discover`, and answer it at any time",
);

pub(super) static PROBE: Probe = Probe::walk(&[&DISCOVER], run);

/// Asks a server what it speaks; returns whether it speaks this revision, and what was answered.
pub(super) fn discover(client: &mut Client<'_>, revision: Revision) -> (bool, Answer) {
    client.revision = Some(revision);
    let answer = client.request("server/discover", json!({}));
    if let Some(result) = answer.result() {
        client.capabilities = result["capabilities"].clone();
        let speaks = result["supportedVersions"]
            .as_array()
            .is_some_and(|versions| versions.iter().any(|version| *version == revision.name()));
        return (speaks, answer);
    }
    // A server that speaks the revision in other methods has to know this one.
    if matches!(answer.reply, Reply::Error(-32601, _)) {
        let listed = client.request("tools/list", json!({}));
        if listed
            .result()
            .is_some_and(|result| result.get("resultType").is_some())
        {
            return (true, answer);
        }
    }
    (false, answer)
}

fn run(step: &mut Step<'_, '_>, _: &Listed) {
    if !step.client.is_stateless() {
        return;
    }
    let answer = step.client.request("server/discover", json!({}));
    if answer.result().is_some() {
        step.pass(&DISCOVER);
    } else {
        let message = format!(
            "`server/discover` was answered with {}, expected a result",
            answer.in_words()
        );
        step.fail(&DISCOVER, message, &answer.evidence);
    }
}
