//! Streams over HTTP that stay open, are broken off, taken up again, or are the only way that
//! answers come.

use std::time::{Duration, Instant};

use mcp_assay::model::Fact;
use serde_json::{Value, json};

use super::{Answer, Client, Wire, pair};
use crate::record::{Content, Pairs};
use crate::transport::url;

/// How often one answer is looked for on a stream that the server closes each time.
const MOST_RESUMES: usize = 8;

/// How long an answer may come on another stream once the stream of its request is over.
const ON_ANOTHER_STREAM: Duration = Duration::from_millis(300);

/// The outcome of a GET at the endpoint of the oldest transport.
pub(crate) enum Listened {
    /// It is no stream.
    Elsewhere,
    /// It is a stream that says nowhere to post to; the record of the GET.
    Nowhere(usize),
    /// There is somewhere to post to.
    Endpoint,
}

impl Client<'_> {
    /// Opens a stream that stays open beside other requests: its record and exchange. The head of
    /// the answer comes like its events.
    pub(crate) fn open_stream(
        &mut self,
        method: &str,
        headers: Pairs,
        body: Vec<u8>,
    ) -> (usize, Option<i64>) {
        let deadline = self.options.deadline;
        let life = deadline.saturating_duration_since(Instant::now());
        let time = self.begun.elapsed();
        let Wire::Http(client) = &mut self.wire else {
            return (self.records.len(), None);
        };
        let request = client.open_stream(method, headers, body, life);
        let at = self.note(request, time);
        let exchange = self.records[at].exchange();
        if method == "GET" {
            self.listening = exchange;
        }
        (at, exchange)
    }

    /// Sends a request that stays open beside others: its id, record and exchange.
    pub(crate) fn request_open(
        &mut self,
        method: &str,
        params: Value,
    ) -> (i64, usize, Option<i64>) {
        let params = self.with_meta(params);
        let id = self.next_id();
        let message = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        let headers = self.headers(&message);
        let bytes = message.to_string().into_bytes();
        let (sent, exchange) = if self.is_http() {
            self.open_stream("POST", headers, bytes)
        } else {
            self.send_with(bytes, headers)
        };
        (id, sent, exchange)
    }

    /// Whether a stream of GET is open.
    pub(crate) fn is_listening(&self) -> bool {
        let stream = self.status_of(self.listening);
        self.status(self.listening) == Some(200) && stream.is_some_and(|(_, is_over)| !is_over)
    }

    /// Looks for an answer where the stream of its request is over: the server may have closed it
    /// for the client to take it up again, or may send the answer on another stream.
    pub(super) fn find_elsewhere(&mut self, id: i64, exchange: Option<i64>) {
        let has_streams = self
            .revision
            .is_some_and(|revision| revision.has(Fact::HttpResumption));
        let is_over = self.status_of(exchange).is_some_and(|(_, over)| over);
        let succeeded = matches!(self.status(exchange), Some(200..=299));
        if !has_streams || !is_over || !succeeded || self.is_found(id, exchange) {
            return;
        }
        let until = Instant::now() + self.options.step_timeout;
        let mut stream = exchange;
        for _ in 0..MOST_RESUMES {
            let left = until.saturating_duration_since(Instant::now());
            let Some((event, retry)) = self.last_event_of(stream).filter(|_| !left.is_zero())
            else {
                break;
            };
            let is_answered = |client: &Self| client.answers.contains_key(&id);
            if self.wait(retry.min(left), is_answered) {
                return;
            }
            let was_closed = self.closed;
            let (_, resumed) = self.resume(&event);
            if self.status(resumed) != Some(200) {
                self.closed = was_closed;
                break;
            }
            self.wait(left, |client| {
                let is_over = client.status_of(resumed).is_some_and(|(_, over)| over);
                is_over || client.answers.contains_key(&id)
            });
            if self.answers.contains_key(&id) {
                return;
            }
            stream = resumed;
        }
        if self.is_listening() {
            self.wait(ON_ANOTHER_STREAM, |client| client.answers.contains_key(&id));
        }
    }

    /// Whether the answer to a request is there, or an error on its exchange.
    fn is_found(&self, id: i64, exchange: Option<i64>) -> bool {
        let on_exchange = self
            .status_of(exchange)
            .and_then(|(at, _)| self.records[at].message())
            .is_some_and(|message| message.get("error").is_some());
        on_exchange || self.answers.contains_key(&id)
    }

    /// The last id of an event of an exchange, and how long to wait before the stream is taken up
    /// again.
    fn last_event_of(&self, exchange: Option<i64>) -> Option<(String, Duration)> {
        let own = self
            .records
            .iter()
            .filter(|record| record.exchange() == exchange);
        let (mut last, mut wait) = (None, 0);
        for record in own {
            if let Content::Event { id, retry, .. } = &record.content {
                last = id.clone().or(last);
                wait = retry.unwrap_or(wait);
            }
        }
        last.map(|last| (last, Duration::from_millis(wait)))
    }

    /// Sends a request and breaks the connection after the first event of the answer; the id, the
    /// record and the exchange.
    pub(crate) fn break_off(&mut self, method: &str, params: Value) -> (i64, usize, Option<i64>) {
        let params = self.with_meta(params);
        let id = self.next_id();
        let message =
            serde_json::json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        self.hang_up_after(Some(1));
        let (sent, exchange) = self.send(message.to_string().into_bytes());
        self.hang_up_after(None);
        (id, sent, exchange)
    }

    fn hang_up_after(&mut self, events: Option<usize>) {
        if let Wire::Http(client) = &mut self.wire {
            client.hang_up_after(events);
        }
    }

    /// Asks for what came after an event of a stream.
    pub(crate) fn resume(&mut self, event: &str) -> (usize, Option<i64>) {
        let mut headers = vec![pair("accept", "text/event-stream")];
        self.push_session(&mut headers);
        headers.push(pair("last-event-id", event));
        self.http("GET", headers, Vec::new())
    }

    /// The first id of an event of an exchange.
    pub(crate) fn event_of(&self, exchange: Option<i64>) -> Option<String> {
        self.records
            .iter()
            .find_map(|record| match &record.content {
                Content::Event { id: Some(id), .. } if record.exchange() == exchange => {
                    Some(id.clone())
                }
                _ => None,
            })
    }

    /// How long an answer took.
    pub(crate) fn duration(&self, answer: &Answer) -> Option<Duration> {
        let (first, last) = (answer.evidence.first()?, answer.evidence.last()?);
        let (asked, answered) = (self.records.get(*first)?, self.records.get(*last)?);
        answered.time.checked_sub(asked.time)
    }

    /// Opens the stream of the oldest transport, and learns where to post to.
    pub(crate) fn listen(&mut self, base: &str) -> Listened {
        let headers = vec![pair("accept", "text/event-stream")];
        let left = self
            .options
            .deadline
            .saturating_duration_since(Instant::now());
        // All answers come on this one stream.
        if let Wire::Http(client) = &mut self.wire {
            client.allow_long_body(Some(left));
        }
        let (sent, exchange) = self.http("GET", headers, Vec::new());
        if let Wire::Http(client) = &mut self.wire {
            client.allow_long_body(None);
        }
        let Some((head, _)) = self.status_of(exchange) else {
            return Listened::Elsewhere;
        };
        let streams = matches!(
            self.records[head].content,
            Content::Response {
                status: 200,
                streamed: true,
                ..
            }
        );
        if !streams {
            return Listened::Elsewhere;
        }
        let patience = self.options.step_timeout;
        let mut endpoint = None;
        self.wait(patience, |client| {
            endpoint = client.records[head..]
                .iter()
                .find_map(|record| match &record.content {
                    Content::Event {
                        name: Some(name),
                        data,
                        ..
                    } if name == "endpoint" => {
                        Some(String::from_utf8_lossy(data).trim().to_owned())
                    }
                    _ => None,
                });
            endpoint.is_some() || client.status_of(exchange).is_some_and(|(_, ended)| ended)
        });
        let endpoint = endpoint.and_then(|endpoint| url::resolve(base, &endpoint));
        match (endpoint, &mut self.wire) {
            (Some(endpoint), Wire::Http(client)) => {
                client.post_to(endpoint);
                self.two_endpoints = true;
                Listened::Endpoint
            }
            _ => Listened::Nowhere(sent),
        }
    }
}
