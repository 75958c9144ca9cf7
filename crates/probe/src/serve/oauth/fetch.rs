//! The document by which a client makes itself known: fetched once, over https, as an authorisation
//! server would.

use std::time::Duration;

use serde_json::Value;
use ureq::Agent;
use ureq::config::Config;

/// Its longest length.
const MOST_BYTES: u64 = 64 << 10;

/// The longest that it is waited for.
const PATIENCE: Duration = Duration::from_secs(5);

/// The content at the URL of a document.
pub(crate) enum Document {
    /// It could not be had.
    Unreachable,
    /// Something else.
    Unreadable,
    /// A document, as it came.
    Read(Value),
}

pub(super) fn fetch(url: &str, patience: Duration) -> Document {
    let config = Config::builder()
        .timeout_global(Some(patience.min(PATIENCE)))
        .max_redirects(0)
        .max_redirects_will_error(false)
        .http_status_as_error(false)
        .https_only(true)
        .user_agent(concat!("mcp-assay/", env!("CARGO_PKG_VERSION")))
        .build();
    let agent = Agent::new_with_config(config);
    let Ok(mut answer) = agent.get(url).call() else {
        return Document::Unreachable;
    };
    if answer.status() != 200 {
        return Document::Unreachable;
    }
    let body = answer
        .body_mut()
        .with_config()
        .limit(MOST_BYTES)
        .read_to_vec();
    let document = body
        .ok()
        .and_then(|body| serde_json::from_slice(&body).ok());
    match document {
        Some(document @ Value::Object(_)) => Document::Read(document),
        _ => Document::Unreadable,
    }
}
