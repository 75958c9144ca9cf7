//! What becomes of a request.

mod enforce;
mod gateway;

pub(super) use self::enforce::answer_server;
pub(super) use self::gateway::{Bounds, Gateway};

use std::sync::Arc;
use std::time::Instant;

use bytes::Bytes;
use http::header::{CONTENT_ENCODING, CONTENT_LENGTH};
use http::{Request, Response};
use hyper::body::{Body, Incoming};
use mcp_assay::canonical::CanonicalError;

use super::answers;
use super::connection::Connection;
use super::download::Download;
use super::exchange::Exchange;
use super::headers;
use super::metrics::MEDIA_TYPE;
use super::oauth;
use super::route;
use super::stream::Stream;
use super::upload::Upload;

/// Answers a request: passes it on, and its answer back.
pub(super) async fn handle(
    gateway: Arc<Gateway>,
    connection: Arc<Connection>,
    request: Request<Incoming>,
) -> Response<Download> {
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
    let path = request
        .uri()
        .path_and_query()
        .map_or("/", |path| path.as_str());
    let Some((number, upstream, target)) = route::find(&gateway.upstreams, path) else {
        return answers::answer(404, "text/plain", "no server is behind this path\n");
    };
    let sent = headers::to_server(request.headers(), &gateway.hosts[number]);
    let (mut parts, body) = request.into_parts();
    let here = oauth::Here::new(&parts, upstream);
    let exchange = Exchange::new(&connection, number, &parts, target.clone(), &sent);
    parts.uri = target;
    parts.headers = sent;
    parts.version = http::Version::HTTP_11;
    let body = if gateway.inspector.enforces() {
        match enforce::request(&exchange, &mut parts.headers, body).await {
            Ok(body) => body,
            Err(refusal) => return refusal,
        }
    } else if body.is_end_stream() {
        exchange.request(Bytes::new());
        Upload::whole(Bytes::new())
    } else {
        let looks = !gateway.inspector.is_idle();
        let told = looks.then(|| Arc::clone(&exchange));
        Upload::passing(body, told, gateway.message_limit)
    };
    let response = send(&gateway, &exchange, Request::from_parts(parts, body)).await;
    match response {
        Ok(response) => pass_back(&exchange, &here, response).await,
        Err((status, kind, why)) => failed(&exchange, status, kind, why),
    }
}

/// Why there is no answer of the server: status, error, and in words.
type Failure = (u16, CanonicalError, &'static str);

async fn send(
    gateway: &Gateway,
    exchange: &Exchange,
    request: Request<Upload>,
) -> Result<Response<Incoming>, Failure> {
    let begun = Instant::now();
    let answer =
        tokio::time::timeout(gateway.response_timeout, gateway.client.request(request)).await;
    let Ok(answer) = answer else {
        return Err((504, CanonicalError::Timeout, "the server does not answer"));
    };
    let response = answer.map_err(|error| {
        if is_timeout(&error) {
            (
                504,
                CanonicalError::Timeout,
                "the server does not take connections in time",
            )
        } else if error.is_connect() {
            (
                502,
                CanonicalError::InternalError,
                "the server cannot be reached",
            )
        } else {
            (502, CanonicalError::InternalError, "the server broke off")
        }
    })?;
    gateway.patience.stir();
    gateway.metrics.answered(begun.elapsed());
    exchange.answered(response.status().as_u16(), response.headers());
    Ok(response)
}

/// There is no answer of the server: the client gets one of ours.
fn failed(exchange: &Exchange, status: u16, kind: CanonicalError, why: &str) -> Response<Download> {
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
        exchange.response(Arc::new(answers::head(&response, false)), Some(body));
    }
    response
}

async fn pass_back(
    exchange: &Arc<Exchange>,
    here: &oauth::Here,
    response: Response<Incoming>,
) -> Response<Download> {
    let gateway = &exchange.gateway;
    let (mut parts, body) = response.into_parts();
    parts.headers = headers::to_client(&parts.headers);
    parts.version = http::Version::HTTP_11;
    here.rewrite_challenges(&mut parts.headers);
    let mut response = Response::from_parts(parts, Download::whole(Bytes::new()));
    let limit = gateway.message_limit;
    let is_encoded = response.headers().contains_key(CONTENT_ENCODING) && !body.is_end_stream();
    let is_stream =
        headers::is_media(response.headers(), "text/event-stream") && !body.is_end_stream();
    if here.is_metadata() && response.status().is_success() && !is_encoded {
        return oauth::metadata(exchange, here, response, body).await;
    }
    if is_encoded {
        exchange.response(Arc::new(answers::head(&response, false)), None);
        exchange.unchecked();
        *response.body_mut() = Download::passing(body, None, limit, gateway.response_timeout);
    } else if is_stream {
        exchange.response(Arc::new(answers::head(&response, true)), None);
        if gateway.inspector.enforces() {
            response.headers_mut().remove(CONTENT_LENGTH);
        }
        *response.body_mut() =
            Download::Events(Box::new(Stream::new(body, Arc::clone(exchange), limit)));
    } else if body.is_end_stream() {
        exchange.response(Arc::new(answers::head(&response, false)), None);
        // It may say how long a body would be, as the answer to HEAD does.
        *response.body_mut() = Download::passing(body, None, limit, gateway.response_timeout);
    } else if gateway.inspector.enforces() {
        return enforce::response(exchange, response, body).await;
    } else {
        let head =
            (!gateway.inspector.is_idle()).then(|| Arc::new(answers::head(&response, false)));
        let told = head.map(|head| (Arc::clone(exchange), head));
        *response.body_mut() = Download::passing(body, told, limit, gateway.response_timeout);
    }
    response
}

/// Whether connecting took too long.
fn is_timeout(error: &(dyn std::error::Error + 'static)) -> bool {
    let mut cause = Some(error);
    while let Some(error) = cause {
        let kind = error
            .downcast_ref::<std::io::Error>()
            .map(std::io::Error::kind);
        if kind == Some(std::io::ErrorKind::TimedOut) {
            return true;
        }
        cause = error.source();
    }
    false
}
