//! Opens a session with a version, known or not.

use mcp_assay::Revision;
use mcp_assay::model::Fact;
use serde_json::{Value, json};

use crate::raw_client::{Answer, Client, client_info};

/// The result of `initialize`.
pub(crate) struct Greeting {
    pub(crate) answer: Answer,
    /// The version that the server chose.
    pub(crate) version: Option<String>,
}

/// Offers a version and, if the server goes along with a version that we know, completes the
/// handshake.
pub(super) fn greet(client: &mut Client<'_>, offered: &str) -> Greeting {
    greet_as(client, offered, capabilities(offered.parse().ok()))
}

/// The same with capabilities of the caller's own.
#[expect(
    clippy::needless_pass_by_value,
    reason = "capabilities are made where they are given"
)]
pub(super) fn greet_as(client: &mut Client<'_>, offered: &str, capabilities: Value) -> Greeting {
    let params = json!({
        "protocolVersion": offered,
        "capabilities": capabilities,
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
        // Messages that the server sends at once are recorded before our next one.
        if !client.is_http() && !client.options.quick {
            client.wait(std::time::Duration::from_millis(20), |_| false);
        }
        client.notify("notifications/initialized", Value::Null);
    }
    Greeting { answer, version }
}

/// Our capabilities; nothing is declared that a revision does not have.
fn capabilities(revision: Option<Revision>) -> Value {
    let mut capabilities = json!({"roots": {}, "sampling": {}});
    if revision.is_some_and(|revision| revision.has(Fact::StructuredContent)) {
        capabilities["elicitation"] = json!({});
    }
    capabilities
}

/// Whether the server chose another version than it was offered.
pub(super) fn is_counter_offer(greeting: &Greeting, offered: Revision) -> bool {
    greeting
        .version
        .as_deref()
        .is_some_and(|version| version != offered.name())
}
