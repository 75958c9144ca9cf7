//! An endpoint of Streamable HTTP, request by request.

use std::io::Read as _;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use ureq::Agent;
use ureq::config::Config;
use ureq::http::Request;

use super::{Incoming, MOST_BYTES, MOST_WAITING, sse, url};
use crate::record::{Content, Pairs};

/// A client of one endpoint.
pub(crate) struct HttpClient {
    caller: Caller,
    pub(crate) incoming: Receiver<Incoming>,
    exchange: i64,
}

/// The parts of a request; several may be made at once.
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
    begun: Instant,
    sender: SyncSender<Incoming>,
}

/// One request and the head of its answer.
pub(crate) struct Exchange {
    /// The bytes that were sent.
    pub(crate) request: Content,
    /// The response, unless there was none; events of a stream follow on the channel.
    pub(crate) response: Result<Content, Unanswered>,
}

/// The reason why nothing came back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Unanswered {
    /// Not in time.
    Late,
    /// Nobody is there, or the connection broke.
    Gone,
}

impl HttpClient {
    pub(crate) fn new(url: &str, given: Pairs, patience: Duration, begun: Instant) -> Self {
        let config = Config::builder()
            .timeout_connect(Some(patience))
            .timeout_recv_response(Some(patience))
            .timeout_recv_body(Some(patience))
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
            begun,
            sender,
        };
        Self {
            caller,
            incoming,
            exchange: 0,
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

    /// Sends a request; waits for the head of the answer, and for its body unless that is a stream.
    pub(crate) fn send(&mut self, method: &str, headers: Pairs, body: Vec<u8>) -> Exchange {
        self.exchange += 1;
        self.caller.call(method, headers, body, self.exchange)
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
                    scope.spawn(move || caller.call("POST", headers, body, exchange))
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

impl Caller {
    fn call(&self, method: &str, headers: Pairs, body: Vec<u8>, exchange: i64) -> Exchange {
        let response = self.run(method, &headers, &body, exchange);
        let request = Content::Request {
            exchange,
            method: method.to_owned(),
            path: url::path(self.url_for(method)).to_owned(),
            headers,
            body,
        };
        Exchange { request, response }
    }

    fn url_for(&self, method: &str) -> &str {
        match &self.endpoint {
            Some(endpoint) if method == "POST" => endpoint,
            _ => &self.url,
        }
    }

    fn run(
        &self,
        method: &str,
        headers: &Pairs,
        body: &[u8],
        exchange: i64,
    ) -> Result<Content, Unanswered> {
        let mut request = Request::builder().method(method).uri(self.url_for(method));
        for (name, value) in headers.iter().chain(&self.given) {
            request = request.header(name, value);
        }
        let answer = if matches!(method, "GET" | "DELETE") {
            let request = request.body(()).map_err(|_| Unanswered::Gone)?;
            match self.long_body {
                Some(patience) => {
                    let config = self.agent.configure_request(request);
                    let request = config.timeout_recv_body(Some(patience)).build();
                    self.agent.run(request)
                }
                None => self.agent.run(request),
            }
        } else {
            let request = request.body(body).map_err(|_| Unanswered::Gone)?;
            self.agent.run(request)
        };
        let response = answer.map_err(|error| match error {
            ureq::Error::Timeout(_) => Unanswered::Late,
            _ => Unanswered::Gone,
        })?;
        let status = response.status().as_u16();
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
        let reader = response.into_body().into_reader();
        let mut body = Vec::new();
        if streamed {
            let (sender, begun) = (self.sender.clone(), self.begun);
            let most = self.most_events.unwrap_or(usize::MAX);
            thread::spawn(move || sse::read(reader, exchange, &sender, begun, most));
        } else {
            body = read_body(reader);
        }
        Ok(Content::Response {
            exchange,
            status,
            headers,
            body,
            streamed,
        })
    }
}

/// The body, as far as it came.
fn read_body(reader: impl std::io::Read) -> Vec<u8> {
    let mut body = Vec::new();
    // What came before the failure is what was answered.
    let _ = reader.take(MOST_BYTES as u64).read_to_end(&mut body);
    body
}
