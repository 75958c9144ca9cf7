//! Records and checks every message between the client and the script.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

use mcp_assay::{Direction, Party};
use serde_json::Value;

use super::http::{self, Request};
use crate::judge::{Broken, Judge};
use crate::options::Options;
use crate::record::{Content, Pairs, Record};

/// Messages and bytes kept of one conversation; a client that sends more is no longer read.
const MOST_RECORDS: usize = 5_000;
const MOST_BYTES: usize = 64 << 20;

/// The way back to the client.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Way {
    /// The pipe with this number.
    Pipe(usize),
    /// The answer to the HTTP request with this number.
    Exchange(i64),
}

impl Way {
    /// The conversation that it belongs to.
    pub(crate) fn talk(self) -> usize {
        match self {
            Self::Pipe(pipe) => pipe,
            Self::Exchange(_) => 0,
        }
    }
}

/// The way a conversation ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ending {
    /// It did not.
    Open,
    /// The client closed the input of the server.
    InputClosed,
    /// The client ended the server, whose input was open.
    Killed,
    /// We ended it.
    Ours,
}

/// All that passed over one pipe, or over HTTP.
pub(crate) struct Talk {
    pub(crate) records: Vec<Record>,
    pub(crate) broken: Vec<Broken>,
    pub(crate) ending: Ending,
    pub(crate) judge: Judge,
    output: Option<TcpStream>,
    bytes: usize,
}

struct Exchange {
    stream: TcpStream,
    is_stream: bool,
}

/// The place where a scenario is played.
pub(crate) struct Recorder<'o> {
    pub(crate) options: &'o Options,
    pub(crate) talks: Vec<Talk>,
    /// Every answer is a stream.
    pub(crate) streams: bool,
    /// A stream begins with an empty event that has an id.
    pub(crate) primed: bool,
    begun: Instant,
    exchanges: BTreeMap<i64, Exchange>,
    last_exchange: i64,
    last_event: u64,
}

impl<'o> Recorder<'o> {
    pub(crate) fn new(options: &'o Options, begun: Instant) -> Self {
        let mut recorder = Self {
            options,
            talks: Vec::new(),
            streams: false,
            primed: false,
            begun,
            exchanges: BTreeMap::new(),
            last_exchange: 0,
            last_event: 0,
        };
        if options.target.is_http() {
            recorder.open(0, None);
        }
        recorder
    }

    /// A conversation begins.
    pub(crate) fn open(&mut self, pipe: usize, output: Option<TcpStream>) {
        while self.talks.len() <= pipe {
            self.talks.push(Talk {
                records: Vec::new(),
                broken: Vec::new(),
                ending: Ending::Open,
                judge: Judge::new(self.options, Party::Client),
                output: None,
                bytes: 0,
            });
        }
        self.talks[pipe].output = output;
    }

    /// Takes down what passed; gives its place in the conversation.
    pub(crate) fn note(&mut self, talk: usize, content: Content, time: Duration) -> usize {
        let Some(talk) = self.talks.get_mut(talk) else {
            return 0;
        };
        let at = talk.records.len();
        let record = Record { time, content };
        talk.bytes += record.bytes().len();
        let broken = talk.judge.see(&record, at);
        talk.broken.extend(broken);
        talk.records.push(record);
        at
    }

    /// Whether more was said than is kept.
    pub(crate) fn is_flooded(&self) -> bool {
        let too_much = |talk: &Talk| talk.records.len() >= MOST_RECORDS || talk.bytes >= MOST_BYTES;
        self.talks.iter().any(too_much)
    }

    /// A request came; its answer is owed.
    pub(crate) fn receive(
        &mut self,
        request: Request,
        stream: TcpStream,
        time: Duration,
    ) -> (i64, usize) {
        self.last_exchange += 1;
        let exchange = self.last_exchange;
        let content = Content::Request {
            exchange,
            method: request.method,
            path: request.path,
            headers: request.headers.into_iter().filter(matters).collect(),
            body: request.body,
        };
        let at = self.note(0, content, time);
        let is_stream = false;
        self.exchanges
            .insert(exchange, Exchange { stream, is_stream });
        (exchange, at)
    }

    /// Sends a message that is not the last on its way: a line or an event.
    pub(crate) fn say(&mut self, way: Way, bytes: Vec<u8>) -> usize {
        match way {
            Way::Pipe(pipe) => self.line(pipe, bytes),
            Way::Exchange(exchange) => {
                self.stream(exchange, Pairs::new());
                self.event(exchange, None, bytes)
            }
        }
    }

    /// Sends the answer to a request.
    pub(crate) fn reply(&mut self, way: Way, message: &Value, headers: Pairs) {
        let bytes = message.to_string().into_bytes();
        match way {
            Way::Pipe(pipe) => {
                self.line(pipe, bytes);
            }
            Way::Exchange(exchange) => {
                if self.streams {
                    self.stream(exchange, headers.clone());
                }
                if self.is_stream(exchange) {
                    self.event(exchange, None, bytes);
                    self.end(exchange);
                } else {
                    self.respond(exchange, 200, headers, Some(bytes));
                }
            }
        }
    }

    /// Answers an HTTP request with a status; nothing over a pipe but the message.
    pub(crate) fn status(&mut self, way: Way, status: u16, message: Option<&Value>) {
        let bytes = message.map(|message| message.to_string().into_bytes());
        match (way, bytes) {
            (Way::Pipe(pipe), Some(bytes)) => {
                self.line(pipe, bytes);
            }
            (Way::Pipe(_), None) => {}
            (Way::Exchange(exchange), bytes) if self.is_stream(exchange) => {
                if let Some(bytes) = bytes {
                    self.event(exchange, None, bytes);
                }
                self.end(exchange);
            }
            (Way::Exchange(exchange), bytes) => {
                self.respond(exchange, status, Pairs::new(), bytes);
            }
        }
    }

    /// Begins a stream of events, unless it is one.
    pub(crate) fn stream(&mut self, exchange: i64, mut headers: Pairs) {
        if self.is_stream(exchange) || !self.exchanges.contains_key(&exchange) {
            return;
        }
        headers.push(("content-type".to_owned(), "text/event-stream".to_owned()));
        headers.push(("cache-control".to_owned(), "no-cache".to_owned()));
        headers.push(("x-accel-buffering".to_owned(), "no".to_owned()));
        if let Some(open) = self.exchanges.get_mut(&exchange) {
            open.is_stream = true;
            // The client may be gone.
            let _ = http::respond(&open.stream, 200, &headers, None);
        }
        let content = Content::Response {
            exchange,
            status: 200,
            headers,
            body: Vec::new(),
            streamed: true,
        };
        self.note(0, content, self.begun.elapsed());
        if self.primed {
            self.event(exchange, None, Vec::new());
        }
    }

    /// Sends an event; those of primed streams have ids.
    pub(crate) fn event(&mut self, exchange: i64, retry: Option<u64>, data: Vec<u8>) -> usize {
        let id = (self.primed || retry.is_some()).then(|| {
            self.last_event += 1;
            format!("e{}", self.last_event)
        });
        if let Some(open) = self.exchanges.get(&exchange) {
            // The client may be gone.
            let _ = http::event(&open.stream, id.as_deref(), retry, &data);
        }
        let content = Content::Event {
            exchange,
            name: None,
            id,
            retry,
            data,
        };
        self.note(0, content, self.begun.elapsed())
    }

    /// The id of the last event.
    pub(crate) fn last_event(&self) -> String {
        format!("e{}", self.last_event)
    }

    /// Ends a stream.
    pub(crate) fn end(&mut self, exchange: i64) {
        let content = Content::End { exchange };
        self.note(0, content, self.begun.elapsed());
        self.drop_exchange(exchange);
    }

    /// Ends a connection as if the server had died: no answer comes, nothing is ended in order.
    pub(crate) fn die(&mut self, way: Way) {
        match way {
            Way::Exchange(exchange) => self.drop_exchange(exchange),
            Way::Pipe(pipe) => self.close_pipe(pipe, Ending::Ours),
        }
    }

    /// A pipe is over.
    pub(crate) fn close_pipe(&mut self, pipe: usize, ending: Ending) {
        let Some(talk) = self.talks.get_mut(pipe) else {
            return;
        };
        if talk.ending == Ending::Open {
            talk.ending = ending;
        }
        if let Some(output) = talk.output.take() {
            // The relay ends with it.
            let _ = output.shutdown(Shutdown::Both);
        }
    }

    fn line(&mut self, pipe: usize, bytes: Vec<u8>) -> usize {
        if let Some(mut output) = self.talks.get(pipe).and_then(|talk| talk.output.as_ref()) {
            let mut line = bytes.clone();
            line.push(b'\n');
            // The client may be gone.
            let _ = output.write_all(&line);
        }
        let content = Content::Line {
            direction: Direction::ServerToClient,
            bytes,
            unterminated: false,
        };
        self.note(pipe, content, self.begun.elapsed())
    }

    /// Answers an HTTP request.
    pub(crate) fn respond(
        &mut self,
        exchange: i64,
        status: u16,
        mut headers: Pairs,
        body: Option<Vec<u8>>,
    ) {
        let body = body.unwrap_or_default();
        if !body.is_empty() {
            headers.push(("content-type".to_owned(), "application/json".to_owned()));
        }
        if status == 405 {
            headers.push(("allow".to_owned(), "POST".to_owned()));
        }
        if let Some(open) = self.exchanges.remove(&exchange) {
            // The client may be gone.
            let _ = http::respond(&open.stream, status, &headers, Some(&body));
        }
        let content = Content::Response {
            exchange,
            status,
            headers,
            body,
            streamed: false,
        };
        self.note(0, content, self.begun.elapsed());
    }

    fn drop_exchange(&mut self, exchange: i64) {
        if let Some(open) = self.exchanges.remove(&exchange) {
            // The client may be gone.
            let _ = open.stream.shutdown(Shutdown::Both);
        }
    }

    fn is_stream(&self, exchange: i64) -> bool {
        let open = self.exchanges.get(&exchange);
        open.is_some_and(|open| open.is_stream)
    }
}

/// Whether a header has to do with the protocol: the others would only hide those in a report.
fn matters((name, _): &(String, String)) -> bool {
    let known = [
        "accept",
        "authorization",
        "content-type",
        "dpop",
        "host",
        "last-event-id",
        "origin",
    ];
    known.contains(&name.as_str()) || name.starts_with("mcp-")
}
