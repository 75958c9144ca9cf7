//! Streams over HTTP that are broken off, taken up again, or the only way that answers come.

use std::time::{Duration, Instant};

use serde_json::Value;

use super::{Answer, Client, Wire, pair};
use crate::record::Content;
use crate::transport::url;

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
