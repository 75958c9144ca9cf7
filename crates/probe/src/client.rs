//! The client: requests with ids of its own, answers found again, what the server asks answered. It behaves unless it is told to send
//! something else.

mod answer;
mod headers;

use std::collections::BTreeMap;
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use mcp_assay::model::Fact;
use mcp_assay::{Direction, Layer, Level, Party, Revision};
use serde_json::{Value, json};

pub(crate) use self::answer::{Answer, Reply};
pub(crate) use self::headers::{client_info, encoded, pair};
use crate::judge::{Broken, Judge, UNANSWERED};
use crate::options::Options;
use crate::record::{Content, Pairs, Record};
use crate::transport::{HttpClient, Incoming, Process, Target, Unanswered, Unreachable};

/// How long an answer may come after that to a later request: a server may answer out of order.
const STRAGGLER: Duration = Duration::from_millis(150);

/// So much is kept of one connection; a server that sends more is cut off.
const MOST_RECORDS: usize = 20_000;
const MOST_BYTES: usize = 128 << 20;

/// One connection to the server.
pub(crate) struct Client<'o> {
    pub(crate) options: &'o Options,
    wire: Wire,
    begun: Instant,
    pub(crate) records: Vec<Record>,
    judge: Judge,
    pub(crate) broken: Vec<Broken>,
    /// Where the answers to our ids are.
    answers: BTreeMap<i64, usize>,
    last_id: i64,
    /// How much the server sent.
    bytes: usize,
    /// The revision that we speak.
    pub(crate) revision: Option<Revision>,
    /// The session id of HTTP.
    pub(crate) session: Option<String>,
    /// What the server declared.
    pub(crate) capabilities: Value,
    /// Whether the server is gone.
    pub(crate) closed: bool,
    /// Whether the headers of what is being sent are wrong on purpose.
    strange_headers: bool,
}

enum Wire {
    Stdio(Process),
    Http(HttpClient),
}

impl<'o> Client<'o> {
    /// Connects; nothing is sent yet.
    pub(crate) fn open(options: &'o Options) -> Result<Self, Unreachable> {
        let begun = Instant::now();
        let wire = match &options.target {
            Target::Command(command) => Wire::Stdio(Process::start(command, begun)?),
            Target::Url { url, headers } => Wire::Http(HttpClient::new(
                url,
                headers.clone(),
                options.step_timeout,
                begun,
            )),
            // Clients are served, not called.
            Target::Client(_) => return Err(Unreachable::NoCommand),
        };
        Ok(Self {
            options,
            wire,
            begun,
            records: Vec::new(),
            judge: Judge::new(&options.policy, Party::Server),
            broken: Vec::new(),
            answers: BTreeMap::new(),
            last_id: 0,
            bytes: 0,
            revision: None,
            session: None,
            capabilities: Value::Null,
            closed: false,
            strange_headers: false,
        })
    }

    pub(crate) fn is_http(&self) -> bool {
        matches!(self.wire, Wire::Http(_))
    }

    /// Whether the revision in force has no handshake.
    pub(crate) fn is_stateless(&self) -> bool {
        self.revision
            .is_some_and(|revision| revision.has(Fact::Stateless))
    }

    /// Whether the server declared a capability, by its JSON Pointer.
    pub(crate) fn declares(&self, pointer: &str) -> bool {
        self.capabilities
            .pointer(pointer)
            .is_some_and(|value| *value != json!(false) && !value.is_null())
    }

    pub(crate) fn next_id(&mut self) -> i64 {
        self.last_id += 1;
        self.last_id
    }

    /// Sends a request as it should be, and waits for the answer.
    pub(crate) fn request(&mut self, method: &str, params: Value) -> Answer {
        let params = self.with_meta(params);
        self.request_as(method, params)
    }

    /// The same with exactly these params.
    pub(crate) fn request_as(&mut self, method: &str, params: Value) -> Answer {
        let id = self.next_id();
        let mut message = json!({"jsonrpc": "2.0", "id": id, "method": method});
        if !params.is_null() {
            message["params"] = params;
        }
        let headers = self.headers(&message);
        let (sent, exchange) = self.send_with(message.to_string().into_bytes(), headers);
        self.answer(id, sent, exchange)
    }

    /// Sends a request with headers of the caller's own.
    pub(crate) fn request_with(
        &mut self,
        method: &str,
        params: Value,
        change: impl FnOnce(&mut Pairs),
    ) -> Answer {
        let params = self.with_meta(params);
        let id = self.next_id();
        let message = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        let mut headers = self.headers(&message);
        change(&mut headers);
        self.strange_headers = true;
        let (sent, exchange) = self.send_with(message.to_string().into_bytes(), headers);
        let answer = self.answer(id, sent, exchange);
        self.strange_headers = false;
        answer
    }

    /// Sends a notification; the record of what HTTP answered, if it did.
    pub(crate) fn notify(&mut self, method: &str, params: Value) -> (usize, Option<i64>) {
        let params = if params.is_null() { json!({}) } else { params };
        let message = json!({"jsonrpc": "2.0", "method": method, "params": params});
        let headers = self.headers(&message);
        self.send_with(message.to_string().into_bytes(), headers)
    }

    /// Sends any bytes, with the headers of an ordinary message.
    pub(crate) fn send(&mut self, bytes: Vec<u8>) -> (usize, Option<i64>) {
        let message = serde_json::from_slice(&bytes).unwrap_or_default();
        let headers = self.headers(&message);
        self.send_with(bytes, headers)
    }

    /// Sends any bytes with any headers.
    pub(crate) fn send_with(&mut self, bytes: Vec<u8>, headers: Pairs) -> (usize, Option<i64>) {
        if self.is_http() {
            return self.http("POST", headers, bytes);
        }
        let Wire::Stdio(process) = &self.wire else {
            return (self.records.len(), None);
        };
        if !process.send(bytes.clone()) {
            self.closed = true;
        }
        let content = Content::Line {
            direction: Direction::ClientToServer,
            bytes,
            unterminated: false,
        };
        (self.note(content, self.begun.elapsed()), None)
    }

    /// Sends an HTTP request of any method.
    pub(crate) fn http(
        &mut self,
        method: &str,
        headers: Pairs,
        body: Vec<u8>,
    ) -> (usize, Option<i64>) {
        let Wire::Http(client) = &mut self.wire else {
            return (self.records.len(), None);
        };
        let sent = self.begun.elapsed();
        let exchange = client.send(method, headers, body);
        let at = self.note(exchange.request, sent);
        let number = self.records[at].exchange();
        match exchange.response {
            Ok(response) => {
                if let Content::Response {
                    headers, status, ..
                } = &response
                    && *status < 300
                    && let Some((_, id)) = headers.iter().find(|(name, _)| name == "mcp-session-id")
                    && self.session.is_none()
                {
                    self.session = Some(id.clone());
                }
                self.take(response, self.begun.elapsed());
            }
            Err(Unanswered::Late) => {}
            Err(Unanswered::Gone) => self.closed = true,
        }
        (at, number)
    }

    /// The answer to an id of ours.
    pub(crate) fn answer(&mut self, id: i64, sent: usize, exchange: Option<i64>) -> Answer {
        self.wait(self.options.step_timeout, |client| {
            let head = client.status_of(exchange);
            client.answers.contains_key(&id)
                || head.is_some_and(|(_, alone)| alone)
                // Without even a head there is nothing to wait for.
                || (exchange.is_some() && head.is_none())
        });
        let mut evidence = vec![sent];
        let found = self.answers.get(&id).copied().or_else(|| {
            // Over HTTP an error without the id still answers the request that it came back on.
            let (at, _) = self.status_of(exchange)?;
            let message = self.records[at].message()?;
            message.get("error").is_some().then_some(at)
        });
        if let Some(at) = found {
            evidence.push(at);
            let message = self.message_with(at, id);
            let reply = match message.get("error") {
                Some(error) => {
                    Reply::Error(error["code"].as_i64().unwrap_or_default(), error.clone())
                }
                None => Reply::Result(message["result"].clone()),
            };
            return Answer { reply, evidence };
        }
        let reply = match self.status_of(exchange) {
            // A stream that goes on may have the answer yet.
            Some((at, false)) => {
                evidence.push(at);
                Reply::Silence
            }
            Some((at, true)) => {
                evidence.push(at);
                match self.records[at].content {
                    Content::Response { status, .. } => Reply::Status(status),
                    _ => Reply::Silence,
                }
            }
            None if self.closed => Reply::Closed,
            None => Reply::Silence,
        };
        Answer { reply, evidence }
    }

    /// The message with an id in a record, which may hold a batch.
    fn message_with(&self, at: usize, id: i64) -> Value {
        match self.records[at].message() {
            Some(Value::Array(messages)) => messages
                .into_iter()
                .find(|message| message["id"] == json!(id))
                .unwrap_or_default(),
            message => message.unwrap_or_default(),
        }
    }

    /// The head of the answer to an HTTP exchange, and whether no stream follows.
    pub(crate) fn status_of(&self, exchange: Option<i64>) -> Option<(usize, bool)> {
        exchange?;
        let of_it = |record: &Record| record.exchange() == exchange;
        let head = self.records.iter().rposition(|record| {
            of_it(record) && matches!(record.content, Content::Response { .. })
        })?;
        let streamed = matches!(
            self.records[head].content,
            Content::Response { streamed: true, .. }
        );
        let ended = self.records[head..]
            .iter()
            .any(|record| of_it(record) && matches!(record.content, Content::End { .. }));
        Some((head, !streamed || ended))
    }

    /// The status of an HTTP exchange.
    pub(crate) fn status(&self, exchange: Option<i64>) -> Option<u16> {
        let (at, _) = self.status_of(exchange)?;
        match self.records[at].content {
            Content::Response { status, .. } => Some(status),
            _ => None,
        }
    }

    /// Looks at what comes until a condition holds; tells whether it does.
    pub(crate) fn wait(
        &mut self,
        patience: Duration,
        mut until: impl FnMut(&Self) -> bool,
    ) -> bool {
        let deadline = (Instant::now() + patience).min(self.options.deadline);
        loop {
            if until(self) {
                return true;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            let incoming = match &self.wire {
                Wire::Stdio(process) => &process.incoming,
                Wire::Http(client) => &client.incoming,
            };
            match incoming.recv_timeout(left) {
                Ok(Incoming::Content(content, time)) => self.take(content, time),
                Ok(Incoming::Closed) | Err(RecvTimeoutError::Disconnected) => {
                    self.closed = true;
                    return until(self);
                }
                Err(RecvTimeoutError::Timeout) => return false,
            }
            if self.closed {
                return until(self);
            }
        }
    }

    /// Sends something that every server answers, and waits for that.
    pub(crate) fn is_alive(&mut self) -> bool {
        let answer = if self.is_stateless() {
            self.request("server/discover", json!({}))
        } else {
            self.request("ping", Value::Null)
        };
        matches!(answer.reply, Reply::Result(_) | Reply::Error(..))
    }

    /// After a later request was answered: waits a little for an answer that may have been overtaken.
    pub(crate) fn wait_for_straggler(&mut self, until: impl FnMut(&Self) -> bool) {
        if !self.is_http() {
            self.wait(STRAGGLER, until);
        }
    }

    /// Whether something is wrong with what came since a record was sent: then that explains what is missing.
    pub(crate) fn is_garbled_since(&self, at: usize) -> bool {
        self.broken.iter().any(|broken| {
            let unreadable = matches!(
                broken.rule.layer,
                Layer::Framing | Layer::Json | Layer::Jsonrpc
            );
            let astray = broken.rule.family() == "response"
                || broken.rule.name == "http/notification-refused-4xx";
            broken.at >= at && broken.level == Level::Error && (unreadable || astray)
        })
    }

    /// The last id that was used.
    pub(crate) fn last_id(&self) -> i64 {
        self.last_id
    }

    /// The records of the server after a place, with their numbers.
    pub(crate) fn since(&self, at: usize) -> impl Iterator<Item = (usize, &Record)> {
        self.records
            .iter()
            .enumerate()
            .skip(at)
            .filter(|(_, record)| record.direction() == Direction::ServerToClient)
    }

    /// Ends the connection; tells whether a process ended by itself once its input was closed.
    pub(crate) fn close(&mut self, patience: Duration) -> bool {
        match &mut self.wire {
            Wire::Stdio(process) => process.close(patience),
            Wire::Http(_) => true,
        }
    }

    /// Whether the server's process is gone.
    pub(crate) fn is_over(&mut self) -> bool {
        match &mut self.wire {
            Wire::Stdio(process) => process.is_over(),
            Wire::Http(_) => self.closed,
        }
    }

    /// The last of what the server said on standard error.
    pub(crate) fn stderr(&self) -> String {
        match &self.wire {
            Wire::Stdio(process) => process.stderr(),
            Wire::Http(_) => String::new(),
        }
    }

    /// What the passive rules say of the connection as a whole. A server that was cut off owes nothing.
    pub(crate) fn finish(mut self) -> Finished {
        if !self.closed && Instant::now() < self.options.deadline {
            let mut broken = self.judge.end();
            // Whoever waits for an answer in vain says so, with more to say: here it would be told twice.
            broken.retain(|broken| !UNANSWERED.contains(&broken.rule.name));
            self.broken.extend(broken);
        }
        Finished {
            asked: self.judge.asked().iter().copied().collect(),
            records: self.records,
            broken: self.broken,
        }
    }

    fn note(&mut self, content: Content, time: Duration) -> usize {
        let at = self.records.len();
        let record = Record { time, content };
        let mut broken = self.judge.see(&record, at);
        if self.strange_headers {
            // How a server carries its answer may follow from what we left out.
            broken.retain(|broken| broken.rule.layer != Layer::Http);
        }
        self.broken.extend(broken);
        self.records.push(record);
        at
    }

    fn take(&mut self, content: Content, time: Duration) {
        let at = self.note(content, time);
        self.bytes += self.records[at].bytes().len();
        if at >= MOST_RECORDS || self.bytes >= MOST_BYTES {
            // It is heard no more, and ended with the connection.
            self.closed = true;
            return;
        }
        let Some(message) = self.records[at].message() else {
            return;
        };
        let messages = match message {
            Value::Array(messages) => messages,
            message => vec![message],
        };
        for message in messages {
            let Some(id) = message.get("id") else {
                continue;
            };
            if let Some(method) = message["method"].as_str() {
                self.oblige(id, method);
            } else if let Some(id) = id.as_i64() {
                self.answers.entry(id).or_insert(at);
            }
        }
    }

    /// Answers what the server asks: nobody is there to sample for, and the user declines.
    fn oblige(&mut self, id: &Value, method: &str) {
        let answer = match method {
            "ping" => json!({"jsonrpc": "2.0", "id": id, "result": {}}),
            "roots/list" => json!({"jsonrpc": "2.0", "id": id, "result": {"roots": []}}),
            "elicitation/create" => {
                json!({"jsonrpc": "2.0", "id": id, "result": {"action": "decline"}})
            }
            "sampling/createMessage" => {
                let error =
                    json!({"code": -1, "message": "the user rejected the sampling request"});
                json!({"jsonrpc": "2.0", "id": id, "error": error})
            }
            _ => {
                let error = json!({"code": -32601, "message": "method not found"});
                json!({"jsonrpc": "2.0", "id": id, "error": error})
            }
        };
        self.send(answer.to_string().into_bytes());
    }
}

/// What is left of a connection.
pub(crate) struct Finished {
    pub(crate) records: Vec<Record>,
    pub(crate) broken: Vec<Broken>,
    pub(crate) asked: Vec<&'static str>,
}
