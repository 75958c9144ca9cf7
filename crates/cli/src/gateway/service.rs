//! What becomes of a request.

mod enforce;
mod gateway;

pub(super) use self::enforce::answer_server;
pub(super) use self::gateway::{Bounds, Gateway};

use std::sync::Arc;
use std::time::Instant;

use bytes::Bytes;
use http::header::{CONTENT_ENCODING, CONTENT_LENGTH};
use http::uri::PathAndQuery;
use http::{Request, Response};
use hyper::body::{Body as _, Incoming};
use mcp_assay::canonical::CanonicalError;
use mcp_assay_relay::{Body, Failure, headers as relay, whole};

use super::answers;
use super::connection::Connection;
use super::download;
use super::exchange::Exchange;
use super::headers;
use super::inspect::RequestHead;
use super::metrics::MEDIA_TYPE;
use super::oauth;
use super::route;
use super::stream::Stream;
use super::upload;

/// Answers a request: passes it on, and its answer back.
pub(super) async fn handle(
    connection: Arc<Connection>,
    request: Request<Incoming>,
) -> Response<Body> {
    let gateway = Arc::clone(connection.gateway());
    gateway.patience.stir();
    if let Err(why) = gateway.access.check(request.headers(), request.uri()) {
        return answers::answer(403, "text/plain", format!("forbidden: {why}\n"));
    }
    match request.uri().path() {
        "/healthz" => return answers::answer(200, "text/plain", "ok\n"),
        "/metrics" => {
            gateway.inspector.catch_up();
            return answers::answer(200, MEDIA_TYPE, gateway.metrics.text());
        }
        _ => {}
    }
    let path = request.uri().path_and_query().cloned();
    let path = path.unwrap_or_else(|| PathAndQuery::from_static("/"));
    let Some((number, upstream, target)) = route::find(&gateway.upstreams, &path) else {
        return answers::answer(404, "text/plain", "no server is behind this path\n");
    };
    let sent = relay::to_server(request.headers(), &gateway.hosts[number]);
    let (mut parts, body) = request.into_parts();
    let here = oauth::Here::new(&parts, upstream);
    let head = RequestHead {
        method: parts.method.clone(),
        path,
        headers: std::mem::replace(&mut parts.headers, sent),
    };
    let exchange = Exchange::new(&connection, number, head, &parts.headers);
    parts.uri = target.into();
    parts.version = http::Version::HTTP_11;
    let body = if gateway.inspector.enforces() {
        match Box::pin(enforce::request(&exchange, &mut parts.headers, body)).await {
            Ok(body) => body,
            Err(refusal) => return refusal,
        }
    } else if body.is_end_stream() {
        exchange.request(Bytes::new());
        whole(Bytes::new())
    } else {
        let looks = !gateway.inspector.is_idle();
        let told = looks.then(|| Arc::clone(&exchange));
        upload::passing(body, told, gateway.message_limit)
    };
    match send(&gateway, &exchange, Request::from_parts(parts, body)).await {
        Ok(response) => pass_back(&exchange, &here, response).await,
        Err(failure) => {
            let (status, kind, why) = explained(failure);
            failed(&exchange, status, kind, why)
        }
    }
}

async fn send(
    gateway: &Gateway,
    exchange: &Exchange,
    request: Request<Body>,
) -> Result<Response<Incoming>, Failure> {
    let begun = Instant::now();
    let response = gateway.client.send(exchange.server(), request).await?;
    gateway.patience.stir();
    gateway.metrics.answered(begun.elapsed());
    exchange.answered(response.status().as_u16(), response.headers());
    Ok(response)
}

/// Why there is no answer of the server: status, error, and in words.
fn explained(failure: Failure) -> (u16, CanonicalError, &'static str) {
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
fn failed(exchange: &Exchange, status: u16, kind: CanonicalError, why: &str) -> Response<Body> {
    exchange.answered(status, &http::HeaderMap::new());
    let body = answers::error(
        status,
        kind,
        why,
        exchange.id().as_deref(),
        exchange.revision(),
    );
    let response = answers::json(status, body.clone());
    if exchange.is_request_seen() {
        exchange.response(answers::head(&response, false), Some(body));
    }
    response
}

async fn pass_back(
    exchange: &Arc<Exchange>,
    here: &oauth::Here<'_>,
    response: Response<Incoming>,
) -> Response<Body> {
    let gateway = &exchange.gateway;
    let (mut parts, body) = response.into_parts();
    parts.headers = relay::to_client(parts.headers);
    parts.version = http::Version::HTTP_11;
    here.rewrite_challenges(&mut parts.headers);
    let mut response = Response::from_parts(parts, ());
    let (limit, timeout) = (gateway.message_limit, gateway.response_timeout);
    let is_over = body.is_end_stream();
    let is_encoded = response.headers().contains_key(CONTENT_ENCODING) && !is_over;
    let is_stream = !is_over && headers::is_media(response.headers(), "text/event-stream");
    if here.is_metadata() && response.status().is_success() && !is_encoded {
        return Box::pin(oauth::metadata(exchange, here, response, body)).await;
    }
    let body: Body = if is_encoded {
        exchange.response(answers::head(&response, false), None);
        exchange.unchecked();
        download::passing(body, None, limit, timeout)
    } else if is_stream {
        exchange.response(answers::head(&response, true), None);
        if gateway.inspector.enforces() {
            response.headers_mut().remove(CONTENT_LENGTH);
        }
        Box::pin(Stream::new(body, Arc::clone(exchange), limit))
    } else if is_over {
        exchange.response(answers::head(&response, false), None);
        // It may say how long a body would be, as the answer to HEAD does.
        download::passing(body, None, limit, timeout)
    } else if gateway.inspector.enforces() {
        return Box::pin(enforce::response(exchange, response, body)).await;
    } else {
        let head = (!gateway.inspector.is_idle()).then(|| answers::head(&response, false));
        let told = head.map(|head| (Arc::clone(exchange), head));
        download::passing(body, told, limit, timeout)
    };
    response.map(|()| body)
}
