//! Answers in place of a server that gives none.

use bytes::Bytes;
use http::{HeaderMap, Response};
use http_body_util::BodyExt as _;
use mcp_assay_contract::canonical::CanonicalError;

use super::answers;
use super::enforce;
use super::exchange::Exchange;
use crate::net::{Body, Cause, Failure, Unanswered};

/// There is no answer of the server to a request: the client gets one of ours, with the reason and
/// the id of the request.
pub(crate) async fn unanswered(exchange: &Exchange, unanswered: Unanswered) -> Response<Body> {
    if let Some(body) = unanswered.unsent {
        read(exchange, body).await;
    }
    failed(exchange, &unanswered.failure)
}

/// The answer of the server broke off: the client gets one of ours.
pub(crate) fn failed(exchange: &Exchange, failure: &Failure) -> Response<Body> {
    exchange.gateway.upstream_failed(failure);
    let kind = match failure.cause {
        Cause::Client => return enforce::unfinished(exchange, 408, &failure.reason),
        Cause::Timeout => CanonicalError::Timeout,
        _ => CanonicalError::InternalError,
    };
    answer(exchange, kind, &failure.reason)
}

/// Answers in place of the server.
pub(crate) fn answer(exchange: &Exchange, kind: CanonicalError, why: &str) -> Response<Body> {
    let status = kind.to_gateway_status();
    exchange.answered(status, &HeaderMap::new());
    let revision = CanonicalError::revision_in_force(exchange.revision());
    let error = kind.with_message(why).to_gateway_error(revision);
    let body = Bytes::from(error.to_response(exchange.id().as_deref()));
    let (parts, answer) = answers::json(status, body.clone()).into_parts();
    if exchange.is_request_seen() {
        exchange.own_response(answers::head(&parts, false), body);
    }
    Response::from_parts(parts, answer)
}

/// Reads a request that nobody took, so that its id is known.
async fn read(exchange: &Exchange, mut body: Body) {
    let gateway = &exchange.gateway;
    let mut length = 0;
    while length <= gateway.message_limit {
        let frame = tokio::time::timeout(gateway.body_timeout, body.frame()).await;
        let Ok(Some(Ok(frame))) = frame else {
            return;
        };
        length += frame.data_ref().map_or(0, Bytes::len);
    }
}
