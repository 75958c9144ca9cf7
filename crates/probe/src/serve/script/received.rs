//! The parts of an HTTP request that matter to a script.

use crate::serve::http::Request;
use crate::serve::subject::PATH;

/// The parts of an HTTP request that matter to a script.
pub(crate) struct Received {
    pub(crate) method: String,
    pub(crate) body: Vec<u8>,
    pub(super) session: Option<String>,
    pub(super) last_event: Option<String>,
    pub(crate) authorization: Option<String>,
    /// The headers `DPoP`.
    pub(crate) proofs: Vec<String>,
}

impl Received {
    pub(crate) fn new(request: &Request) -> Self {
        let header = |wanted: &str| {
            let found = request.headers.iter().find(|(name, _)| name == wanted);
            found.map(|(_, value)| value.clone())
        };
        Self {
            method: request.method.clone(),
            body: request.body.clone(),
            session: header("mcp-session-id"),
            last_event: header("last-event-id"),
            authorization: header("authorization"),
            proofs: request
                .headers
                .iter()
                .filter(|(name, _)| name == "dpop")
                .map(|(_, value)| value.clone())
                .collect(),
        }
    }
}

/// Whether a request is for the endpoint.
pub(crate) fn is_for_endpoint(request: &Request) -> bool {
    request.path.split('?').next() == Some(PATH)
}
