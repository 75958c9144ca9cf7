//! The steps of an exchange: read the body of the request, call the handler, check its response.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue, Request, Response, StatusCode, request, response};
use http_body::Body;
use mcp_assay_live::http::{
    BodyBuffer, Coding, DecodeError, Decoder, HeadAction, RequestAction, ResponseAction,
    contradiction,
};
use pin_project_lite::pin_project;
use tower_service::Service;

use crate::body::{Prefixed, RequestBody, ResponseBody, Then, poll_read};
use crate::exchange::{Exchange, codings, form, is_event_stream, may_be_json, strip_codings};

pin_project! {
    /// The response of an [`Assay`](crate::Assay).
    pub struct ResponseFuture<S, B, R>
    where
        S: Service<Request<RequestBody<B>>>,
        B: Body,
        R: Body,
    {
        #[pin]
        state: State<S, S::Future, B, R>,
    }
}

pin_project! {
    #[project = StateProjection]
    enum State<S, F, B, R>
    where
        R: Body,
    {
        Reading { reading: Option<Reading<S, B>> },
        Refused { response: Option<Response<ResponseBody<R>>> },
        Waiting { #[pin] future: F, exchange: Option<Exchange> },
        Collecting { collecting: Option<Box<Collecting<R>>> },
    }
}

/// The body of a request is being read.
struct Reading<S, B> {
    service: S,
    head: request::Parts,
    body: Pin<Box<B>>,
    read: BodyBuffer,
    exchange: Exchange,
}

/// The body of a response is being read.
struct Collecting<R> {
    head: response::Parts,
    body: Pin<Box<R>>,
    read: BodyBuffer,
    codings: Vec<Coding>,
    exchange: Exchange,
}

impl<S, B, R> ResponseFuture<S, B, R>
where
    S: Service<Request<RequestBody<B>>, Response = Response<R>>,
    B: Body,
    R: Body,
{
    /// The handler is called when the body was read.
    pub(crate) fn reading(
        service: S,
        head: request::Parts,
        body: Pin<Box<B>>,
        exchange: Exchange,
    ) -> Self {
        let reading = Reading {
            service,
            head,
            body,
            read: BodyBuffer::new(usize::MAX),
            exchange,
        };
        Self::of(State::Reading {
            reading: Some(reading),
        })
    }

    /// The handler was called; without an exchange nothing is checked.
    pub(crate) fn waiting(future: S::Future, exchange: Option<Exchange>) -> Self {
        Self::of(State::Waiting { future, exchange })
    }

    /// The answer to a request that does not reach the handler.
    pub(crate) fn refused(status: u16, body: Bytes) -> Self {
        let response = Some(refusal(status, body));
        Self::of(State::Refused { response })
    }

    fn of(state: State<S, S::Future, B, R>) -> Self {
        Self { state }
    }
}

impl<S, B, R> Future for ResponseFuture<S, B, R>
where
    S: Service<Request<RequestBody<B>>, Response = Response<R>>,
    B: Body,
    R: Body,
{
    type Output = Result<Response<ResponseBody<R>>, S::Error>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let mut state = self.project().state;
        loop {
            let next = match state.as_mut().project() {
                StateProjection::Reading { reading } => {
                    let under_way = reading.as_mut().expect(POLLED);
                    let limit = under_way.exchange.shared.limit();
                    let then = ready!(poll_read(
                        &mut under_way.body,
                        limit,
                        &mut under_way.read,
                        context
                    ));
                    let reading = reading.take().expect(POLLED);
                    match reading.check(then) {
                        Ok((mut service, request, exchange)) => State::Waiting {
                            future: service.call(request),
                            exchange: Some(exchange),
                        },
                        Err(response) => State::Refused {
                            response: Some(*response),
                        },
                    }
                }
                StateProjection::Refused { response } => {
                    return Poll::Ready(Ok(response.take().expect(POLLED)));
                }
                StateProjection::Waiting { future, exchange } => {
                    let response = ready!(future.poll(context))?;
                    match answered(response, exchange.take()) {
                        Ok(response) => return Poll::Ready(Ok(response)),
                        Err(collecting) => State::Collecting {
                            collecting: Some(collecting),
                        },
                    }
                }
                StateProjection::Collecting { collecting } => {
                    let under_way = collecting.as_mut().expect(POLLED);
                    let limit = under_way.exchange.shared.limit();
                    let then = ready!(poll_read(
                        &mut under_way.body,
                        limit,
                        &mut under_way.read,
                        context
                    ));
                    let collecting = collecting.take().expect(POLLED);
                    return Poll::Ready(Ok(collecting.check(then)));
                }
            };
            state.set(next);
        }
    }
}

/// Each state is left when its content is taken, and a future that is ready is not polled again.
const POLLED: &str = "a future that is not ready yet";

/// A request that may go on, with the service that waits for it.
type Admitted<S, B> = (S, Request<RequestBody<B>>, Exchange);

impl<S, B: Body> Reading<S, B> {
    /// Checks the request now that its body was read, or as much of it as may be.
    fn check<R: Body>(
        self,
        then: Option<Then<B>>,
    ) -> Result<Admitted<S, B>, Box<Response<ResponseBody<R>>>> {
        let Self {
            service,
            mut head,
            body,
            mut read,
            mut exchange,
        } = self;
        let read = read.take();
        let then = then.unwrap_or(Then::Rest(body));
        let decoded = match decode_request(&head.headers, &read, &exchange) {
            Ok(decoded) => decoded,
            Err((status, why)) => {
                let (status, text) = exchange.refuse(status, why);
                return Err(Box::new(refusal(status, text)));
            }
        };
        let action = match &then {
            // The client broke off: there is no message, and the handler learns of it.
            Then::Failed(_) => RequestAction::Forward,
            _ => exchange.request(&head, decoded.as_ref().unwrap_or(&read)),
        };
        let body = match (action, decoded) {
            (RequestAction::Forward, Some(decoded)) if exchange.shared.enforces() => {
                strip_codings(&mut head.headers);
                Prefixed::instead(decoded)
            }
            (RequestAction::Forward, _) => Prefixed::new(read, then),
            (RequestAction::Replace(text), decoded) => {
                if decoded.is_some() {
                    strip_codings(&mut head.headers);
                }
                set_length(&mut head.headers, text.len());
                Prefixed::instead(text)
            }
            (RequestAction::Refuse(status, text), _) => {
                return Err(Box::new(refusal(status, text)));
            }
        };
        let request = Request::from_parts(head, RequestBody(body));
        Ok((service, request, exchange))
    }
}

/// The body of a request without its codings, if it has any. In `enforce` a body that cannot be
/// read as the handler may read it is refused: with this status, for this reason.
fn decode_request(
    headers: &HeaderMap,
    body: &Bytes,
    exchange: &Exchange,
) -> Result<Option<Bytes>, (u16, &'static str)> {
    let enforces = exchange.shared.enforces();
    if enforces && let Some(why) = contradiction(headers.iter().map(|(name, _)| name.as_str())) {
        return Err((400, why));
    }
    let codings = match form(headers) {
        Ok(form) => form.codings,
        Err(unreadable) if enforces => return Err((415, unreadable.reason())),
        Err(_) => codings(headers).unwrap_or_default(),
    };
    if codings.is_empty() {
        return Ok(None);
    }
    let decoder = Decoder::new(&codings, exchange.shared.limit());
    match decoder.decode_whole(body) {
        Ok(plain) => Ok(Some(plain.into())),
        Err(_) if !enforces => Ok(None),
        Err(DecodeError::TooLong) => Err((413, "the body is longer than is allowed")),
        Err(DecodeError::Broken) => Err((400, UNDECODABLE)),
    }
}

const UNDECODABLE: &str = "the body cannot be decoded as its head says";

/// Forwards a response whose head is there, or gives it back because its body has to be read first.
fn answered<R: Body>(
    response: Response<R>,
    exchange: Option<Exchange>,
) -> Result<Response<ResponseBody<R>>, Box<Collecting<R>>> {
    let (head, body) = response.into_parts();
    let body = Box::pin(body);
    let Some(mut exchange) = exchange else {
        let body = ResponseBody::prefixed(Prefixed::untouched(body));
        return Ok(Response::from_parts(head, body));
    };
    exchange.answered(&head);
    let enforces = exchange.shared.enforces();
    if enforces && let HeadAction::Refuse(why) = exchange.redirect_action(&head) {
        let (status, text) = exchange.refuse(502, why);
        return Ok(refusal(status, text));
    }
    if enforces && !body.is_end_stream() {
        match exchange.head_action(&head) {
            HeadAction::Forward => {}
            HeadAction::Replace(text) => {
                // It is reported, and its faults with it.
                exchange.response(&head, &Bytes::new());
                return Ok(replaced(head, text));
            }
            HeadAction::Refuse(why) => {
                let (status, text) = exchange.refuse(502, why);
                return Ok(refusal(status, text));
            }
        }
    }
    if body.is_end_stream()
        && let Some(errors) = exchange.merge(head.status, &[])
    {
        // The rest of a batch has no answer of its own.
        exchange.response(&head, &Bytes::new());
        return Ok(refusal(200, errors));
    }
    let Some(codings) = codings(&head.headers) else {
        // Nobody takes it for a message.
        #[cfg(feature = "metrics")]
        exchange.shared.count_unchecked();
        exchange.unchecked();
        let body = ResponseBody::prefixed(Prefixed::untouched(body));
        return Ok(Response::from_parts(head, body));
    };
    let mut head = head;
    let is_judged = enforces && (codings.is_empty() || head.status.is_success());
    if is_event_stream(&head.headers) {
        // Events may be replaced by shorter or longer ones.
        if is_judged {
            head.headers.remove(CONTENT_LENGTH);
            if !codings.is_empty() {
                strip_codings(&mut head.headers);
            }
        }
        exchange.response(&head, &Bytes::new());
        let body = ResponseBody::stream(body, exchange, &codings);
        return Ok(Response::from_parts(head, body));
    }
    if is_judged && may_be_json(&head.headers) {
        return Err(Box::new(Collecting {
            head,
            body,
            read: BodyBuffer::new(usize::MAX),
            codings,
            exchange,
        }));
    }
    let body = ResponseBody::watched(body, head.clone(), codings, exchange);
    Ok(Response::from_parts(head, body))
}

impl<R: Body> Collecting<R> {
    fn check(self, then: Option<Then<R>>) -> Response<ResponseBody<R>> {
        let Self {
            mut head,
            body,
            mut read,
            codings,
            mut exchange,
        } = self;
        let mut read = read.take();
        let mut then = then.unwrap_or(Then::Rest(body));
        if !codings.is_empty() && !matches!(then, Then::Failed(_)) {
            let decoder = Decoder::new(&codings, exchange.shared.limit());
            let Ok(text) = decoder.decode_whole(&read) else {
                let (status, text) = exchange.refuse(502, UNDECODABLE);
                return refusal(status, text);
            };
            strip_codings(&mut head.headers);
            (read, then) = (text.into(), Then::End(None));
        }
        let body = if matches!(then, Then::Failed(_)) {
            // The part that has come was not checked, and does not go on.
            Prefixed::new(Bytes::new(), then)
        } else {
            let text = match exchange.response(&head, &read) {
                ResponseAction::Forward => None,
                // A handler cannot be answered.
                ResponseAction::Replace(status, text) | ResponseAction::Refuse(status, text, _) => {
                    head.status = StatusCode::from_u16(status).unwrap_or(head.status);
                    Some(text)
                }
            };
            let merged = exchange.merge(head.status, text.as_ref().unwrap_or(&read));
            match merged.or(text) {
                None => Prefixed::new(read, then),
                Some(text) => {
                    set_length(&mut head.headers, text.len());
                    let json = HeaderValue::from_static("application/json");
                    head.headers.insert(CONTENT_TYPE, json);
                    Prefixed::instead(text)
                }
            }
        };
        Response::from_parts(head, ResponseBody::prefixed(body))
    }
}

/// A response with another body, which is JSON.
fn replaced<R: Body>(mut head: response::Parts, text: Bytes) -> Response<ResponseBody<R>> {
    strip_codings(&mut head.headers);
    let json = HeaderValue::from_static("application/json");
    head.headers.insert(CONTENT_TYPE, json);
    Response::from_parts(head, ResponseBody::prefixed(Prefixed::instead(text)))
}

/// The response to a request that does not reach the handler.
fn refusal<R: Body>(status: u16, body: Bytes) -> Response<ResponseBody<R>> {
    let mut response = Response::new(ResponseBody::prefixed(Prefixed::instead(body)));
    *response.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::BAD_REQUEST);
    let json = HeaderValue::from_static("application/json");
    response.headers_mut().insert(CONTENT_TYPE, json);
    response
}

/// Sets the length if the head names one.
fn set_length(headers: &mut HeaderMap, length: usize) {
    if headers.contains_key(CONTENT_LENGTH) {
        headers.insert(CONTENT_LENGTH, length.into());
    }
}
