//! The client: requests with ids of its own, answers found again, what the server asks answered. It
//! behaves unless it is told to send something else.

mod answer;
mod attribution;
mod client_behaviour;
mod finished;
mod headers;
mod link;
mod mirrors;
mod streams;
mod together;
mod wait;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use mcp_assay::model::Fact;
use mcp_assay::{Direction, Layer, Level, Party, Revision, rules};
use serde_json::{Value, json};

pub use self::answer::{Answer, Reply};
use self::attribution::Attribution;
use self::client_behaviour::ClientBehaviour;
pub use self::client_behaviour::RequestHandler;
pub(crate) use self::finished::{Finished, GivenUp};
pub use self::headers::client_info;
pub(crate) use self::headers::{encoded, pair};
pub use self::link::{Farewell, Link};
pub(crate) use self::streams::Listened;
use crate::judge::{Broken, Judge, is_about_missing_answer};
use crate::options::Options;
use crate::record::{Content, Pairs, Record};
use crate::transport::{
    HttpClient, MOST_BYTES as MESSAGE_BYTES, Process, Sent, Target, Unanswered, Unreachable,
};

/// Records and bytes kept of one connection; a server that sends more is cut off.
const MOST_RECORDS: usize = 10_000;
const MOST_BYTES: usize = 128 << 20;

/// How long the exit code of a process is waited for, and its standard error.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// Messages that may come between two of ours.
const MOST_AT_ONCE: usize = 4_000;

/// One connection to the server.
pub(crate) struct Client<'o> {
    pub(crate) options: Cow<'o, Options>,
    behaviour: ClientBehaviour,
    wire: Wire,
    begun: Instant,
    pub(crate) records: Vec<Record>,
    judge: Judge,
    pub(crate) broken: Vec<Broken>,
    /// The record of the first malformed message of ours.
    pub(crate) malformed: Option<usize>,
    /// The place where the answers to our ids are.
    answers: BTreeMap<i64, usize>,
    /// Requests that wait for an answer, and answers whose ids are wrong.
    attribution: Attribution,
    /// The place where the heads of answers over HTTP are, and whether no stream follows any more.
    heads: BTreeMap<i64, (usize, bool)>,
    last_id: i64,
    /// How much the server sent.
    bytes: usize,
    /// How many records came since we last said something.
    at_once: usize,
    /// The revision that we speak.
    pub(crate) revision: Option<Revision>,
    /// The session id of HTTP.
    pub(crate) session: Option<String>,
    /// The capabilities that the server declared.
    pub(crate) capabilities: Value,
    /// Whether the server is gone.
    pub(crate) closed: bool,
    /// The record of what was sent when the end of the server was told.
    pub(crate) end_told: Option<usize>,
    /// The reason why we gave it up, if we did.
    pub(crate) given_up: Option<GivenUp>,
    /// How long the first answer may take.
    pub(crate) start_timeout: Duration,
    /// The reason why nothing came back over HTTP, the last time that nothing did.
    pub(crate) failure: Option<String>,
    /// The exchange of the stream that GET opened, for messages that belong to no request.
    listening: Option<i64>,
    /// Exchanges whose body went on when time was up.
    cut_bodies: BTreeSet<i64>,
    /// The time when the process was first seen to be gone while its output was still open.
    ended: Option<Instant>,
    /// Whether answers come on a stream of their own, as in the oldest transport.
    two_endpoints: bool,
    /// Whether the headers of what is being sent are wrong on purpose.
    strange_headers: bool,
    /// The exchanges of such requests.
    strange_exchanges: BTreeSet<i64>,
}

/// A request that was sent.
#[derive(Clone, Copy)]
pub(crate) struct Call {
    pub(crate) id: i64,
    /// The record of the request.
    sent: usize,
    /// Its exchange over HTTP.
    exchange: Option<i64>,
}

enum Wire {
    Stdio(Process),
    Http(HttpClient),
}

impl<'o> Client<'o> {
    /// Connects; nothing is sent yet.
    pub(crate) fn open(options: &'o Options) -> Result<Self, Unreachable> {
        Self::with(Cow::Borrowed(options))
    }

    fn with(options: Cow<'o, Options>) -> Result<Self, Unreachable> {
        let begun = Instant::now();
        let wire = match &options.target {
            Target::Command(command) => Wire::Stdio(Process::start(
                command,
                options.folder.as_deref(),
                &options.environment,
                begun,
            )?),
            Target::Url { url, headers } => Wire::Http(HttpClient::new(
                url,
                headers.clone(),
                options.step_timeout,
                begun,
                options.interrupt.clone(),
            )),
            // Clients are served, not called.
            Target::Client(_) => return Err(Unreachable::NoCommand),
        };
        let judge = Judge::new(&options, Party::Server);
        let start_timeout = options.start_timeout;
        Ok(Self {
            options,
            behaviour: ClientBehaviour::default(),
            wire,
            begun,
            records: Vec::new(),
            judge,
            broken: Vec::new(),
            malformed: None,
            answers: BTreeMap::new(),
            attribution: Attribution::default(),
            heads: BTreeMap::new(),
            last_id: 0,
            bytes: 0,
            at_once: 0,
            revision: None,
            session: None,
            capabilities: Value::Null,
            closed: false,
            end_told: None,
            given_up: None,
            start_timeout,
            failure: None,
            listening: None,
            cut_bodies: BTreeSet::new(),
            ended: None,
            two_endpoints: false,
            strange_headers: false,
            strange_exchanges: BTreeSet::new(),
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
        self.request_headed(method, params, |_| ())
    }

    /// The same with headers of the caller's own, which fit the params.
    pub(crate) fn request_headed(
        &mut self,
        method: &str,
        params: Value,
        change: impl FnOnce(&mut Pairs),
    ) -> Answer {
        let call = self.begin_headed(method, params, change);
        self.answer_within(call, self.patience())
    }

    /// Sends a request as it should be; its answer is asked for with `answer_within`.
    pub(crate) fn begin(&mut self, method: &str, params: Value) -> Call {
        let params = self.with_meta(params);
        self.begin_headed(method, params, |_| ())
    }

    fn begin_headed(
        &mut self,
        method: &str,
        params: Value,
        change: impl FnOnce(&mut Pairs),
    ) -> Call {
        let id = self.next_id();
        let mut message = json!({"jsonrpc": "2.0", "id": id, "method": method});
        if !params.is_null() {
            message["params"] = params;
        }
        let mut headers = self.headers(&message);
        change(&mut headers);
        self.attribution.expect(id, None);
        let (sent, exchange) = self.send_with(message.to_string().into_bytes(), headers);
        Call { id, sent, exchange }
    }

    /// Sends a request with headers that are wrong on purpose.
    pub(crate) fn request_with(
        &mut self,
        method: &str,
        params: Value,
        change: impl FnOnce(&mut Pairs),
    ) -> Answer {
        let params = self.with_meta(params);
        self.strange_headers = true;
        let answer = self.request_headed(method, params, change);
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
        let message: Value = serde_json::from_slice(&bytes).unwrap_or_default();
        let is_answer = message.get("result").is_some() || message.get("error").is_some();
        let is_readable = message["method"].is_string() || is_answer;
        if !is_readable || message["jsonrpc"] != "2.0" {
            self.attribution.expect_refusal();
        } else if let Some(id) = message["id"].as_i64()
            && !is_answer
        {
            self.attribution.expect(id, None);
        }
        let headers = self.headers(&message);
        self.send_with(bytes, headers)
    }

    /// Sends any bytes with any headers.
    pub(crate) fn send_with(&mut self, bytes: Vec<u8>, headers: Pairs) -> (usize, Option<i64>) {
        if self.is_http() {
            let (at, exchange) = self.http("POST", headers, bytes);
            // The answer to a POST of the oldest transport says nothing but that it came, unless it
            // refuses.
            let is_refused = self.status(exchange).is_some_and(|status| status >= 400);
            return (at, exchange.filter(|_| !self.two_endpoints || is_refused));
        }
        let Wire::Stdio(process) = &self.wire else {
            return (self.records.len(), None);
        };
        // Taken before: the answer may be there before we look at the clock again.
        let time = self.begun.elapsed();
        match process.send(bytes.clone()) {
            Sent::OnItsWay => {}
            Sent::Unread => {
                self.closed = true;
                self.given_up.get_or_insert(GivenUp::Hangs);
            }
            Sent::Closed => self.closed = true,
        }
        let content = Content::Line {
            direction: Direction::ClientToServer,
            bytes,
            unterminated: false,
        };
        (self.note(content, time), None)
    }

    /// Sends an HTTP request of any method.
    pub(crate) fn http(
        &mut self,
        method: &str,
        headers: Pairs,
        body: Vec<u8>,
    ) -> (usize, Option<i64>) {
        self.take_waiting();
        let patience = self.patience();
        let Wire::Http(client) = &mut self.wire else {
            return (self.records.len(), None);
        };
        client.set_patience(patience);
        let sent = self.begun.elapsed();
        let exchange = client.send(method, headers, body);
        let at = self.note(exchange.request, sent);
        self.attribution.sent_on(self.records[at].exchange());
        self.take_response(exchange.response, exchange.is_cut);
        (at, self.records[at].exchange())
    }

    fn take_response(&mut self, response: Result<Content, Unanswered>, is_cut: bool) {
        match response {
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
                if is_cut && !Self::is_whole(&response) {
                    return self.take_cut(response);
                }
                self.take(response, self.begun.elapsed());
            }
            Err(Unanswered::Late) => self.failure = None,
            Err(Unanswered::Gone(why)) => {
                self.failure = Some(why);
                self.closed = true;
            }
        }
    }

    /// Whether a body is a message although it was cut off.
    fn is_whole(response: &Content) -> bool {
        let Content::Response { body, .. } = response else {
            return false;
        };
        serde_json::from_slice::<Value>(body).is_ok()
    }

    /// Keeps an answer whose body went on when time was up. There is nothing to judge: only time
    /// cut it off.
    fn take_cut(&mut self, response: Content) {
        let time = self.begun.elapsed();
        if let Content::Response { exchange, .. } = response {
            self.heads.insert(exchange, (self.records.len(), false));
            self.cut_bodies.insert(exchange);
        }
        self.bytes += response.weight();
        self.records.push(Record {
            time,
            content: response,
        });
    }

    /// The answer to an id of ours.
    pub(crate) fn answer(&mut self, id: i64, sent: usize, exchange: Option<i64>) -> Answer {
        self.answer_within(Call { id, sent, exchange }, self.patience())
    }

    /// The answer to a request, if it comes in time. It may be asked for again.
    pub(crate) fn answer_within(&mut self, call: Call, patience: Duration) -> Answer {
        let Call { id, sent, exchange } = call;
        let before = self.broken.len();
        let is_cut = exchange.is_some_and(|exchange| self.cut_bodies.contains(&exchange));
        self.attribution.expect(id, exchange);
        self.wait(patience, |client| {
            if is_cut {
                return true;
            }
            let head = client.status_of(exchange);
            client.answers.contains_key(&id)
                || head.is_some_and(|(_, alone)| alone)
                // Without even a head there is nothing to wait for.
                || (exchange.is_some() && head.is_none())
                || client.is_stopped(before)
                || client.has_stray_answer(id)
        });
        self.take_stray_answer(id);
        if !is_cut {
            self.find_elsewhere(id, exchange);
        }
        self.attribution.settle(id);
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
        self.heads.get(&exchange?).copied()
    }

    /// The status of an HTTP exchange.
    pub(crate) fn status(&self, exchange: Option<i64>) -> Option<u16> {
        let (at, _) = self.status_of(exchange)?;
        match self.records[at].content {
            Content::Response { status, .. } => Some(status),
            _ => None,
        }
    }

    /// Sends something that every server answers, and waits for that.
    pub(crate) fn is_alive(&mut self) -> bool {
        if self.is_cut_off() {
            return false;
        }
        let answer = if self.is_stateless() {
            self.request("server/discover", json!({}))
        } else {
            self.request("ping", Value::Null)
        };
        matches!(answer.reply, Reply::Result(_) | Reply::Error(..))
    }

    /// Whether something is wrong with what came since a record was sent: then that explains what
    /// is missing.
    pub(crate) fn is_garbled_since(&self, at: usize) -> bool {
        self.broken.iter().any(|broken| {
            let unreadable = matches!(
                broken.rule.layer,
                Layer::Framing | Layer::Json | Layer::Jsonrpc
            );
            let astray = broken.rule.family() == "response"
                || *broken.rule == rules::http::NOTIFICATION_REFUSED_4XX;
            broken.at >= at && broken.level == Level::Error && (unreadable || astray)
        })
    }

    /// Whether the request in a record was answered, however late.
    pub(crate) fn is_answered(&self, sent: usize) -> bool {
        let message = self.records.get(sent).and_then(Record::message);
        let id = message.and_then(|message| message["id"].as_i64());
        id.is_some_and(|id| self.answers.contains_key(&id))
    }

    /// The time from the start of the connection to the first message of the server.
    pub(crate) fn started_in(&self) -> Duration {
        let first = self.since(0).next();
        first.map_or(Duration::ZERO, |(_, record)| record.time)
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

    /// The endpoint over HTTP, which a redirect may have changed.
    pub(crate) fn endpoint(&self) -> &str {
        match &self.wire {
            Wire::Stdio(_) => "",
            Wire::Http(client) => client.url(),
        }
    }

    /// The way a process ended that is gone, and the last of what it said on standard error. Waits
    /// a little for both.
    pub(crate) fn last_words(&mut self) -> (Option<String>, String) {
        let Wire::Stdio(process) = &mut self.wire else {
            return (None, String::new());
        };
        let patience = if self.closed {
            LAST_WORDS
        } else {
            Duration::ZERO
        };
        let exit = process.last_words(patience).map(exit_in_words);
        (exit, process.stderr())
    }

    /// The last of what the server said on standard error.
    pub(crate) fn stderr(&self) -> String {
        match &self.wire {
            Wire::Stdio(process) => process.stderr(),
            Wire::Http(_) => String::new(),
        }
    }

    /// Ends the connection and collects the findings of the passive rules about the whole of it. A
    /// server that was cut off owes nothing.
    pub(crate) fn finish(mut self) -> Finished {
        self.take_waiting();
        if !self.closed && !self.options.is_over() {
            let mut broken = self.judge.end();
            // The step that waits for an answer reports that it is missing, and with more detail:
            // here it would be reported twice.
            broken.retain(|broken| !is_about_missing_answer(broken.rule));
            self.broken.extend(broken);
        }
        Finished {
            asked: self.judge.asked().iter().copied().collect(),
            records: self.records,
            broken: self.broken,
            given_up: self.given_up,
        }
    }

    fn note(&mut self, content: Content, time: Duration) -> usize {
        let at = self.records.len();
        let record = Record { time, content };
        let mut broken = self.judge_attributed(&record, at);
        if self.strange_headers && matches!(record.content, Content::Request { .. }) {
            self.strange_exchanges.extend(record.exchange());
        }
        let is_strange = |exchange| self.strange_exchanges.contains(&exchange);
        if record.exchange().is_some_and(is_strange) {
            // How a server carries its answer may follow from what we left out.
            broken.retain(|broken| broken.rule.layer != Layer::Http);
        }
        self.broken.extend(broken);
        match record.content {
            Content::Response {
                exchange, streamed, ..
            } => {
                self.heads.insert(exchange, (at, !streamed));
            }
            Content::End { exchange } => {
                if let Some((_, alone)) = self.heads.get_mut(&exchange) {
                    *alone = true;
                }
            }
            _ => {}
        }
        self.at_once = match record.direction() {
            Direction::ClientToServer => 0,
            Direction::ServerToClient => self.at_once + 1,
        };
        self.records.push(record);
        at
    }

    fn take(&mut self, mut content: Content, time: Duration) {
        if content.weight() >= MESSAGE_BYTES {
            // It was cut, so there is nothing to judge; its beginning is evidence enough.
            content.shorten(1 << 10);
            self.records.push(Record { time, content });
            self.closed = true;
            let excess = format!("a message of more than {} MiB", MESSAGE_BYTES >> 20);
            self.given_up = Some(GivenUp::SaysTooMuch(excess));
            return;
        }
        let at = self.note(content, time);
        self.ended = None;
        self.bytes += self.records[at].bytes().len();
        let excess = if self.bytes >= MOST_BYTES {
            Some(format!("more than {} MiB", MOST_BYTES >> 20))
        } else if self.at_once >= MOST_AT_ONCE {
            Some(format!("{MOST_AT_ONCE} messages in a row"))
        } else if at >= MOST_RECORDS {
            Some(format!("{MOST_RECORDS} messages"))
        } else {
            None
        };
        if let Some(excess) = excess {
            // It is heard no more, and ended with the connection.
            self.closed = true;
            self.given_up = Some(GivenUp::SaysTooMuch(excess));
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
            match (message.get("id"), message["method"].as_str()) {
                (Some(id), Some(method)) => self.answer_request(id, method, &message["params"]),
                (Some(id), None) => {
                    if let Some(id) = id.as_i64()
                        && id <= self.last_id
                    {
                        self.answers.entry(id).or_insert(at);
                    }
                }
                (None, _) => {}
            }
        }
        if let Some(id) = self.attribution.owner_of(at) {
            self.answers.entry(id).or_insert(at);
        }
    }
}

/// The way a process ended.
fn exit_in_words(status: std::process::ExitStatus) -> String {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return format!("was ended by signal {signal}");
    }
    match status.code() {
        Some(code) => format!("ended with exit code {code}"),
        None => "ended".to_owned(),
    }
}
