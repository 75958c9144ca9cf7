//! What `enforce` does with bodies: they are judged before they go on.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::header::{ACCEPT, CONTENT_LENGTH, CONTENT_TYPE, HeaderValue};
use http::response::Parts;
use http::{HeaderMap, Method, Request, Response};
use http_body_util::BodyExt as _;
use hyper::body::Incoming;
use mcp_assay_contract::canonical::CanonicalError;
use mcp_assay_relay::{Body, whole};

use crate::gateway::answers;
use crate::gateway::download;
use crate::gateway::exchange::Exchange;
use crate::gateway::headers;
use crate::live::Passing;

/// Judges a request; either its body goes on, or this answer goes back.
pub(super) async fn request(
    exchange: &Exchange,
    headers: &mut HeaderMap,
    body: Incoming,
) -> Result<Body, Response<Body>> {
    let gateway = &exchange.gateway;
    let body = match collect(body, gateway.body_limit, gateway.response_timeout).await {
        Collected::Whole(body) => body,
        Collected::TooLong(..) => {
            let (kind, why) = (
                CanonicalError::InvalidInput,
                "the body is longer than is allowed",
            );
            return Err(answers::json(
                413,
                answers::error(413, kind, why, None, exchange.revision()),
            ));
        }
        Collected::Broken(why) => {
            let kind = CanonicalError::InvalidInput;
            return Err(answers::json(
                400,
                answers::error(400, kind, why, None, exchange.revision()),
            ));
        }
    };
    let Some(outcome) = exchange.request(body.clone()) else {
        return Ok(whole(body));
    };
    let refusal = match outcome.passing {
        Passing::Forward => return Ok(whole(body)),
        Passing::Replace => {
            if headers.contains_key(CONTENT_LENGTH) {
                headers.insert(CONTENT_LENGTH, HeaderValue::from(outcome.text.len()));
            }
            return Ok(whole(outcome.text));
        }
        Passing::Refuse => answers::json(outcome.status, outcome.text.clone()),
        // Nobody waits for an answer, but HTTP has one.
        Passing::Drop | Passing::Divert => answers::accepted(),
    };
    let (parts, body) = refusal.into_parts();
    exchange.refused(answers::head(&parts, false), outcome.text);
    Err(Response::from_parts(parts, body))
}

/// Judges the body of a response.
pub(super) async fn response(
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
        Collected::TooLong(pieces, rest) => {
            let begins = pieces
                .iter()
                .find_map(|piece| piece.trim_ascii_start().first());
            if !is_labelled && !matches!(begins, Some(b'{' | b'[')) {
                // No message: it passes, however long it is.
                exchange.response(head, None);
                let body = download::rest(pieces, rest, timeout);
                return Response::from_parts(response, body);
            }
            pieces.concat().into()
        }
        Collected::Broken(why) => {
            let is_late = why == STALLED;
            let (status, kind) = if is_late {
                (504, CanonicalError::Timeout)
            } else {
                (502, CanonicalError::InternalError)
            };
            return super::failed(exchange, status, kind, why);
        }
    };
    let is_refusal = head.status.as_u16() >= 400;
    let outcome = exchange.response(head, Some(body.clone()));
    let replacement = match outcome {
        // How a server refuses is its own affair.
        _ if is_refusal => None,
        None => None,
        Some(outcome) => match outcome.passing {
            Passing::Forward => None,
            Passing::Replace => Some(outcome.text),
            Passing::Refuse => {
                answer_server(exchange, outcome.text);
                Some(unusable(exchange))
            }
            Passing::Drop | Passing::Divert => Some(unusable(exchange)),
        },
    };
    let Some(text) = replacement else {
        return Response::from_parts(response, whole(body));
    };
    let headers = &mut response.headers;
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(CONTENT_LENGTH, HeaderValue::from(text.len()));
    Response::from_parts(response, whole(text))
}

/// Tells the server that a request of its own did not reach the client.
pub(in crate::gateway) fn answer_server(exchange: &Arc<Exchange>, text: Bytes) {
    let Some(target) = exchange.message_target() else {
        return;
    };
    let mut request = Request::new(whole(text));
    *request.method_mut() = Method::POST;
    *request.uri_mut() = target.into();
    let headers = request.headers_mut();
    headers.clone_from(&exchange.credentials);
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(
        ACCEPT,
        HeaderValue::from_static("application/json, text/event-stream"),
    );
    // If the server does not want to know, nobody else does.
    tokio::spawn(exchange.gateway.client.send(exchange.server(), request));
}

/// The answer of the server belongs to nothing, but somebody waits for one.
fn unusable(exchange: &Exchange) -> Bytes {
    let (kind, why) = (
        CanonicalError::InvalidOutput,
        "the server's answer was not valid",
    );
    answers::error(
        502,
        kind,
        why,
        exchange.id().as_deref(),
        exchange.revision(),
    )
}

/// A body that was waited for.
enum Collected {
    Whole(Bytes),
    /// It is longer than the limit: what came so far, and the rest.
    TooLong(Vec<Bytes>, Incoming),
    Broken(&'static str),
}

const STALLED: &str = "the body does not go on";

async fn collect(mut body: Incoming, limit: usize, timeout: Duration) -> Collected {
    let (mut pieces, mut length) = (Vec::new(), 0);
    loop {
        let Ok(frame) = tokio::time::timeout(timeout, body.frame()).await else {
            return Collected::Broken(STALLED);
        };
        match frame {
            Some(Ok(frame)) => {
                if let Ok(data) = frame.into_data() {
                    length += data.len();
                    pieces.push(data);
                }
            }
            Some(Err(_)) => return Collected::Broken("the body broke off"),
            None => break,
        }
        if length > limit {
            return Collected::TooLong(pieces, body);
        }
    }
    Collected::Whole(match pieces.len() {
        1 => pieces.remove(0),
        _ => pieces.concat().into(),
    })
}
