//! Handles a request: forwards it, and its answer back.

use std::future::ready;
use std::sync::Arc;
use std::time::Instant;

use bytes::Bytes;
use http::header::{
    CONNECTION, CONTENT_ENCODING, CONTENT_LENGTH, HeaderValue, LOCATION, RETRY_AFTER,
};
use http::uri::PathAndQuery;
use http::{Request, Response};
use hyper::body::{Body as _, Incoming};
use mcp_assay_contract::canonical::CanonicalError;
use mcp_assay_live::http::{Decoder, HeadAction, error_body};

use super::answers;
use super::connection::Connection;
use super::download;
use super::enforce;
use super::exchange::Exchange;
use super::failure;
use super::oauth::{self, Here};
use super::state::State;
use super::stream::Stream;
use super::upload;
use crate::headers;
use crate::inspect::{MEDIA_TYPE, RequestHead};
use crate::net::{Body, Handler, Waiting, headers as relay, whole};
use crate::upstream;

impl Handler for Connection {
    fn handle(self: Arc<Self>, request: Request<Incoming>) -> Waiting<Response<Body>> {
        handle(&self, request)
    }
}

/// Answers a request: forwards it, and its answer back. All that can be done at once is done before
/// anything is waited for, so that little has to be kept meanwhile.
fn handle(connection: &Arc<Connection>, request: Request<Incoming>) -> Waiting<Response<Body>> {
    let gateway = connection.gateway();
    gateway.inspector.stir();
    if let Some(answer) = own_answer(gateway, &request) {
        return Box::pin(ready(answer));
    }
    if connection.is_refused() {
        let why = "the gateway has too many connections (--max-connections)";
        let body = error_body(CanonicalError::InternalError, why, None, None);
        let mut answer = answers::json(503, body);
        let headers = answer.headers_mut();
        headers.insert(CONNECTION, HeaderValue::from_static("close"));
        headers.insert(RETRY_AFTER, HeaderValue::from_static("1"));
        return Box::pin(ready(answer));
    }
    let path = request.uri().path_and_query().cloned();
    let path = path.unwrap_or_else(|| PathAndQuery::from_static("/"));
    let Some((number, target)) = upstream::find(&gateway.upstreams, &path) else {
        let why = "no server is behind this path";
        let body = error_body(CanonicalError::NotFound, why, None, None);
        let answer = answers::json(404, body);
        return Box::pin(ready(answer));
    };
    let (mut parts, body) = request.into_parts();
    parts.headers = relay::without_named(parts.headers);
    let sent = relay::to_server(&parts.headers, gateway.upstreams[number].host());
    let here = Here::new(&parts);
    let head = RequestHead {
        method: parts.method.clone(),
        path,
        headers: std::mem::replace(&mut parts.headers, sent),
    };
    let exchange = Exchange::new(connection, number, head, &parts.headers);
    parts.uri = target.into();
    parts.version = http::Version::HTTP_11;
    if gateway.inspector.enforces() {
        return Box::pin(async move {
            match enforce::request(&exchange, &mut parts.headers, body).await {
                Ok(body) => forward(exchange, here, Request::from_parts(parts, body)).await,
                Err(refusal) => refusal,
            }
        });
    }
    let body = if body.is_end_stream() {
        exchange.request(Bytes::new());
        whole(Bytes::new())
    } else {
        let observer = (!gateway.inspector.is_off()).then(|| Arc::clone(&exchange));
        upload::forward(body, gateway, observer)
    };
    forward(exchange, here, Request::from_parts(parts, body))
}

/// Forwards a request to its server, and the response back.
fn forward(exchange: Arc<Exchange>, here: Here, request: Request<Body>) -> Waiting<Response<Body>> {
    let begun = Instant::now();
    let sending = exchange.gateway.client.send(exchange.server(), request);
    Box::pin(async move {
        let response = match sending.await {
            Ok(response) => response,
            Err(unanswered) => return failure::unanswered(&exchange, unanswered).await,
        };
        let gateway = &exchange.gateway;
        gateway.inspector.stir();
        gateway.metrics.answered(begun.elapsed());
        exchange.answered(response.status().as_u16(), response.headers());
        match forward_response(&exchange, &here, response) {
            Ok(response) => response,
            Err(held) => Box::pin(forward_whole(&exchange, &here, *held)).await,
        }
    })
}

/// The answers that the gateway gives without a server.
fn own_answer(gateway: &State, request: &Request<Incoming>) -> Option<Response<Body>> {
    if let Err(why) = gateway.access.check(request.headers(), request.uri()) {
        let why = format!("forbidden: {why}");
        let body = error_body(CanonicalError::Unauthorized, &why, None, None);
        // HTTP distinguishes this from a caller that has yet to say who it is.
        return Some(answers::json(403, body));
    }
    match request.uri().path() {
        "/healthz" => Some(answers::answer(200, "text/plain", "ok\n")),
        "/metrics" => {
            gateway.inspector.catch_up();
            Some(answers::answer(
                200,
                MEDIA_TYPE,
                gateway.metrics.to_open_metrics(),
            ))
        }
        _ => None,
    }
}

/// Forwards a response as it comes. Returns it if all of it must be known first.
fn forward_response(
    exchange: &Arc<Exchange>,
    here: &Here,
    response: Response<Incoming>,
) -> Result<Response<Body>, Box<Response<Incoming>>> {
    let gateway = &exchange.gateway;
    let enforces = gateway.inspector.enforces();
    let (mut parts, body) = response.into_parts();
    if enforces && relay::is_framed_oddly(&parts.headers) {
        let why = "the transfer coding of the answer is not supported";
        return Ok(enforce::refuse_response(exchange, why));
    }
    parts.headers = relay::to_client(parts.headers);
    parts.version = http::Version::HTTP_11;
    here.rewrite_challenges(exchange.upstream(), &mut parts.headers);
    if parts.status.is_redirection() {
        here.rewrite_location(exchange.upstream(), &mut parts.headers);
        let location = relay::first(&parts.headers, &LOCATION);
        if enforces
            && let HeadAction::Refuse(why) =
                exchange.redirect_action(parts.status.as_u16(), location, here.host())
        {
            return Ok(enforce::refuse_response(exchange, why));
        }
    }
    let limit = gateway.message_limit;
    let is_over = body.is_end_stream();
    if enforces && !is_over {
        match exchange.head_action(parts.status.as_u16(), &parts.headers) {
            HeadAction::Forward => {}
            HeadAction::Replace(text) => {
                return Ok(enforce::replace_response(exchange, parts, text));
            }
            HeadAction::Refuse(why) => return Ok(enforce::refuse_response(exchange, why)),
        }
    }
    let is_encoded = !is_over && relay::first(&parts.headers, &CONTENT_ENCODING).is_some();
    let codings = if is_encoded {
        headers::codings(&parts.headers)
    } else {
        Some(Vec::new())
    };
    if here.is_metadata(&parts) && codings.as_deref() == Some(&[]) {
        return Err(Box::new(Response::from_parts(parts, body)));
    }
    let body: Body = if is_over {
        exchange.response(answers::head(&parts, false), None);
        // The rest of a batch may have no answer of its own.
        if parts.status.is_success()
            && let Some(errors) = exchange.merge(&[])
        {
            return Ok(answers::json(200, errors));
        }
        // It may say how long a body would be, as the answer to HEAD does.
        download::forward(body, gateway, None)
    } else if let Some(codings) = codings {
        let is_coded = !codings.is_empty();
        let is_judged = enforces && (!is_coded || parts.status.is_success());
        if headers::is_media(&parts.headers, "text/event-stream") {
            if is_judged {
                parts.headers.remove(CONTENT_LENGTH);
                if is_coded {
                    headers::decoded(&mut parts.headers);
                }
            }
            exchange.response(answers::head(&parts, true), None);
            let decoder = is_coded.then(|| Decoder::new(&codings, limit.saturating_add(1)));
            Box::pin(Stream::new(body, Arc::clone(exchange), limit, decoder))
        } else if is_judged {
            return Err(Box::new(Response::from_parts(parts, body)));
        } else {
            let observer = (!gateway.inspector.is_off())
                .then(|| (Arc::clone(exchange), answers::head(&parts, false)));
            download::forward(body, gateway, observer)
        }
    } else {
        exchange.response(answers::head(&parts, false), None);
        exchange.unchecked();
        download::forward(body, gateway, None)
    };
    Ok(Response::from_parts(parts, body))
}

/// Forwards a response when all of it is known.
async fn forward_whole(
    exchange: &Arc<Exchange>,
    here: &Here,
    response: Response<Incoming>,
) -> Response<Body> {
    let (parts, body) = response.into_parts();
    if here.is_metadata(&parts) {
        oauth::metadata(exchange, here, parts, body).await
    } else {
        enforce::response(exchange, parts, body).await
    }
}
