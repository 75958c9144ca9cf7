//! Answers in place of a server that gives none.

use bytes::Bytes;
use http::{HeaderMap, Response};
use mcp_assay_contract::canonical::CanonicalError;

use super::answers;
use super::exchange::Exchange;
use crate::net::{Body, Failure};

/// The reason for a missing answer of the server: the error, and in words.
pub(crate) fn explained(failure: Failure) -> (CanonicalError, &'static str) {
    match failure {
        Failure::Silent => (CanonicalError::Timeout, "the server does not answer"),
        Failure::Slow => (
            CanonicalError::Timeout,
            "the server does not take connections in time",
        ),
        Failure::Unreachable => (
            CanonicalError::InternalError,
            "the server cannot be reached",
        ),
        Failure::BrokenOff => (CanonicalError::InternalError, "the server broke off"),
    }
}

/// There is no answer of the server: the client gets one of ours.
pub(crate) fn answer(exchange: &Exchange, kind: CanonicalError, why: &str) -> Response<Body> {
    let status = kind.to_gateway_status();
    exchange.answered(status, &HeaderMap::new());
    let revision = CanonicalError::revision_in_force(exchange.revision());
    let error = kind.with_message(why).to_gateway_error(revision);
    let body = Bytes::from(error.to_response(exchange.id().as_deref()));
    let (parts, answer) = answers::json(status, body.clone()).into_parts();
    if exchange.is_request_seen() {
        exchange.response(answers::head(&parts, false), Some(body));
    }
    Response::from_parts(parts, answer)
}
