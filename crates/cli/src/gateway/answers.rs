//! What the gateway says itself.

use bytes::Bytes;
use http::header::{CONTENT_TYPE, HeaderValue};
use http::response::Parts;
use http::{Response, StatusCode};
use mcp_assay::Revision;
use mcp_assay::model::Fact;
use mcp_assay_contract::canonical::CanonicalError;
use mcp_assay_relay::{Body, whole};

use super::inspect::ResponseHead;

/// An answer with a body.
pub(super) fn answer(
    status: u16,
    media_type: &'static str,
    body: impl Into<Bytes>,
) -> Response<Body> {
    let mut response = Response::new(whole(body.into()));
    *response.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::BAD_REQUEST);
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
    response
}

/// An answer that is JSON.
pub(super) fn json(status: u16, body: impl Into<Bytes>) -> Response<Body> {
    answer(status, "application/json", body)
}

/// A notification was taken, or is said to be: nobody waits for more.
pub(super) fn accepted() -> Response<Body> {
    let mut response = Response::new(whole(Bytes::new()));
    *response.status_mut() = StatusCode::ACCEPTED;
    response
}

/// An error response of JSON-RPC; `id` is JSON.
pub(super) fn error(
    status: u16,
    kind: CanonicalError,
    message: &str,
    id: Option<&[u8]>,
    revision: Option<Revision>,
) -> Bytes {
    // Whoever names no revision speaks one that has no need to.
    let unnamed = || {
        Revision::ALL
            .into_iter()
            .rfind(|revision| revision.has(Fact::Handshake))
    };
    let revision = revision.or_else(unnamed).unwrap_or(Revision::latest());
    let mut error = kind.with_message(message).to_jsonrpc_error(revision);
    error.data.http_status = status;
    let mut body = br#"{"jsonrpc":"2.0""#.to_vec();
    // What refuses a notification has no id, and neither has what refuses something unread.
    if let Some(id) = id {
        body.extend_from_slice(br#","id":"#);
        body.extend_from_slice(id);
    }
    body.extend_from_slice(br#","error":"#);
    body.extend_from_slice(error.to_json().as_bytes());
    body.push(b'}');
    body.into()
}

/// The head of an answer, as it is recorded.
pub(super) fn head(response: &Parts, streamed: bool) -> Box<ResponseHead> {
    Box::new(ResponseHead {
        status: response.status,
        reason: response.extensions.get().cloned(),
        headers: response.headers.clone(),
        streamed,
    })
}
