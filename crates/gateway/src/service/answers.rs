//! Answers of the gateway itself.

use bytes::Bytes;
use http::header::{CONTENT_TYPE, HeaderValue};
use http::response::Parts;
use http::{Response, StatusCode};

use crate::inspect::ResponseHead;
use crate::net::{Body, whole};

/// An answer with a body.
pub(crate) fn answer(
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
pub(crate) fn json(status: u16, body: impl Into<Bytes>) -> Response<Body> {
    answer(status, "application/json", body)
}

/// The head of an answer, as it is recorded.
pub(crate) fn head(response: &Parts, streamed: bool) -> Box<ResponseHead> {
    Box::new(ResponseHead {
        status: response.status,
        reason: response.extensions.get().cloned(),
        headers: response.headers.clone(),
        streamed,
    })
}
