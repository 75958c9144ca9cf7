//! Bodies in `enforce`: they are checked before they are forwarded.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::header::{CONTENT_LENGTH, CONTENT_TYPE, HeaderValue};
use http::response::Parts;
use http::{HeaderMap, Response, StatusCode};
use http_body_util::BodyExt as _;
use hyper::body::Incoming;
use mcp_assay_contract::canonical::CanonicalError;
use mcp_assay_live::http::{BodyBuffer, RequestAction, ResponseAction, error_body};

use super::answers;
use super::download;
use super::exchange::Exchange;
use super::failure;
use crate::headers;
use crate::net::{Body, whole};

/// Checks a request; either its body is forwarded, or the answer is sent back.
pub(crate) async fn request(
    exchange: &Exchange,
    headers: &mut HeaderMap,
    body: Incoming,
) -> Result<Body, Response<Body>> {
    let gateway = &exchange.gateway;
    let own = |status, why| {
        let kind = CanonicalError::InvalidInput;
        let body = error_body(kind, why, None, exchange.revision());
        answers::json(gateway.status(kind, status), body)
    };
    let too_long = "the body is longer than is allowed";
    let (body, is_whole) = match collect(body, gateway.body_limit, gateway.response_timeout).await {
        Collected::Whole(body) => (body, true),
        // The check says it as every carrier does, if it is the message that is too long.
        Collected::TooLong(body, _) if body.len() > gateway.message_limit => (body, false),
        Collected::TooLong(..) => return Err(own(413, too_long)),
        Collected::Broken(why) => return Err(own(400, why)),
    };
    let (status, text) = match exchange.request(body.clone()) {
        RequestAction::Forward if is_whole => return Ok(whole(body)),
        RequestAction::Forward => return Err(own(413, too_long)),
        RequestAction::Replace(text) => {
            if headers.contains_key(CONTENT_LENGTH) {
                headers.insert(CONTENT_LENGTH, HeaderValue::from(text.len()));
            }
            return Ok(whole(text));
        }
        RequestAction::Refuse(status, text) => (status, text),
    };
    let (parts, body) = answers::json(status, text.clone()).into_parts();
    exchange.refused(answers::head(&parts, false), text);
    Err(Response::from_parts(parts, body))
}

/// Checks the body of a response.
pub(crate) async fn response(
    exchange: &Arc<Exchange>,
    mut response: Parts,
    body: Incoming,
) -> Response<Body> {
    let gateway = &exchange.gateway;
    let timeout = gateway.response_timeout;
    let is_labelled = headers::is_media(&response.headers, "application/json");
    let head = answers::head(&response, false);
    let body = match collect(body, gateway.message_limit, timeout).await {
        Collected::Whole(body) => body,
        Collected::TooLong(beginning, rest) => {
            let first = beginning.trim_ascii_start().first();
            if !is_labelled && !matches!(first, Some(b'{' | b'[')) {
                // No message: it is forwarded, however long it is.
                exchange.response(head, None);
                let body = download::forward_rest(beginning, rest, timeout);
                return Response::from_parts(response, body);
            }
            beginning
        }
        Collected::Broken(why) => {
            let kind = if why == STALLED {
                CanonicalError::Timeout
            } else {
                CanonicalError::InternalError
            };
            return failure::answer(exchange, kind, why);
        }
    };
    let (status, text) = match exchange.response(head, Some(body.clone())) {
        ResponseAction::Forward => return Response::from_parts(response, whole(body)),
        ResponseAction::Replace(status, text) => (status, text),
        ResponseAction::Refuse(status, text, answer) => {
            exchange.answer_server(answer);
            (status, text)
        }
    };
    response.status = StatusCode::from_u16(status).unwrap_or(response.status);
    let headers = &mut response.headers;
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(CONTENT_LENGTH, HeaderValue::from(text.len()));
    Response::from_parts(response, whole(text))
}

/// A body that was collected.
enum Collected {
    Whole(Bytes),
    /// It is longer than the limit: its beginning, and the rest.
    TooLong(Bytes, Incoming),
    Broken(&'static str),
}

const STALLED: &str = "the body does not go on";

async fn collect(mut body: Incoming, limit: usize, timeout: Duration) -> Collected {
    let mut buffer = BodyBuffer::new(usize::MAX);
    loop {
        let Ok(frame) = tokio::time::timeout(timeout, body.frame()).await else {
            return Collected::Broken(STALLED);
        };
        match frame {
            Some(Ok(frame)) => {
                if let Ok(data) = frame.into_data() {
                    buffer.add(&data);
                }
            }
            Some(Err(_)) => return Collected::Broken("the body broke off"),
            None => break,
        }
        if buffer.len() > limit {
            return Collected::TooLong(buffer.take(), body);
        }
    }
    Collected::Whole(buffer.take())
}
