//! The server of one scenario: hears a message, and says what comes of it.

mod delayed_replies;
mod odd;
mod received;
mod seen;

use std::time::{Duration, Instant};

use mcp_assay::Revision;
use mcp_assay::model::Fact;
use serde_json::{Value, json};

use self::delayed_replies::{DelayedReply, Due};
pub(crate) use self::received::{Received, is_for_endpoint};
pub(crate) use self::seen::{Asked, Call, Seen};
use super::answers::{self, answer, error};
use super::asks::{Circumstances, Ids, after, before_first, early_ping};
use super::oauth::{Desk, Refusal, Visit, operation};
use super::recorder::{Ending, Recorder, Way};
use super::twist::{Answering, Twist};
use super::unguessable;
use crate::record::Pairs;

/// A version that nobody knows.
pub(crate) const UNKNOWN: &str = "2099-01-01";

/// How long a slow answer takes.
const SLOW: Duration = Duration::from_millis(1200);

/// How long a client is asked to wait before it takes up a stream, in milliseconds.
const RETRY: u64 = 300;

/// The server of one scenario.
pub(crate) struct Script {
    pub(crate) twist: Twist,
    pub(crate) revision: Revision,
    pub(crate) seen: Seen,
    over_http: bool,
    bait: String,
    ids: Ids,
    delayed: Option<DelayedReply>,
    due: Vec<(Instant, Way, Due)>,
    /// The session over HTTP, and the one that is over.
    session: Option<String>,
    expired: Option<String>,
    /// An answer that waits for its stream to be taken up: the event before it, and the message.
    broken_off: Option<(String, Value)>,
    asked_for_input: bool,
    sessions: u64,
    /// Whether `initialize` was answered with a result.
    greeted: bool,
    /// The authorisation server, if tokens are needed.
    pub(crate) desk: Option<Desk>,
}

impl Script {
    pub(crate) fn new(
        twist: Twist,
        revision: Revision,
        over_http: bool,
        origins: Vec<String>,
    ) -> Self {
        let origin = origins.first().map_or("", String::as_str);
        let bait = format!("{origin}/lure");
        let desk = match twist {
            Twist::Guarded(guard) => Some(Desk::new(guard, origins)),
            _ => None,
        };
        Self {
            twist,
            revision,
            seen: Seen {
                given_client: desk.as_ref().and_then(Desk::given_client),
                ..Seen::default()
            },
            over_http,
            bait,
            ids: Ids::default(),
            delayed: None,
            due: Vec::new(),
            session: None,
            expired: None,
            broken_off: None,
            asked_for_input: false,
            sessions: 0,
            greeted: false,
            desk,
        }
    }

    /// An HTTP request to those who hand out tokens.
    pub(crate) fn visited(&mut self, recorder: &mut Recorder<'_>, mut visit: Visit) {
        let Some(desk) = &mut self.desk else { return };
        let answer = desk.answer(&mut visit);
        recorder.respond(visit.exchange, answer.status, answer.headers, answer.body);
        self.seen.clients = desk.clients().to_vec();
        self.seen.proof_uses.clone_from(&desk.proof_uses);
        self.seen.visits.push(visit);
    }

    /// An HTTP request that is not for the endpoint.
    pub(crate) fn strayed(&mut self, path: &str) -> u16 {
        if path.starts_with("/lure") {
            self.seen.baited.push(path.to_owned());
            200
        } else {
            404
        }
    }

    pub(crate) fn hear_request(
        &mut self,
        recorder: &mut Recorder<'_>,
        request: &Received,
        exchange: i64,
        at: usize,
    ) {
        let way = Way::Exchange(exchange);
        let refusal = self.desk.as_mut().and_then(|desk| {
            let refusal = desk.refuse(exchange, request);
            self.seen.proof_uses.clone_from(&desk.proof_uses);
            refusal
        });
        if let Some(answer) = refusal {
            self.seen.refused.get_or_insert(exchange);
            if let Some(operation) = operation(&request.body).filter(|_| answer.status == 403) {
                self.seen.refusals.push(Refusal {
                    exchange,
                    operation,
                });
            }
            recorder.respond(exchange, answer.status, answer.headers, answer.body);
            return;
        }
        let has_sessions = self.revision.has(Fact::HttpSessions);
        if has_sessions && request.session.is_some() && request.session == self.expired {
            recorder.status(way, 404, None);
            return;
        }
        match request.method.as_str() {
            "POST" => match serde_json::from_slice(&request.body) {
                Ok(message) => self.hear(recorder, way, at, message),
                Err(_) => recorder.status(way, 400, None),
            },
            "GET" if self.revision.has(Fact::HttpGetStream) => {
                let taken_up = self
                    .broken_off
                    .take_if(|(id, _)| request.last_event.as_ref() == Some(id));
                recorder.stream(exchange, Pairs::new());
                if let Some((_, message)) = taken_up {
                    recorder.reply(way, &message, Pairs::new());
                }
            }
            "DELETE" if has_sessions => recorder.status(way, 200, None),
            _ => recorder.status(way, 405, None),
        }
    }

    /// A message came; over HTTP its answer is owed in any case.
    pub(crate) fn hear(
        &mut self,
        recorder: &mut Recorder<'_>,
        way: Way,
        at: usize,
        message: Value,
    ) {
        self.note_neglect();
        let mut owes_answer = false;
        let messages = match message {
            Value::Array(messages) => messages,
            message => vec![message],
        };
        for message in messages {
            match (message["method"].as_str(), message.get("id")) {
                (Some(method), Some(id)) => {
                    owes_answer = true;
                    let (method, id) = (method.to_owned(), id.clone());
                    let params = message.get("params").cloned().unwrap_or_default();
                    self.call(recorder, way, at, id, &method, &params);
                }
                (Some(method), None) => self.notified(way, at, method),
                (None, _) => self.answered(recorder, way, at, message),
            }
        }
        if self.over_http && !owes_answer {
            recorder.status(way, 202, None);
        }
    }

    fn notified(&mut self, way: Way, at: usize, method: &str) {
        if method == "notifications/initialized" {
            self.seen.agreed = true;
        }
        self.seen.notices.push((way.talk(), at, method.to_owned()));
    }

    fn answered(&mut self, recorder: &mut Recorder<'_>, way: Way, at: usize, message: Value) {
        let id = message.get("id").cloned().unwrap_or_default();
        let asked = self
            .seen
            .asked
            .iter_mut()
            .find(|asked| asked.id.as_ref() == Some(&id) && asked.reply.is_none());
        match asked {
            Some(asked) => {
                let more = after(asked.name, &message, &mut self.ids, &self.seen.capabilities);
                asked.reply = Some((message, at));
                if let Some(delayed) = &mut self.delayed {
                    delayed.prepend(more);
                }
            }
            None => self.seen.strays.push((way.talk(), at)),
        }
        let heard = self
            .delayed
            .as_mut()
            .and_then(|delayed| delayed.waiting.take_if(|(waiting, _)| *waiting == id));
        if heard.is_some() {
            self.go_on(recorder);
        }
    }

    fn call(
        &mut self,
        recorder: &mut Recorder<'_>,
        way: Way,
        at: usize,
        id: Value,
        method: &str,
        params: &Value,
    ) {
        let handshake = matches!(method, "initialize" | "server/discover" | "ping");
        let meta = &params["_meta"];
        let version = meta.get("io.modelcontextprotocol/protocolVersion").cloned();
        let is_modern = version.is_some() || method == "server/discover";
        let has_handshake = self.revision.has(Fact::Handshake);
        let foreign = if has_handshake {
            is_modern && !self.seen.agreed
        } else {
            !is_modern
        };
        self.seen.calls.push(Call {
            talk: way.talk(),
            at,
            method: method.to_owned(),
            params: params.clone(),
            is_feature: !handshake && !foreign && (self.greeted || !has_handshake),
        });
        if has_handshake {
            match method {
                "initialize" => self.initialize(recorder, way, id, params),
                _ if foreign => self.refuse_opening(recorder, way, id),
                "ping" => recorder.reply(way, &of(id, json!({"result": {}})), Pairs::new()),
                _ if !self.greeted => {
                    let refusal = of(id, error(-32600, "initialize first"));
                    recorder.status(way, 400, Some(&refusal));
                }
                _ => {
                    self.seen.agreed = true;
                    self.feature(recorder, way, id, method, params);
                }
            }
            return;
        }
        let supported = version.as_ref() == Some(&json!(self.revision.name()));
        if method == "initialize" || !supported || matches!(self.twist, Twist::OtherVersion) {
            let supported = match self.twist {
                Twist::OtherVersion => UNKNOWN,
                _ => self.revision.name(),
            };
            let mut refusal = error(-32022, "unsupported protocol version");
            let requested = version.unwrap_or_else(|| params["protocolVersion"].clone());
            refusal["error"]["data"] = json!({"supported": [supported], "requested": requested});
            recorder.status(way, 400, Some(&of(id, refusal)));
            self.seen.twisted.get_or_insert(self.seen.calls.len());
            return;
        }
        self.seen.agreed = true;
        let capabilities = &params["_meta"]["io.modelcontextprotocol/clientCapabilities"];
        self.seen.capabilities = capabilities.clone();
        match method {
            "server/discover" => {
                let answer = answer(self.revision, method, params);
                recorder.reply(way, &of(id, answer), Pairs::new());
            }
            "subscriptions/listen" => self.listen(recorder, way, &id, params),
            _ => self.feature(recorder, way, id, method, params),
        }
    }

    fn initialize(&mut self, recorder: &mut Recorder<'_>, way: Way, id: Value, params: &Value) {
        self.seen.agreed = false;
        self.seen.capabilities = params["capabilities"].clone();
        let version = match self.twist {
            Twist::RefusedInitialize => {
                let mut refusal = error(-32602, "unsupported protocol version");
                let supported = self.revision.name();
                refusal["error"]["data"] =
                    json!({"supported": [supported], "requested": params["protocolVersion"]});
                recorder.status(way, 200, Some(&of(id, refusal)));
                return;
            }
            Twist::UnknownVersion => UNKNOWN,
            _ => self.revision.name(),
        };
        let mut headers = Pairs::new();
        self.greeted = true;
        // A version that cannot be spoken opens no session.
        let opens = !matches!(self.twist, Twist::UnknownVersion);
        if self.over_http && self.revision.has(Fact::HttpSessions) && opens {
            self.sessions += 1;
            let session = unguessable(self.sessions);
            headers.push(("mcp-session-id".to_owned(), session.clone()));
            self.session = Some(session);
        }
        let message = of(id, answers::initialize(self.revision, version));
        if matches!(self.twist, Twist::EarlyPing) {
            let asks = early_ping(&mut self.ids);
            self.delay(recorder, way, asks, message, headers);
        } else {
            recorder.reply(way, &message, headers);
        }
    }

    /// Refuses a request without a handshake as an older server does.
    fn refuse_opening(&self, recorder: &mut Recorder<'_>, way: Way, id: Value) {
        let odd = matches!(self.twist, Twist::OddCode);
        let (status, code, text) = match (self.over_http, odd) {
            (true, false) => (400, -32000, "Bad Request: no valid session ID provided"),
            (true, true) => (400, -32600, "not initialized"),
            (false, false) => (200, -32601, "method not found"),
            (false, true) => (200, -32602, "invalid request parameters"),
        };
        recorder.status(way, status, Some(&of(id, error(code, text))));
    }

    /// A subscription is acknowledged and stays open.
    fn listen(&mut self, recorder: &mut Recorder<'_>, way: Way, id: &Value, params: &Value) {
        let granted = &params["notifications"];
        let notice = json!({"jsonrpc": "2.0", "method": "notifications/subscriptions/acknowledged", "params":
            {"notifications": granted, "_meta": {"io.modelcontextprotocol/subscriptionId": id}}});
        recorder.say(way, notice.to_string().into_bytes());
        if granted["toolsListChanged"] == json!(true) {
            let change = json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed", "params":
                {"_meta": {"io.modelcontextprotocol/subscriptionId": id}}});
            recorder.say(way, change.to_string().into_bytes());
        }
        if matches!(self.twist, Twist::Dies) && !self.over_http && self.seen.twisted.is_none() {
            self.die(recorder, way);
        }
    }

    fn die(&mut self, recorder: &mut Recorder<'_>, way: Way) {
        self.seen.twisted = Some(self.seen.calls.len());
        recorder.die(way);
        if let Way::Pipe(pipe) = way {
            recorder.close_pipe(pipe, Ending::Ours);
            self.closed(pipe);
        }
    }

    fn feature(
        &mut self,
        recorder: &mut Recorder<'_>,
        way: Way,
        id: Value,
        method: &str,
        params: &Value,
    ) {
        let message = of(id.clone(), self.answer(method, params));
        let is_first = self.seen.twisted.is_none();
        if matches!(self.twist, Twist::Errors) {
            recorder.reply(way, &of(id, error(-32603, "out of order")), Pairs::new());
            return;
        }
        let request = Answering {
            method,
            params,
            bait: &self.bait,
        };
        // The oddity may be in the answers to some requests only.
        let waits = match self.twist {
            Twist::Answers(odd, _) => !request.is_odd(odd),
            _ => false,
        };
        if !is_first || waits {
            Self::tell_progress(recorder, way, params);
            recorder.reply(way, &message, Pairs::new());
            return;
        }
        self.seen.twisted = Some(self.seen.calls.len());
        match (self.twist, way) {
            (Twist::Silent, _) => {}
            (Twist::Dies, _) => self.die(recorder, way),
            (Twist::Slow, _) => self.be_slow(way, message, params),
            (Twist::Expired, _) if self.session.is_some() => {
                self.expired = self.session.take();
                recorder.status(way, 404, None);
            }
            (Twist::Resume, Way::Exchange(exchange)) => {
                recorder.stream(exchange, Pairs::new());
                recorder.event(exchange, Some(RETRY), Vec::new());
                self.broken_off = Some((recorder.last_event(), message));
                recorder.end(exchange);
            }
            _ => {
                let asks = before_first(
                    self.twist,
                    &mut self.ids,
                    &Circumstances {
                        revision: self.revision,
                        capabilities: &self.seen.capabilities,
                        over_stdio: !self.over_http,
                        bait: &self.bait,
                        open: &id,
                    },
                );
                if matches!(self.twist, Twist::Harms(..)) {
                    self.seen.harms = asks.iter().filter(|ask| ask.id.is_none()).count();
                }
                Self::tell_progress(recorder, way, params);
                self.delay(recorder, way, asks, message, Pairs::new());
            }
        }
    }

    fn be_slow(&mut self, way: Way, message: Value, params: &Value) {
        let now = Instant::now();
        let token = &params["_meta"]["progressToken"];
        if !token.is_null() {
            for step in 1..=2 {
                let notice = progress(token, step);
                self.due
                    .push((now + SLOW / 3 * step, way, Due::Say(notice)));
            }
        }
        self.due.push((now + SLOW, way, Due::Reply(message)));
    }

    /// Tells whoever asked for it how far the server is.
    fn tell_progress(recorder: &mut Recorder<'_>, way: Way, params: &Value) {
        let token = &params["_meta"]["progressToken"];
        if !token.is_null() {
            recorder.say(way, progress(token, 1).to_string().into_bytes());
        }
    }
}

fn of(id: Value, mut answer: Value) -> Value {
    answer["jsonrpc"] = json!("2.0");
    answer["id"] = id;
    answer
}

fn progress(token: &Value, step: u32) -> Value {
    json!({"jsonrpc": "2.0", "method": "notifications/progress",
        "params": {"progressToken": token, "progress": step, "total": 3}})
}
