//! An endpoint of Streamable HTTP, request by request.

use std::io::Read;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use ureq::Agent;
use ureq::config::Config;
use ureq::http::Request;

use super::{Incoming, MOST_BYTES, MOST_WAITING, failure, sse, url};
use crate::interrupt::Interrupt;
use crate::record::{Content, Pairs};

/// How often a request that waits checks whether the probe was interrupted.
const POLL: Duration = Duration::from_millis(50);

/// Redirects followed for one endpoint.
const MOST_REDIRECTS: usize = 5;

/// A client of one endpoint.
pub(crate) struct HttpClient {
    caller: Caller,
    pub(crate) incoming: Receiver<Incoming>,
    exchange: i64,
    redirects: usize,
}

/// The parts of a request; several may be made at once.
#[derive(Clone)]
struct Caller {
    agent: Agent,
    url: String,
    /// Headers of the user for every request. They may be secret, and are not recorded.
    given: Pairs,
    /// The place where messages are posted, if that is elsewhere.
    endpoint: Option<String>,
    /// After so many events a stream is abandoned.
    most_events: Option<usize>,
    /// How long a body may take, where that is longer than usual.
    long_body: Option<Duration>,
    /// How long the head of an answer may take, and a stream.
    patience: Duration,
    /// How long a body may take that is no stream.
    body_patience: Duration,
    begun: Instant,
    sender: SyncSender<Incoming>,
    interrupt: Interrupt,
}

/// One request and the head of its answer.
pub(crate) struct Exchange {
    /// The bytes that were sent.
    pub(crate) request: Content,
    /// The response, unless there was none; events of a stream follow on the channel.
    pub(crate) response: Result<Content, Unanswered>,
    /// Whether time was up before the body ended.
    pub(crate) is_cut: bool,
}

/// The reason why nothing came back.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Unanswered {
    /// Not in time.
    Late,
    /// Nobody is there, or the connection broke; the reason.
    Gone(String),
}

/// The parts of an answer, as they come from the thread that reads it.
enum Progress {
    Head(u16, Pairs, bool),
    End,
    Failed(Unanswered),
}

impl HttpClient {
    pub(crate) fn new(
        url: &str,
        given: Pairs,
        body_patience: Duration,
        begun: Instant,
        interrupt: Interrupt,
    ) -> Self {
        let config = Config::builder()
            .max_redirects(0)
            .max_redirects_will_error(false)
            .http_status_as_error(false)
            .allow_non_standard_methods(true)
            .user_agent(concat!("mcp-assay/", env!("CARGO_PKG_VERSION")))
            .accept("")
            .build();
        let (sender, incoming) = sync_channel(MOST_WAITING);
        let caller = Caller {
            agent: Agent::new_with_config(config),
            url: url.to_owned(),
            given,
            endpoint: None,
            most_events: None,
            long_body: None,
            patience: body_patience,
            body_patience,
            begun,
            sender,
            interrupt,
        };
        Self {
            caller,
            incoming,
            exchange: 0,
            redirects: 0,
        }
    }

    /// Posts elsewhere from now on.
    pub(crate) fn post_to(&mut self, endpoint: String) {
        self.caller.endpoint = Some(endpoint);
    }

    /// Breaks the connection of later requests after so many events; `None` reads on.
    pub(crate) fn hang_up_after(&mut self, events: Option<usize>) {
        self.caller.most_events = events;
    }

    /// Lets the bodies of later answers take so long; `None` is as usual.
    pub(crate) fn allow_long_body(&mut self, patience: Option<Duration>) {
        self.caller.long_body = patience;
    }

    /// How long the heads of later answers may take, and their streams.
    pub(crate) fn set_patience(&mut self, patience: Duration) {
        self.caller.patience = patience;
    }

    /// The endpoint, which a redirect may have changed.
    pub(crate) fn url(&self) -> &str {
        &self.caller.url
    }

    /// Sends a request; waits for the head of the answer, and for its body unless that is a stream.
    /// A redirect that keeps the method and the host is followed, from then on by every request.
    pub(crate) fn send(&mut self, method: &str, headers: Pairs, body: Vec<u8>) -> Exchange {
        let (headers, body) = &(headers, body);
        loop {
            self.exchange += 1;
            let caller = &self.caller;
            let exchange = caller.call(method, headers, body, self.exchange);
            let target = exchange.response.as_ref().ok().and_then(redirect_target);
            let target = target.and_then(|target| url::redirected(&self.caller.url, target));
            match target {
                Some(target) if self.redirects < MOST_REDIRECTS => {
                    self.redirects += 1;
                    self.caller.url = target;
                }
                _ => return exchange,
            }
        }
    }

    /// Sends a request whose answer is a stream that stays open: head and events follow on the
    /// channel, for as long as `life`.
    pub(crate) fn open_stream(
        &mut self,
        method: &str,
        headers: Pairs,
        body: Vec<u8>,
        life: Duration,
    ) -> Content {
        self.exchange += 1;
        let exchange = self.exchange;
        let mut caller = self.caller.clone();
        caller.patience = life;
        caller.long_body = None;
        let request = self.caller.content(method, &headers, &body, exchange);
        let method = method.to_owned();
        thread::spawn(move || caller.follow(&method, &headers, &body, exchange));
        request
    }

    /// Posts several messages at once, and waits for all heads.
    pub(crate) fn post_together(&mut self, messages: Vec<(Pairs, Vec<u8>)>) -> Vec<Exchange> {
        let caller = &self.caller;
        let numbered: Vec<_> = messages.into_iter().zip(self.exchange + 1..).collect();
        self.exchange = numbered.last().map_or(self.exchange, |(_, last)| *last);
        thread::scope(|scope| {
            let calls: Vec<_> = numbered
                .into_iter()
                .map(|((headers, body), exchange)| {
                    scope.spawn(move || caller.call("POST", &headers, &body, exchange))
                })
                .collect();
            // A thread that panicked has nothing to give.
            calls
                .into_iter()
                .filter_map(|call| call.join().ok())
                .collect()
        })
    }
}

/// The `Location` of a redirect that keeps the method.
fn redirect_target(response: &Content) -> Option<&str> {
    match response {
        Content::Response {
            status: 307 | 308,
            headers,
            ..
        } => headers
            .iter()
            .find(|(name, _)| name == "location")
            .map(|(_, value)| value.as_str()),
        _ => None,
    }
}

impl Caller {
    fn call(&self, method: &str, headers: &Pairs, body: &[u8], exchange: i64) -> Exchange {
        let (response, is_cut) = self.run(method, headers, body, exchange);
        Exchange {
            request: self.content(method, headers, body, exchange),
            response,
            is_cut,
        }
    }

    /// The record of a request.
    fn content(&self, method: &str, headers: &Pairs, body: &[u8], exchange: i64) -> Content {
        Content::Request {
            exchange,
            method: method.to_owned(),
            path: url::path(self.url_for(method)).to_owned(),
            headers: headers.clone(),
            body: body.to_vec(),
        }
    }

    /// Sends a request, and passes on the head of the answer and its events. Nobody may be
    /// listening any more.
    fn follow(&self, method: &str, headers: &Pairs, body: &[u8], exchange: i64) {
        let Ok(response) = self.request(method, headers, body) else {
            return;
        };
        let (status, headers, streamed) = head(&response);
        let reader = response.into_body().into_reader();
        let buffer = Mutex::new(Vec::new());
        let reader = if streamed {
            Some(reader)
        } else {
            read_body(reader, &buffer);
            None
        };
        let response = Content::Response {
            exchange,
            status,
            headers,
            body: buffer.into_inner().unwrap_or_else(PoisonError::into_inner),
            streamed,
        };
        let incoming = Incoming::Content(response, self.begun.elapsed());
        if self.sender.send(incoming).is_ok()
            && let Some(reader) = reader
        {
            sse::read(reader, exchange, &self.sender, self.begun, usize::MAX);
        }
    }

    fn url_for(&self, method: &str) -> &str {
        match &self.endpoint {
            Some(endpoint) if method == "POST" => endpoint,
            _ => &self.url,
        }
    }

    /// Waits for the answer, which a thread of its own reads: neither a head nor a body that never
    /// ends holds the probe up.
    fn run(
        &self,
        method: &str,
        headers: &Pairs,
        body: &[u8],
        exchange: i64,
    ) -> (Result<Content, Unanswered>, bool) {
        let (sender, progress) = sync_channel(2);
        let buffer = Arc::new(Mutex::new(Vec::new()));
        let (caller, filled) = (self.clone(), Arc::clone(&buffer));
        let (method, given, sent) = (method.to_owned(), headers.clone(), body.to_vec());
        thread::spawn(move || caller.fetch(&method, &given, &sent, exchange, &sender, &filled));
        let (status, headers, streamed) = match self.next(&progress, self.patience) {
            Some(Progress::Head(status, headers, streamed)) => (status, headers, streamed),
            Some(Progress::Failed(why)) => return (Err(why), false),
            Some(Progress::End) | None => return (Err(Unanswered::Late), false),
        };
        let is_cut = !streamed && self.next(&progress, self.body_patience).is_none();
        let mut buffer = buffer.lock().unwrap_or_else(PoisonError::into_inner);
        let response = Content::Response {
            exchange,
            status,
            headers,
            body: std::mem::take(&mut *buffer),
            streamed,
        };
        (Ok(response), is_cut)
    }

    /// The next part of an answer, unless time is up.
    fn next(&self, progress: &Receiver<Progress>, patience: Duration) -> Option<Progress> {
        let until = Instant::now() + patience;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            match progress.recv_timeout(left.min(POLL)) {
                Ok(part) => return Some(part),
                Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) if left.is_zero() || self.interrupt.is_set() => {
                    return None;
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Sends the request and reads the answer. Nobody may be waiting for it any more.
    fn fetch(
        &self,
        method: &str,
        headers: &Pairs,
        body: &[u8],
        exchange: i64,
        progress: &SyncSender<Progress>,
        buffer: &Mutex<Vec<u8>>,
    ) {
        let response = match self.request(method, headers, body) {
            Ok(response) => response,
            Err(why) => return drop(progress.send(Progress::Failed(why))),
        };
        let (status, headers, streamed) = head(&response);
        let reader = response.into_body().into_reader();
        if progress
            .send(Progress::Head(status, headers, streamed))
            .is_err()
        {
            return;
        }
        if streamed {
            let most = self.most_events.unwrap_or(usize::MAX);
            sse::read(reader, exchange, &self.sender, self.begun, most);
        } else {
            read_body(reader, buffer);
            let _ = progress.send(Progress::End);
        }
    }

    fn request(
        &self,
        method: &str,
        headers: &Pairs,
        body: &[u8],
    ) -> Result<ureq::http::Response<ureq::Body>, Unanswered> {
        let url = self.url_for(method);
        let mut request = Request::builder().method(method).uri(url);
        for (name, value) in headers.iter().chain(&self.given) {
            request = request.header(name, value);
        }
        let stream = self.long_body.unwrap_or(self.patience);
        let invalid = |error: ureq::http::Error| {
            Unanswered::Gone(format!("`{url}` cannot be called: {error}"))
        };
        let answer = if matches!(method, "GET" | "DELETE") {
            let request = request.body(()).map_err(invalid)?;
            let config = self.agent.configure_request(request);
            let config = config.timeout_connect(Some(self.patience));
            let config = config.timeout_recv_response(Some(self.patience));
            self.agent
                .run(config.timeout_recv_body(Some(stream)).build())
        } else {
            let request = request.body(body).map_err(invalid)?;
            let config = self.agent.configure_request(request);
            let config = config.timeout_connect(Some(self.patience));
            let config = config.timeout_recv_response(Some(self.patience));
            self.agent
                .run(config.timeout_recv_body(Some(stream)).build())
        };
        answer.map_err(|error| match error {
            ureq::Error::Timeout(_) => Unanswered::Late,
            error => Unanswered::Gone(failure::describe(url, &error)),
        })
    }
}

/// The status and the headers of an answer, and whether it is a stream of events.
fn head(response: &ureq::http::Response<ureq::Body>) -> (u16, Pairs, bool) {
    let headers: Pairs = response
        .headers()
        .iter()
        .map(|(name, value)| {
            let value = String::from_utf8_lossy(value.as_bytes());
            (name.as_str().to_owned(), value.into_owned())
        })
        .collect();
    let streamed = headers.iter().any(|(name, value)| {
        name == "content-type" && value.trim_start().starts_with("text/event-stream")
    });
    (response.status().as_u16(), headers, streamed)
}

/// Reads the body as far as it comes; what came before a failure is what was answered.
fn read_body(mut reader: impl Read, buffer: &Mutex<Vec<u8>>) {
    let mut part = vec![0; 16 << 10];
    while let Ok(count @ 1..) = reader.read(&mut part) {
        let mut buffer = buffer.lock().unwrap_or_else(PoisonError::into_inner);
        let room = MOST_BYTES.saturating_sub(buffer.len());
        buffer.extend_from_slice(&part[..count.min(room)]);
        if room <= count {
            return;
        }
    }
}
