//! Bodies in `enforce`: they are checked before they are forwarded.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::header::{CONTENT_LENGTH, CONTENT_TYPE, HeaderValue, RETRY_AFTER};
use http::response::Parts;
use http::{HeaderMap, Response, StatusCode};
use http_body_util::BodyExt as _;
use hyper::body::Incoming;
use mcp_assay_contract::canonical::CanonicalError;
use mcp_assay_live::http::{
    BodyBuffer, Budget, DecodeError, Decoder, RequestAction, ResponseAction, contradiction,
    error_body,
};
use mcp_assay_live::metrics::Counters as _;

use super::answers;
use super::download;
use super::exchange::Exchange;
use super::failure;
use super::state::State;
use super::tool_list;
use crate::headers;
use crate::net::{Body, Failure, whole};

/// Checks a request; either its body is forwarded, or the answer is sent back.
pub(crate) async fn request(
    exchange: &Exchange,
    headers: &mut HeaderMap,
    body: Incoming,
) -> Result<Body, Response<Body>> {
    let gateway = &exchange.gateway;
    let own = |status, why| {
        gateway.metrics.blocked();
        let kind = CanonicalError::InvalidInput;
        let body = error_body(kind, why, None, exchange.revision());
        answers::json(gateway.status(kind, status), body)
    };
    // Repeated headers are repeated keys.
    if let Some(why) = contradiction(headers.iter().map(|(name, _)| name.as_str())) {
        return Err(own(400, why));
    }
    let form = match headers::form(headers) {
        Ok(form) => form,
        Err(unreadable) => {
            return Err(own(415, unreadable.reason()));
        }
    };
    let too_long = "the body is longer than is allowed";
    let collected = collect(
        body,
        gateway.body_limit,
        gateway.body_timeout,
        &gateway.budget,
    )
    .await;
    let (body, is_whole) = match collected {
        Collected::Whole(body) => (body, true),
        // The check says it as every carrier does, if it is the message that is too long.
        Collected::TooLong(body, _) if body.len() > gateway.message_limit => (body, false),
        Collected::TooLong(_, rest) => {
            discard(gateway, rest).await;
            return Err(own(413, too_long));
        }
        Collected::NoRoom(rest) => {
            discard(gateway, rest).await;
            return Err(no_room(exchange));
        }
        // Nothing is blocked: the client did not finish its request.
        Collected::Stalled => return Err(unfinished(exchange, 408, STALLED)),
        Collected::Broken(_) => return Err(unfinished(exchange, 400, "the body broke off")),
    };
    let is_coded = !form.codings.is_empty();
    let body = if is_coded {
        let decoder = Decoder::new(&form.codings, gateway.body_limit);
        match decoder.decode_whole(&body) {
            Ok(plain) if is_whole => match gateway.budget.hold(plain) {
                Some(plain) => plain,
                None => return Err(no_room(exchange)),
            },
            Ok(_) | Err(DecodeError::TooLong) => return Err(own(413, too_long)),
            Err(DecodeError::Broken) => return Err(own(400, UNDECODABLE)),
        }
    } else {
        body
    };
    if is_coded {
        headers::decoded(headers);
    }
    if gateway.list_unknown_tools {
        tool_list::ask_for_unknown(exchange, &body).await;
    }
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

/// Refuses a response that cannot be read as the client may read it.
pub(crate) fn refuse_response(exchange: &Exchange, why: &str) -> Response<Body> {
    exchange.gateway.metrics.blocked();
    failure::answer(exchange, CanonicalError::InvalidOutput, why)
}

/// Answers with another body than that of the server, which is not read.
pub(crate) fn replace_response(
    exchange: &Exchange,
    mut response: Parts,
    text: Bytes,
) -> Response<Body> {
    // It is reported, and its faults with it.
    let head = answers::head(&response, false);
    if exchange.response(head, None) == ResponseAction::Forward {
        exchange.gateway.metrics.blocked();
    }
    headers::decoded(&mut response.headers);
    let headers = &mut response.headers;
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    Response::from_parts(response, whole(text))
}

/// Checks the body of a response.
pub(crate) async fn response(
    exchange: &Arc<Exchange>,
    mut response: Parts,
    body: Incoming,
) -> Response<Body> {
    let gateway = &exchange.gateway;
    let (limit, timeout) = (gateway.message_limit, gateway.response_timeout);
    let is_labelled = headers::is_media(&response.headers, "application/json");
    let codings = headers::codings(&response.headers).unwrap_or_default();
    let mut head = answers::head(&response, false);
    let body = match collect(body, limit, timeout, &gateway.budget).await {
        Collected::Whole(body) => body,
        Collected::TooLong(beginning, rest) => {
            let first = beginning.trim_ascii_start().first();
            if is_labelled && !codings.is_empty() {
                return refuse_response(exchange, "the answer is longer than is allowed");
            }
            if !is_labelled && (!codings.is_empty() || !matches!(first, Some(b'{' | b'['))) {
                // No message: it is forwarded, however long it is.
                exchange.response(head, None);
                let body = download::forward_rest(beginning, rest, gateway);
                return Response::from_parts(response, body);
            }
            beginning
        }
        Collected::NoRoom(..) => return no_room(exchange),
        Collected::Stalled => return failure::failed(exchange, &Failure::stalled()),
        Collected::Broken(error) => return failure::failed(exchange, &Failure::of_http(&error)),
    };
    let body = if codings.is_empty() {
        body
    } else {
        // One byte more than a message may have, so that the check reports what is too long.
        let decoder = Decoder::new(&codings, gateway.message_limit.saturating_add(1));
        let Ok(plain) = decoder.decode_whole(&body) else {
            return refuse_response(exchange, UNDECODABLE);
        };
        let Some(plain) = gateway.budget.hold(plain) else {
            return no_room(exchange);
        };
        headers::decoded(&mut response.headers);
        head = answers::head(&response, false);
        plain
    };
    let is_success = response.status.is_success();
    let merged = |body: &[u8]| is_success.then(|| exchange.merge(body)).flatten();
    let (status, text) = match exchange.response(head, Some(body.clone())) {
        ResponseAction::Forward => match merged(&body) {
            Some(text) => (response.status.as_u16(), text),
            None => return Response::from_parts(response, whole(body)),
        },
        ResponseAction::Replace(status, text) => (status, merged(&text).unwrap_or(text)),
        ResponseAction::Refuse(status, text, answer) => {
            exchange.answer_server(answer);
            (status, merged(&text).unwrap_or(text))
        }
    };
    response.status = StatusCode::from_u16(status).unwrap_or(response.status);
    if response.status == StatusCode::ACCEPTED {
        response.status = StatusCode::OK;
    }
    let headers = &mut response.headers;
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(CONTENT_LENGTH, HeaderValue::from(text.len()));
    Response::from_parts(response, whole(text))
}

/// A body that was collected.
pub(super) enum Collected {
    Whole(Bytes),
    /// It is longer than the limit: its beginning, and the rest.
    TooLong(Bytes, Incoming),
    /// There is no memory for it; the rest.
    NoRoom(Incoming),
    /// It does not go on.
    Stalled,
    Broken(hyper::Error),
}

const UNDECODABLE: &str = "the body cannot be decoded as its head says";

const STALLED: &str = "the body does not go on";

const NO_ROOM: &str = "the gateway has no memory for the message now (--max-memory)";

/// Refuses a message for which there is no memory: the same request may pass later.
fn no_room(exchange: &Exchange) -> Response<Body> {
    exchange.gateway.metrics.blocked();
    let mut answer = unfinished(exchange, 503, NO_ROOM);
    let headers = answer.headers_mut();
    headers.insert(RETRY_AFTER, HeaderValue::from_static("1"));
    answer
}

/// Answers a request that cannot be read to its end, or whose answer cannot.
pub(super) fn unfinished(exchange: &Exchange, status: u16, why: &str) -> Response<Body> {
    exchange.answered(status, &HeaderMap::new());
    let revision = CanonicalError::revision_in_force(exchange.revision());
    let error = CanonicalError::InternalError.with_message(why);
    let mut error = error.to_jsonrpc_error(revision);
    error.data.http_status = status;
    error.data.retryable = true;
    let body = Bytes::from(error.to_response(exchange.id().as_deref()));
    let (parts, answer) = answers::json(status, body.clone()).into_parts();
    if exchange.is_request_seen() {
        exchange.own_response(answers::head(&parts, false), body);
    }
    Response::from_parts(parts, answer)
}

/// Reads the rest of a body that is refused, as far as it may be long: many clients read no answer
/// before they have sent everything.
async fn discard(gateway: &State, mut rest: Incoming) {
    let mut left = DISCARDED;
    while left > 0 {
        let frame = tokio::time::timeout(gateway.body_timeout, rest.frame()).await;
        let Ok(Some(Ok(frame))) = frame else {
            return;
        };
        left = left.saturating_sub(frame.data_ref().map_or(0, Bytes::len));
    }
}

/// Bytes of a refused body that are read.
const DISCARDED: usize = 256 << 20;

pub(super) async fn collect(
    mut body: Incoming,
    limit: usize,
    timeout: Duration,
    budget: &Arc<Budget>,
) -> Collected {
    let mut buffer = BodyBuffer::new(usize::MAX).within(budget);
    loop {
        let Ok(frame) = tokio::time::timeout(timeout, body.frame()).await else {
            return Collected::Stalled;
        };
        match frame {
            Some(Ok(frame)) => {
                if let Ok(data) = frame.into_data()
                    && !buffer.add(&data)
                {
                    return Collected::NoRoom(body);
                }
            }
            Some(Err(error)) => return Collected::Broken(error),
            None => break,
        }
        if buffer.len() > limit {
            return Collected::TooLong(buffer.take(), body);
        }
    }
    Collected::Whole(buffer.take())
}
