//! An endpoint of Streamable HTTP, request by request.

use std::io::Read as _;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use ureq::Agent;
use ureq::config::Config;
use ureq::http::Request;

use super::{Incoming, MOST_BYTES, MOST_WAITING, sse};
use crate::record::{Content, Pairs};

/// A client of one endpoint.
pub(crate) struct HttpClient {
    agent: Agent,
    url: String,
    /// Headers of the user for every request. They may be secret, and are not recorded.
    given: Pairs,
    path: String,
    begun: Instant,
    sender: SyncSender<Incoming>,
    pub(crate) incoming: Receiver<Incoming>,
    exchange: i64,
}

/// One request and the head of its answer.
pub(crate) struct Exchange {
    /// What was sent.
    pub(crate) request: Content,
    /// What came back, unless nothing did; events of a stream follow on the channel.
    pub(crate) response: Result<Content, Unanswered>,
}

/// Why nothing came back.
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
        let path = url
            .split_once("://")
            .and_then(|(_, rest)| rest.find('/').map(|at| rest[at..].to_owned()));
        Self {
            agent: Agent::new_with_config(config),
            url: url.to_owned(),
            given,
            path: path.unwrap_or_else(|| "/".to_owned()),
            begun,
            sender,
            incoming,
            exchange: 0,
        }
    }

    /// Sends a request; waits for the head of the answer, and for its body unless that is a stream.
    pub(crate) fn send(&mut self, method: &str, headers: Pairs, body: Vec<u8>) -> Exchange {
        self.exchange += 1;
        let exchange = self.exchange;
        let response = self.run(method, &headers, &body, exchange);
        let request = Content::Request {
            exchange,
            method: method.to_owned(),
            path: self.path.clone(),
            headers,
            body,
        };
        Exchange { request, response }
    }

    fn run(
        &self,
        method: &str,
        headers: &Pairs,
        body: &[u8],
        exchange: i64,
    ) -> Result<Content, Unanswered> {
        let mut request = Request::builder().method(method).uri(&self.url);
        for (name, value) in headers.iter().chain(&self.given) {
            request = request.header(name, value);
        }
        let answer = if matches!(method, "GET" | "DELETE") {
            let request = request.body(()).map_err(|_| Unanswered::Gone)?;
            self.agent.run(request)
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
            thread::spawn(move || sse::read(reader, exchange, &sender, begun));
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
