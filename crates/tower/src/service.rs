//! The service: everything that passes through it is checked.

use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::Bytes;
use http::{Method, Request, Response};
use http_body::Body;
use mcp_assay_live::http::RequestAction;
use tower_service::Service;

use crate::ResponseBody;
use crate::body::{Prefixed, RequestBody};
use crate::exchange::Exchange;
use crate::future::ResponseFuture;
use crate::shared::Shared;

/// Checks what passes through a service. Made by [`AssayLayer`](crate::AssayLayer).
#[derive(Clone)]
pub struct Assay<S> {
    inner: S,
    shared: Arc<Shared>,
}

impl<S> Assay<S> {
    pub(crate) fn new(inner: S, shared: Arc<Shared>) -> Self {
        Self { inner, shared }
    }

    /// The service within.
    pub fn get_ref(&self) -> &S {
        &self.inner
    }

    /// The service within, mutable.
    pub fn get_mut(&mut self) -> &mut S {
        &mut self.inner
    }

    /// The service within, alone again.
    pub fn into_inner(self) -> S {
        self.inner
    }
}

impl<S, B, R> Service<Request<B>> for Assay<S>
where
    S: Service<Request<RequestBody<B>>, Response = Response<R>> + Clone,
    B: Body,
    R: Body,
{
    type Response = Response<ResponseBody<R>>;
    type Error = S::Error;
    type Future = ResponseFuture<S, B, R>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let (head, body) = request.into_parts();
        let body = Box::pin(body);
        // Other methods are no part of MCP: a preflight is the browser's.
        let is_mcp = matches!(head.method, Method::POST | Method::GET | Method::DELETE);
        if !is_mcp {
            let request = Request::from_parts(head, RequestBody(Prefixed::untouched(body)));
            return ResponseFuture::waiting(self.inner.call(request), None);
        }
        let mut exchange = Exchange::new(&self.shared, &head);
        if head.method == Method::POST {
            // The service that is ready is called once the body is there.
            let waiting = self.inner.clone();
            let service = std::mem::replace(&mut self.inner, waiting);
            return ResponseFuture::reading(service, head, body, exchange);
        }
        if let RequestAction::Refuse(status, body) = exchange.request(&head, &Bytes::new()) {
            return ResponseFuture::refused(status, body);
        }
        let request = Request::from_parts(head, RequestBody(Prefixed::untouched(body)));
        ResponseFuture::waiting(self.inner.call(request), Some(exchange))
    }
}

impl<S: std::fmt::Debug> std::fmt::Debug for Assay<S> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Assay")
            .field("inner", &self.inner)
            .finish_non_exhaustive()
    }
}
