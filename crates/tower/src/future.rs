//! An exchange as it goes on: the body of the request is read, the handler answers, the response is judged.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use http::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue, Request, Response, StatusCode, request, response};
use http_body::Body;
use pin_project_lite::pin_project;
use tower_service::Service;

use crate::body::{Kept, RequestBody, ResponseBody, Then, poll_read};
use crate::exchange::Exchange;
use crate::heads;
use crate::shared::Passing;

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
    read: Vec<u8>,
    exchange: Exchange,
}

/// The body of a response is being read.
struct Collecting<R> {
    head: response::Parts,
    body: Pin<Box<R>>,
    read: Vec<u8>,
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
            read: Vec::new(),
            exchange,
        };
        Self::of(State::Reading {
            reading: Some(reading),
        })
    }

    /// The handler was called; without an exchange nothing is judged.
    pub(crate) fn waiting(future: S::Future, exchange: Option<Exchange>) -> Self {
        Self::of(State::Waiting { future, exchange })
    }

    /// The answer to a request that does not reach the handler.
    pub(crate) fn refused(passing: &Passing) -> Option<Self> {
        let response = Some(refusal(passing)?);
        Some(Self::of(State::Refused { response }))
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
                    match reading.judge(then) {
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
                    return Poll::Ready(Ok(collecting.judge(then)));
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
    /// Judges the request now that its body was read, or as much of it as may be.
    fn judge<R: Body>(
        self,
        then: Option<Then<B>>,
    ) -> Result<Admitted<S, B>, Box<Response<ResponseBody<R>>>> {
        let Self {
            service,
            mut head,
            body,
            read,
            mut exchange,
        } = self;
        if let Some(Then::Failed(_)) = &then {
            // The client broke off: there is no message, and the handler is told so.
            let kept = kept(read, then, body);
            let request = Request::from_parts(head, RequestBody(kept));
            return Ok((service, request, exchange));
        }
        let limit = exchange.shared.limit();
        let passing = exchange.request(&head, bounded(&read, limit));
        if let Some(refusal) = refusal(&passing) {
            return Err(Box::new(refusal));
        }
        let kept = match passing {
            Passing::Replace(text) => {
                set_length(&mut head.headers, text.len());
                Kept::instead(text)
            }
            _ => kept(read, then, body),
        };
        let request = Request::from_parts(head, RequestBody(kept));
        Ok((service, request, exchange))
    }
}

/// What becomes of a response whose head is there: it goes on, or its body has to be read first.
fn answered<R: Body>(
    response: Response<R>,
    exchange: Option<Exchange>,
) -> Result<Response<ResponseBody<R>>, Box<Collecting<R>>> {
    let (head, body) = response.into_parts();
    let body = Box::pin(body);
    let Some(mut exchange) = exchange else {
        let body = ResponseBody::kept(Kept::untouched(body));
        return Ok(Response::from_parts(head, body));
    };
    exchange.answered(&head);
    let is_encoded = head.headers.contains_key(CONTENT_ENCODING);
    let body = if is_encoded {
        // Compressed by a layer within: nobody can read it here.
        exchange.lose_track();
        ResponseBody::kept(Kept::untouched(body))
    } else if heads::is_event_stream(&head.headers) {
        exchange.response(&head, &[]);
        let mut head = head;
        // Events may be replaced by shorter or longer ones.
        if exchange.shared.enforces() {
            head.headers.remove(CONTENT_LENGTH);
        }
        let body = ResponseBody::stream(body, exchange);
        return Ok(Response::from_parts(head, body));
    } else if exchange.shared.enforces() && heads::may_be_json(&head.headers) {
        return Err(Box::new(Collecting {
            head,
            body,
            read: Vec::new(),
            exchange,
        }));
    } else {
        ResponseBody::watched(body, head.clone(), exchange)
    };
    Ok(Response::from_parts(head, body))
}

impl<R: Body> Collecting<R> {
    fn judge(self, then: Option<Then<R>>) -> Response<ResponseBody<R>> {
        let Self {
            mut head,
            body,
            read,
            mut exchange,
        } = self;
        if let Some(Then::Failed(_)) = &then {
            // What has come of it was not judged, and stays here.
            let kept = kept(Vec::new(), then, body);
            return Response::from_parts(head, ResponseBody::kept(kept));
        }
        let limit = exchange.shared.limit();
        let kept = match exchange.response(&head, bounded(&read, limit)) {
            Passing::Forward => kept(read, then, body),
            Passing::Replace(text) => {
                set_length(&mut head.headers, text.len());
                Kept::instead(text)
            }
            Passing::Refuse(..) | Passing::Drop => {
                let text = exchange.in_place_of_response();
                head.status = StatusCode::BAD_GATEWAY;
                set_length(&mut head.headers, text.len());
                Kept::instead(text)
            }
        };
        Response::from_parts(head, ResponseBody::kept(kept))
    }
}

/// The answer to a request that does not reach the handler, if it does not.
fn refusal<R: Body>(passing: &Passing) -> Option<Response<ResponseBody<R>>> {
    let (status, text) = match passing {
        Passing::Refuse(status, text) => (*status, text.clone()),
        Passing::Drop => (400, Vec::new()),
        Passing::Forward | Passing::Replace(_) => return None,
    };
    let has_text = !text.is_empty();
    let mut response = Response::new(ResponseBody::kept(Kept::instead(text)));
    *response.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::BAD_REQUEST);
    if has_text {
        let json = HeaderValue::from_static("application/json");
        response.headers_mut().insert(CONTENT_TYPE, json);
    }
    Some(response)
}

/// What was read, and what comes after it.
fn kept<B: Body>(read: Vec<u8>, then: Option<Then<B>>, body: Pin<Box<B>>) -> Kept<B> {
    Kept {
        bytes: Some(Bytes::from(read)).filter(|bytes| !bytes.is_empty()),
        then: then.unwrap_or(Then::Rest(body)),
    }
}

/// A message is judged up to where it is too long.
fn bounded(read: &[u8], limit: usize) -> &[u8] {
    read.get(..limit).unwrap_or(read)
}

/// Sets the length if the head names one.
fn set_length(headers: &mut HeaderMap, length: usize) {
    if headers.contains_key(CONTENT_LENGTH) {
        headers.insert(CONTENT_LENGTH, length.into());
    }
}
