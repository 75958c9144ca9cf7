//! Requests that lack a member of `_meta`. The requirements share the request, which lacks another
//! member each time.

use serde_json::json;

use super::{Listed, Probe, Step};
use crate::raw_client::Reply;
use crate::requirement::{ERROR, Requirement, SINCE_2026_07};

static MISSING: Requirement = Requirement::of_server(
    "meta/missing-field-reply",
    ERROR,
    SINCE_2026_07,
    "A request that lacks a required _meta field is refused with invalid-params; lacking only \
     clientInfo it is served.",
)
.page(
    "basic/index#meta",
    "The server guesses a version or capabilities, and answers in a form that the client \
         does not know.",
    "answer with error -32602 if the version or the capabilities are missing; serve \
         requests without `clientInfo`",
);

static STATELESS: Requirement = Requirement::of_server(
    "lifecycle/stateless-requests",
    ERROR,
    SINCE_2026_07,
    "A server takes version, identity and capabilities from each request alone and never from \
     what came earlier on the connection.",
)
.page(
    "basic/index#statelessness",
    "Requests of one client may reach different processes: what one has learnt, the next \
         does not know.",
    "read the version, the client and its capabilities from `_meta` of each request",
);

pub(super) static PROBE: Probe = Probe::walk(&[&MISSING, &STATELESS], run);

fn run(step: &mut Step<'_, '_>, _: &Listed) {
    if !step.client.is_stateless() {
        return;
    }
    if !step.wants(&[&MISSING, &STATELESS]) {
        return;
    }
    let method = if step.client.declares("/tools") {
        "tools/list"
    } else {
        "server/discover"
    };
    let complete = step.client.with_meta(json!({}));
    for (field, id) in [
        ("protocolVersion", &MISSING),
        ("clientCapabilities", &STATELESS),
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
        step.fail(&MISSING, message, &answer.evidence);
    }
}
