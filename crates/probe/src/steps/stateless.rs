//! The revision without a handshake: discovery, and requests that say too little about themselves.

use mcp_assay::Revision;
use serde_json::json;

use super::Step;
use crate::client::{Answer, Client, Reply};

const DISCOVER: &str = "discover/implemented";
const MISSING: &str = "meta/missing-field-reply";
const STATELESS: &str = "lifecycle/stateless-requests";

/// Asks a server what it speaks; tells whether it speaks this revision, and what was answered.
pub(crate) fn discover(client: &mut Client<'_>, revision: Revision) -> (bool, Answer) {
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

pub(crate) fn run(step: &mut Step<'_, '_>) {
    let answer = step.client.request("server/discover", json!({}));
    if answer.result().is_some() {
        step.pass(DISCOVER);
    } else {
        let message = format!(
            "`server/discover` was answered with {}, expected a result",
            answer.in_words()
        );
        step.fail(DISCOVER, message, &answer.evidence);
    }
    if !step.wants(&[MISSING, STATELESS]) {
        return;
    }
    let method = if step.client.declares("/tools") {
        "tools/list"
    } else {
        "server/discover"
    };
    let complete = step.client.with_meta(json!({}));
    for (field, id) in [
        ("protocolVersion", MISSING),
        ("clientCapabilities", STATELESS),
    ] {
        if step.is_over() {
            return;
        }
        let mut params = complete.clone();
        if let Some(meta) = params["_meta"].as_object_mut() {
            meta.remove(&format!("io.modelcontextprotocol/{field}"));
        }
        let answer = step.client.request_as(method, params);
        // The header may be compared with the body first.
        let codes: &[i64] = if step.client.is_http() {
            &[-32602, -32020]
        } else {
            &[-32602]
        };
        let what = format!("a request without `{field}` in `_meta`");
        step.expect_code(id, &answer, codes, &what);
    }
    let mut params = complete;
    if let Some(meta) = params["_meta"].as_object_mut() {
        meta.remove("io.modelcontextprotocol/clientInfo");
    }
    let answer = step.client.request_as(method, params);
    if let Reply::Error(-32602, _) = answer.reply {
        let message = format!(
            "a request without `clientInfo` in `_meta` was answered with {}, expected a result",
            answer.in_words()
        );
        step.fail(MISSING, message, &answer.evidence);
    }
}
