//! Answers in place of a server that gives none.

use http::{HeaderMap, Response};
use mcp_assay_contract::canonical::CanonicalError;
use mcp_assay_live::http::error_body;

use super::answers;
use super::exchange::Exchange;
use crate::net::{Body, Failure};

/// The reason for a missing answer of the server: status, error, and in words.
pub(crate) fn explained(failure: Failure) -> (u16, CanonicalError, &'static str) {
    match failure {
        Failure::Silent => (504, CanonicalError::Timeout, "the server does not answer"),
        Failure::Slow => (
            504,
            CanonicalError::Timeout,
            "the server does not take connections in time",
        ),
        Failure::Unreachable => (
            502,
            CanonicalError::InternalError,
            "the server cannot be reached",
        ),
        Failure::BrokenOff => (502, CanonicalError::InternalError, "the server broke off"),
    }
}

/// There is no answer of the server: the client gets one of ours.
pub(crate) fn answer(
    exchange: &Exchange,
    status: u16,
    kind: CanonicalError,
    why: &str,
) -> Response<Body> {
    exchange.answered(status, &HeaderMap::new());
    let body = error_body(
        status,
        kind,
        why,
        exchange.id().as_deref(),
        exchange.revision(),
    );
    let (parts, answer) = answers::json(status, body.clone()).into_parts();
    if exchange.is_request_seen() {
        exchange.response(answers::head(&parts, false), Some(body));
    }
    Response::from_parts(parts, answer)
}
