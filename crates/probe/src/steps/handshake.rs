//! Opening a session in every way: with versions that are known, not released yet, or no versions at all.

use mcp_assay::Revision;
use mcp_assay::model::Fact;
use serde_json::{Value, json};

use super::Step;
use crate::client::{Answer, Client, Reply, client_info};

/// What came of `initialize`.
pub(crate) struct Greeting {
    pub(crate) answer: Answer,
    /// The version that the server chose.
    pub(crate) version: Option<String>,
}

/// Offers a version and, if the server goes along with a version that we know, completes the handshake.
pub(crate) fn greet(client: &mut Client<'_>, offered: &str) -> Greeting {
    let params = json!({
        "protocolVersion": offered,
        "capabilities": capabilities(offered.parse().ok()),
        "clientInfo": client_info(),
    });
    let answer = client.request("initialize", params);
    let version = answer
        .result()
        .and_then(|result| result["protocolVersion"].as_str())
        .map(str::to_owned);
    if let Some(result) = answer.result() {
        client.capabilities = result["capabilities"].clone();
    }
    client.revision = version.as_deref().and_then(|version| version.parse().ok());
    if client.revision.is_some() {
        // What the server says at once belongs before our next word.
        if !client.is_http() && !client.options.quick {
            client.wait(std::time::Duration::from_millis(20), |_| false);
        }
        client.notify("notifications/initialized", Value::Null);
    }
    Greeting { answer, version }
}

/// What we can do; nothing is declared that a revision does not have.
fn capabilities(revision: Option<Revision>) -> Value {
    let mut capabilities = json!({"roots": {}, "sampling": {}});
    if revision.is_some_and(|revision| revision.has(Fact::StructuredContent)) {
        capabilities["elicitation"] = json!({});
    }
    capabilities
}

/// `ping` has to be answered before the handshake too.
pub(crate) fn early_ping(step: &mut Step<'_, '_>) {
    const ID: &str = "ping/any-phase";
    if !step.wants(&[ID]) {
        return;
    }
    if step.client.is_http() {
        step.not_observed(ID, "over HTTP there is no session before `initialize`");
        return;
    }
    let answer = step.client.request("ping", Value::Null);
    if answer.result().is_some() {
        step.pass(ID);
    } else {
        let message = format!(
            "`ping` before `initialize` was answered with {}, expected a result",
            answer.in_words()
        );
        step.fail(ID, message, &answer.evidence);
    }
}

/// A version that nobody can support has to be answered with one that the server does.
pub(crate) fn judge_stranger(step: &mut Step<'_, '_>, offered: &str, greeting: &Greeting) {
    const ID: &str = "version/counter-offer";
    let answer = &greeting.answer;
    match &answer.reply {
        Reply::Result(_) => match greeting.version.as_deref() {
            Some(version) if version == offered => {
                let message =
                    format!("the server agreed to version `{offered}`, which does not exist");
                step.fail(ID, message, &answer.evidence);
            }
            Some(_) => step.pass(ID),
            // The shape of the result is judged by other rules.
            None => step.not_observed(ID, "the result names no version"),
        },
        Reply::Error(-32602 | -32022, _) | Reply::Status(400) => step.pass(ID),
        _ => {
            let message = format!(
                "version `{offered}` was answered with {}, expected a version that the server supports",
                answer.in_words()
            );
            step.fail(ID, message, &answer.evidence);
        }
    }
}

/// Whether the server chose another version than it was offered.
pub(crate) fn is_counter_offer(greeting: &Greeting, offered: Revision) -> bool {
    greeting
        .version
        .as_deref()
        .is_some_and(|version| version != offered.name())
}
