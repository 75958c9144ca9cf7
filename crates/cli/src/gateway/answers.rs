//! What the gateway says itself.

use bytes::Bytes;
use http::header::{CONTENT_TYPE, HeaderValue};
use http::{Response, StatusCode};
use mcp_assay::Revision;
use mcp_assay::canonical::CanonicalError;
use mcp_assay::model::Fact;

use super::download::Download;
use super::headers;
use super::inspect::ResponseHead;

/// An answer with a body.
pub(super) fn answer(
    status: u16,
    media_type: &'static str,
    body: impl Into<Bytes>,
) -> Response<Download> {
    let body: Bytes = body.into();
    let mut response = Response::new(Download::whole(body));
    *response.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::BAD_REQUEST);
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
    response
}

/// An answer that is JSON.
pub(super) fn json(status: u16, body: impl Into<Bytes>) -> Response<Download> {
    answer(status, "application/json", body)
}

/// A notification was taken, or is said to be: nobody waits for more.
pub(super) fn accepted() -> Response<Download> {
    let mut response = Response::new(Download::whole(Bytes::new()));
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
pub(super) fn head(response: &Response<Download>, streamed: bool) -> ResponseHead {
    let reason = response.extensions().get::<hyper::ext::ReasonPhrase>();
    let reason = reason.map(|reason| String::from_utf8_lossy(reason.as_bytes()).into_owned());
    let canonical = || response.status().canonical_reason().map(str::to_owned);
    ResponseHead {
        status: response.status().as_u16(),
        reason: reason.or_else(canonical),
        headers: headers::pairs(response.headers()),
        streamed,
    }
}
