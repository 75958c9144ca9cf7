//! The adapter for HTTP services without I/O: the layer of `mcp-assay-tower` around a service
//! whose requests Python takes, and whose responses Python gives.
//!
//! Bodies are queues. The layer is polled after each change, so nothing has to be woken.

use std::collections::VecDeque;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Response, StatusCode, Uri};
use http_body::{Body, Frame};
use mcp_assay_live::guard::Judged;
use mcp_assay_tower::{Assay, AssayLayer, RequestBody, ResponseBody, ResponseFuture};
use pyo3::exceptions::{PyConnectionError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyDict};
use tower_layer::Layer as _;
use tower_service::Service;

use crate::checked::Checked;
use crate::lines::{Reports, lock};
use crate::options::{Options, mode};

/// The checks of one service, and its sessions.
#[pyclass(frozen, module = "mcp_assay._native")]
pub(crate) struct Http {
    layer: AssayLayer,
    reports: Reports,
}

/// One HTTP request, and its response.
#[pyclass(frozen, module = "mcp_assay._native")]
pub(crate) struct Exchange(Mutex<State>);

struct State {
    service: Inner,
    request: Queue,
    response: Queue,
    future: Option<Pin<Box<ResponseFuture<Inner, Queue, Queue>>>>,
    /// The request as the service gets it, and its headers as they came.
    forwarded: Option<Pin<Box<RequestBody<Queue>>>>,
    headers: HeaderMap,
    /// The response of the layer, until it is taken.
    ready: Option<Response<ResponseBody<Queue>>>,
    /// The response as the client gets it.
    answer: Option<Pin<Box<ResponseBody<Queue>>>>,
}

type Pairs = Vec<(PyBackedBytes, PyBackedBytes)>;
type Given<'py> = Vec<(Bound<'py, PyBytes>, Bound<'py, PyBytes>)>;

#[pymethods]
impl Http {
    #[new]
    fn new(mode_name: &str, options: &Bound<'_, PyDict>) -> PyResult<Self> {
        let reports = Reports::default();
        let kept = reports.clone();
        let policy = Options::read(options)?.policy()?;
        let layer = AssayLayer::new(policy, mode(mode_name)?)
            .reporter(move |_: Option<&str>, judged: &Judged<'_>| kept.add(judged));
        Ok(Self { layer, reports })
    }

    /// The head of a request has come.
    fn exchange(
        &self,
        py: Python<'_>,
        method: &str,
        path: PyBackedBytes,
        headers: Pairs,
    ) -> PyResult<Exchange> {
        py.detach(|| {
            let service = Inner::default();
            let body = Queue::default();
            let mut request = Request::new(body.clone());
            let bad = |_| PyValueError::new_err("the method of the request is no token");
            *request.method_mut() = Method::from_bytes(method.as_bytes()).map_err(bad)?;
            *request.uri_mut() = Uri::try_from(&path[..]).unwrap_or_default();
            *request.headers_mut() = header_map(&headers);
            let headers = request.headers().clone();
            let mut assay: Assay<Inner> = self.layer.layer(service.clone());
            let future = Some(Box::pin(assay.call(request)));
            let exchange = Exchange(Mutex::new(State {
                service,
                request: body,
                response: Queue::default(),
                future,
                forwarded: None,
                headers,
                ready: None,
                answer: None,
            }));
            Ok(exchange)
        })
    }

    /// Takes the results of messages with violations.
    fn reports(&self) -> Vec<Checked> {
        self.reports.take()
    }
}

#[pymethods]
impl Exchange {
    /// A part of the body of the request has come.
    fn request_body(&self, py: Python<'_>, bytes: PyBackedBytes, is_last: bool) {
        py.detach(|| lock(&self.0).request.push(&bytes, is_last));
    }

    /// The client broke off its request.
    fn request_failed(&self, py: Python<'_>) {
        py.detach(|| lock(&self.0).request.fail());
    }

    /// Whether the service is to be called: with its own headers, or with these.
    fn forward<'py>(&self, py: Python<'py>) -> Option<(Option<Given<'py>>,)> {
        let (headers, are_changed) = py.detach(|| lock(&self.0).forward())?;
        Some((are_changed.then(|| given(py, &headers)),))
    }

    /// A part of the body of the request as the service gets it: the bytes, and whether they are
    /// the last; nothing if more has to come first.
    fn forwarded<'py>(&self, py: Python<'py>) -> PyResult<Option<(Bound<'py, PyBytes>, bool)>> {
        let polled = py.detach(|| {
            let mut state = lock(&self.0);
            let Some(body) = &mut state.forwarded else {
                return Poll::Ready(None);
            };
            poll_data(body.as_mut())
        });
        chunk(py, polled)
    }

    /// The head of the response of the service.
    fn response(&self, py: Python<'_>, status: u16, headers: Pairs) -> PyResult<()> {
        py.detach(|| {
            let state = lock(&self.0);
            let mut response = Response::new(state.response.clone());
            let bad = |_| PyValueError::new_err("the status of the response is no status");
            *response.status_mut() = StatusCode::from_u16(status).map_err(bad)?;
            *response.headers_mut() = header_map(&headers);
            lock(&state.service.0).response = Some(response);
            Ok(())
        })
    }

    /// A part of the body of the response of the service.
    fn response_body(&self, py: Python<'_>, bytes: PyBackedBytes, is_last: bool) {
        py.detach(|| lock(&self.0).response.push(&bytes, is_last));
    }

    /// The head of the response as the client gets it, once it is known.
    fn answer<'py>(&self, py: Python<'py>) -> Option<(u16, Given<'py>)> {
        let (status, headers) = py.detach(|| lock(&self.0).answer())?;
        Some((status.as_u16(), given(py, &headers)))
    }

    /// A part of the body of the response as the client gets it: the bytes, and whether they are
    /// the last; nothing if more has to come first.
    fn answered<'py>(&self, py: Python<'py>) -> PyResult<Option<(Bound<'py, PyBytes>, bool)>> {
        let polled = py.detach(|| {
            let mut state = lock(&self.0);
            let Some(body) = &mut state.answer else {
                return Poll::Pending;
            };
            poll_data(body.as_mut())
        });
        chunk(py, polled)
    }
}

impl State {
    /// Polls the layer until the service is called. Gives its headers, and whether they are
    /// changed.
    fn forward(&mut self) -> Option<(HeaderMap, bool)> {
        self.poll();
        let (head, body) = lock(&self.service.0).request.take()?.into_parts();
        self.forwarded = Some(Box::pin(body));
        let are_changed = head.headers != self.headers;
        Some((head.headers, are_changed))
    }

    /// Polls the layer until it has a response.
    fn answer(&mut self) -> Option<(StatusCode, HeaderMap)> {
        self.poll();
        let response = self.ready.take()?;
        let (head, body) = response.into_parts();
        self.answer = Some(Box::pin(body));
        Some((head.status, head.headers))
    }

    fn poll(&mut self) {
        let mut context = Context::from_waker(Waker::noop());
        let Some(future) = &mut self.future else {
            return;
        };
        if let Poll::Ready(response) = future.as_mut().poll(&mut context) {
            let Ok(response) = response;
            (self.future, self.ready) = (None, Some(response));
        }
    }
}

/// The service within the layer: Python takes the request, and gives the response.
#[derive(Clone, Default)]
struct Inner(Arc<Mutex<Call>>);

#[derive(Default)]
struct Call {
    request: Option<Request<RequestBody<Queue>>>,
    response: Option<Response<Queue>>,
}

impl Service<Request<RequestBody<Queue>>> for Inner {
    type Response = Response<Queue>;
    type Error = std::convert::Infallible;
    type Future = Reply;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<RequestBody<Queue>>) -> Reply {
        lock(&self.0).request = Some(request);
        Reply(self.clone())
    }
}

/// The response that Python will give.
struct Reply(Inner);

impl Future for Reply {
    type Output = Result<Response<Queue>, std::convert::Infallible>;

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Self::Output> {
        match lock(&self.0.0).response.take() {
            Some(response) => Poll::Ready(Ok(response)),
            None => Poll::Pending,
        }
    }
}

/// A body whose parts come one by one.
#[derive(Clone, Default)]
struct Queue(Arc<Mutex<Parts>>);

#[derive(Default)]
struct Parts {
    ready: VecDeque<Bytes>,
    is_over: bool,
    has_failed: bool,
}

/// The client broke off.
#[derive(Debug)]
struct Aborted;

impl Queue {
    fn push(&self, bytes: &[u8], is_last: bool) {
        let mut parts = lock(&self.0);
        if !bytes.is_empty() {
            parts.ready.push_back(Bytes::copy_from_slice(bytes));
        }
        parts.is_over |= is_last;
    }

    fn fail(&self) {
        lock(&self.0).has_failed = true;
    }
}

impl Body for Queue {
    type Data = Bytes;
    type Error = Aborted;

    fn poll_frame(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Aborted>>> {
        let mut parts = lock(&self.0);
        match parts.ready.pop_front() {
            Some(bytes) => Poll::Ready(Some(Ok(Frame::data(bytes)))),
            None if parts.is_over => Poll::Ready(None),
            None if std::mem::take(&mut parts.has_failed) => {
                parts.is_over = true;
                Poll::Ready(Some(Err(Aborted)))
            }
            None => Poll::Pending,
        }
    }

    fn is_end_stream(&self) -> bool {
        let parts = lock(&self.0);
        parts.is_over && parts.ready.is_empty()
    }
}

/// The next part of a body; `None` at its end.
fn poll_data<B>(mut body: Pin<&mut B>) -> Poll<Option<Result<Bytes, Aborted>>>
where
    B: Body<Data = Bytes, Error = Aborted>,
{
    let mut context = Context::from_waker(Waker::noop());
    loop {
        return match body.as_mut().poll_frame(&mut context) {
            Poll::Pending => Poll::Pending,
            Poll::Ready(None) => Poll::Ready(None),
            Poll::Ready(Some(Err(error))) => Poll::Ready(Some(Err(error))),
            Poll::Ready(Some(Ok(frame))) => match frame.into_data() {
                Ok(data) => Poll::Ready(Some(Ok(data))),
                // Queues have no trailers.
                Err(_) => continue,
            },
        };
    }
}

/// A part of a body for Python: the bytes, and whether they are the last.
fn chunk(
    py: Python<'_>,
    polled: Poll<Option<Result<Bytes, Aborted>>>,
) -> PyResult<Option<(Bound<'_, PyBytes>, bool)>> {
    match polled {
        Poll::Pending => Ok(None),
        Poll::Ready(None) => Ok(Some((PyBytes::new(py, b""), true))),
        Poll::Ready(Some(Ok(data))) => Ok(Some((PyBytes::new(py, &data), false))),
        Poll::Ready(Some(Err(Aborted))) => Err(PyConnectionError::new_err(
            "the client broke off its request",
        )),
    }
}

/// Headers as the layer reads them. A name or value that HTTP does not allow is left out.
fn header_map(pairs: &Pairs) -> HeaderMap {
    let read = pairs.iter().filter_map(|(name, value)| {
        let name = HeaderName::from_bytes(name).ok()?;
        Some((name, HeaderValue::from_bytes(value).ok()?))
    });
    let mut headers = HeaderMap::new();
    for (name, value) in read {
        headers.append(name, value);
    }
    headers
}

/// Headers as ASGI has them.
fn given<'py>(py: Python<'py>, headers: &HeaderMap) -> Given<'py> {
    let pair = |(name, value): (&HeaderName, &HeaderValue)| {
        let name = PyBytes::new(py, name.as_str().as_bytes());
        (name, PyBytes::new(py, value.as_bytes()))
    };
    headers.iter().map(pair).collect()
}
