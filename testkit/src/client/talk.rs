//! Requests and their answers, over either transport.

use std::thread;
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::client::cooperate;
use crate::client::http::{Answer, Event, Http};
use crate::client::oauth::{self, Wallet};
use crate::client::obey;
use crate::client::proof::Prover;
use crate::client::stdio::{Came, Stdio};
use crate::client::tasks::Tasks;

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_millis(2500);

pub(crate) const MODERN: &str = "2026-07-28";

/// The server cannot be talked to any more.
#[derive(Debug)]
pub(crate) enum Gone {
    /// The server ended.
    Ended,
    /// The client wants no more.
    Refused,
}

pub(crate) enum Wire {
    Stdio(Stdio),
    Http(Http),
}

#[expect(
    clippy::struct_excessive_bools,
    reason = "they are independent of each other"
)]
pub(crate) struct Client {
    pub(crate) wire: Wire,
    pub(crate) fault: String,
    /// It can do nothing that a server could ask for.
    pub(crate) bare: bool,
    /// It knows no revision without a handshake.
    pub(crate) legacy: bool,
    pub(crate) modern: bool,
    pub(crate) version: Option<String>,
    pub(crate) initialized: bool,
    pub(crate) subscribed: bool,
    /// It was subscribed before the server died.
    pub(crate) resumes: bool,
    /// The tasks that it makes of requests, if it does.
    pub(crate) tasks: Option<Tasks>,
    /// The tools as they were listed.
    pub(crate) tools: Vec<Value>,
    /// A page that may be kept.
    pub(crate) kept: Option<Value>,
    /// Its token, over HTTP.
    pub(crate) wallet: Wallet,
    last_id: i64,
    restarted: bool,
    /// Something ends it soon.
    doomed: bool,
}

impl Client {
    pub(crate) fn new(wire: Wire, fault: String, bare: bool, legacy: bool) -> Self {
        Self {
            wire,
            fault,
            bare,
            legacy,
            modern: false,
            version: None,
            initialized: false,
            subscribed: false,
            resumes: false,
            tasks: None,
            tools: Vec::new(),
            kept: None,
            wallet: Wallet::default(),
            last_id: 0,
            restarted: false,
            doomed: false,
        }
    }

    pub(crate) fn is(&self, fault: &str) -> bool {
        self.fault == fault
    }

    pub(crate) fn is_stdio(&self) -> bool {
        matches!(self.wire, Wire::Stdio(_))
    }

    pub(crate) fn capabilities(&self) -> Value {
        let mut all = match (self.bare, self.modern) {
            (true, _) => json!({}),
            (false, true) => json!({"elicitation": {"form": {}}}),
            (false, false) => json!({"roots": {}, "sampling": {}, "elicitation": {}}),
        };
        if self.is("answers-too-long") && self.modern {
            all["sampling"] = json!({});
        }
        if self.tasks.is_some() && !self.modern {
            all["tasks"] = json!({"list": {}, "requests": {"sampling": {"createMessage": {}}}});
        }
        all
    }

    pub(crate) fn next_id(&mut self) -> i64 {
        self.last_id += 1;
        if self.is("same-id") && self.last_id == 5 {
            self.last_id = 4;
        }
        self.last_id
    }

    /// A request; an error if there is no answer at all.
    pub(crate) fn request(&mut self, method: &str, params: Value) -> Result<Value, Gone> {
        let id = self.next_id();
        self.request_as(id, method, params)
    }

    pub(crate) fn request_as(
        &mut self,
        id: i64,
        method: &str,
        mut params: Value,
    ) -> Result<Value, Gone> {
        if self.modern {
            params["_meta"] = self.meta();
        }
        let mut message = json!({"jsonrpc": "2.0", "id": id, "method": method});
        if params.as_object().is_some_and(|params| !params.is_empty()) {
            message["params"] = params;
        }
        let is_prompts = method == "prompts/list";
        if is_prompts && self.is("null-id") {
            message["id"] = Value::Null;
        }
        if is_prompts && self.is("old-jsonrpc") {
            message["jsonrpc"] = json!("1.0");
        }
        if is_prompts && self.is("params-are-a-list") {
            message["params"] = json!([]);
        }
        match &self.wire {
            Wire::Stdio(_) => self.over_stdio(id, &message),
            Wire::Http(_) => self.over_http(id, &message),
        }
    }

    fn meta(&self) -> Value {
        let mut meta = json!({
            "io.modelcontextprotocol/protocolVersion": MODERN,
            "io.modelcontextprotocol/clientInfo": {"name": "probe-client", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": self.capabilities(),
        });
        if self.is("no-client-capabilities")
            && let Some(meta) = meta.as_object_mut()
        {
            meta.remove("io.modelcontextprotocol/clientCapabilities");
        }
        meta
    }

    pub(crate) fn notify(&mut self, method: &str, params: Option<Value>) {
        let mut message = json!({"jsonrpc": "2.0", "method": method});
        if let Some(params) = params {
            message["params"] = params;
        }
        self.send(&message);
    }

    /// Sends what gets no answer.
    pub(crate) fn send(&mut self, message: &Value) {
        let bytes = message.to_string().into_bytes();
        let headers = self.headers(message);
        match &mut self.wire {
            Wire::Stdio(stdio) => stdio.send(&bytes),
            Wire::Http(http) => {
                // Nothing comes back but a status.
                let _ = http.send("POST", &headers, &bytes, PATIENCE);
            }
        }
    }

    fn over_stdio(&mut self, id: i64, message: &Value) -> Result<Value, Gone> {
        let mut bytes = message.to_string().into_bytes();
        if message["method"] == "prompts/list" {
            if self.is("two-messages-a-line") {
                bytes.extend_from_slice(br#"{"jsonrpc":"2.0","id":99,"method":"ping"}"#);
            }
            if self.is("not-utf8") {
                bytes.truncate(bytes.len() - 1);
                bytes.extend_from_slice(b",\"params\":{\"_meta\":{\"x\":\"\xff\"}}}");
            }
        }
        if let Wire::Stdio(stdio) = &mut self.wire {
            stdio.send(&bytes);
        }
        let until = Instant::now() + PATIENCE;
        loop {
            let Wire::Stdio(stdio) = &mut self.wire else {
                return Err(Gone::Refused);
            };
            let left = until.saturating_duration_since(Instant::now());
            let line = match stdio.receive(left) {
                Came::Line(line) => line,
                Came::Nothing => return Ok(self.give_up(id, message)),
                Came::End => return Err(Gone::Ended),
            };
            if let Some(answer) = self.take(id, &line)? {
                return Ok(answer);
            }
        }
    }

    /// Something came; gives the answer to the request, if it is that.
    pub(crate) fn take(&mut self, id: i64, bytes: &[u8]) -> Result<Option<Value>, Gone> {
        let Ok(message) = serde_json::from_slice::<Value>(bytes) else {
            if self.is("dies-of-text") {
                return Err(Gone::Refused);
            }
            if self.is("dies-late-of-words") && bytes.starts_with(b"Server") {
                self.doomed = true;
            }
            if self.is("text-is-a-bad-request") {
                let mut answer =
                    json!({"jsonrpc": "2.0", "error": {"code": -32600, "message": "what?"}});
                if self
                    .version
                    .as_deref()
                    .is_none_or(|version| version < "2025-11-25")
                {
                    answer["id"] = Value::Null;
                }
                self.send(&answer);
            }
            return Ok(None);
        };
        // Messages that are already under way are handled first.
        if self.doomed && message["method"] != "ping" {
            return Err(Gone::Refused);
        }
        if message.get("method").is_some() || message.is_array() {
            obey::obey(self, &message)?;
            return Ok(None);
        }
        if message.get("id") == Some(&json!(id)) {
            return Ok(Some(message));
        }
        if self.is("dies-of-strays") && message.get("id").is_some() {
            return Err(Gone::Refused);
        }
        Ok(None)
    }

    /// The answer takes too long.
    fn give_up(&mut self, id: i64, message: &Value) -> Value {
        let nothing = json!({"error": {"code": 0, "message": "no answer"}});
        if self.is("gives-up-silently") && self.modern {
            self.fault.clear();
            let id = self.next_id();
            let mut again = message.clone();
            again["id"] = json!(id);
            return self.over_stdio(id, &again).unwrap_or(nothing);
        }
        if message["method"] != "initialize" && (self.is_stdio() || !self.modern) {
            self.notify("notifications/cancelled", Some(json!({"requestId": id})));
        }
        nothing
    }

    fn headers(&mut self, message: &Value) -> Vec<(String, String)> {
        let method = if message.is_null() { "GET" } else { "POST" };
        self.headers_of(method, message)
    }

    fn headers_of(&mut self, http_method: &str, message: &Value) -> Vec<(String, String)> {
        let mut proven = Vec::new();
        if let Wire::Http(http) = &self.wire
            && let Some(token) = self.wallet.token.clone()
            && let Some(prover) = &mut self.wallet.prover
        {
            let url = format!("http://{}{}", http.address, http.path);
            let proof = prover.prove(http_method, &url, Some(&token));
            proven.push(("dpop".to_owned(), proof));
        }
        let mut headers = self.plain_headers(message);
        headers.extend(proven);
        headers
    }

    fn plain_headers(&self, message: &Value) -> Vec<(String, String)> {
        let mut headers = Vec::new();
        let mut add = |name: &str, value: &str| headers.push((name.to_owned(), value.to_owned()));
        add("content-type", "application/json");
        if self.is("accepts-json-only") && !message.is_null() {
            add("accept", "application/json");
        } else {
            add("accept", "application/json, text/event-stream");
        }
        let Wire::Http(http) = &self.wire else {
            return headers;
        };
        if let Some(token) = cooperate::token().or_else(|| self.wallet.token.clone()) {
            let prover = self.wallet.prover.as_ref();
            let scheme = prover.map_or("Bearer", Prover::scheme);
            add("authorization", &format!("{scheme} {token}"));
        }
        if let Some(session) = &http.session
            && !(self.is("no-session-id") && message["method"] == "prompts/list")
        {
            add("mcp-session-id", session);
        }
        if self.modern {
            add("mcp-protocol-version", MODERN);
            let method = message["method"].as_str().unwrap_or_default();
            if !self.is("no-mcp-method") {
                add("mcp-method", method);
            }
            let name = match method {
                "tools/call" | "prompts/get" => message["params"]["name"].as_str(),
                "resources/read" => message["params"]["uri"].as_str(),
                _ => None,
            };
            if let Some(name) = name
                && !self.is("no-mcp-name")
            {
                add("mcp-name", name);
            }
            for (name, value) in self.mirrored(message) {
                add(&format!("mcp-param-{name}"), &value);
            }
        } else if let Some(version) = &self.version
            && version.as_str() >= "2025-06-18"
            && !self.is("no-version-header")
        {
            add("mcp-protocol-version", version);
        }
        headers
    }

    /// The arguments of a call that its tool wants in headers.
    fn mirrored(&self, message: &Value) -> Vec<(String, String)> {
        let params = &message["params"];
        let tool = self
            .tools
            .iter()
            .find(|tool| tool["name"] == params["name"]);
        let properties = tool.and_then(|tool| tool["inputSchema"]["properties"].as_object());
        let is_call = message["method"] == "tools/call";
        let mut mirrored = Vec::new();
        for (name, schema) in properties.into_iter().flatten().filter(|_| is_call) {
            let argument = &params["arguments"][name];
            let Some(header) = schema["x-mcp-header"].as_str() else {
                continue;
            };
            let value = match argument {
                Value::Null => continue,
                Value::String(text) if text.is_ascii() || self.is("mirrors-unencoded") => {
                    text.clone()
                }
                Value::String(text) => format!("=?base64?{}?=", STANDARD.encode(text)),
                other => other.to_string(),
            };
            mirrored.push((header.to_lowercase(), value));
        }
        match self.fault.as_str() {
            "mirrors-nothing" => mirrored.clear(),
            "mirrors-something-else" => {
                for (_, value) in &mut mirrored {
                    "south".clone_into(value);
                }
            }
            _ => {}
        }
        mirrored
    }

    fn over_http(&mut self, id: i64, message: &Value) -> Result<Value, Gone> {
        let headers = self.headers(message);
        let clings = self.is("clings-to-sessions");
        let Wire::Http(http) = &mut self.wire else {
            return Err(Gone::Refused);
        };
        let body = message.to_string().into_bytes();
        let Some(answer) = http.send("POST", &headers, &body, PATIENCE) else {
            return Ok(self.give_up(id, message));
        };
        let prover = self.wallet.prover.as_mut();
        let asked = prover.is_some_and(|prover| prover.is_asked_for_nonce(&answer.headers));
        if answer.status == 401 && asked && self.wallet.token.is_some() {
            return self.over_http(id, message);
        }
        if answer.status == 401 {
            let challenge = answer.header("www-authenticate").unwrap_or_default();
            let challenge = challenge.to_owned();
            if !oauth::authorise(self, &challenge) {
                return Err(Gone::Refused);
            }
            return self.over_http(id, message);
        }
        if answer.status == 403 {
            let challenge = answer.header("www-authenticate").unwrap_or_default();
            let challenge = challenge.to_owned();
            let method = message["method"].as_str().unwrap_or_default();
            if !oauth::step_up(self, &challenge, method) {
                return Err(Gone::Refused);
            }
            return self.over_http(id, message);
        }
        if let Some(session) = answer.header("mcp-session-id") {
            http.session = Some(session.to_owned());
        }
        if answer.status == 404 && http.session.is_some() {
            if clings {
                thread::sleep(Duration::from_millis(1500));
                return Ok(json!({}));
            }
            http.session = None;
            if std::mem::replace(&mut self.restarted, true) {
                return Err(Gone::Refused);
            }
            crate::client::walk::initialize(self)?;
            return self.request(
                message["method"].as_str().unwrap_or_default(),
                message.get("params").cloned().unwrap_or_else(|| json!({})),
            );
        }
        if answer.is_stream() {
            if self.is("no-streams") {
                return Err(Gone::Refused);
            }
            return self.events(id, message, answer);
        }
        let body = answer.body();
        serde_json::from_slice(&body).map_err(|_| Gone::Refused)
    }

    fn events(&mut self, id: i64, message: &Value, mut answer: Answer) -> Result<Value, Gone> {
        let (mut last, mut wait) = (None, 100);
        loop {
            match answer.event() {
                Event::Data {
                    id: event,
                    retry,
                    data,
                } => {
                    last = event.or(last);
                    wait = retry.unwrap_or(wait);
                    if !data.is_empty()
                        && let Some(answer) = self.take(id, data.as_bytes())?
                    {
                        return Ok(answer);
                    }
                }
                Event::Nothing => return Ok(self.give_up(id, message)),
                Event::End => {
                    let Some(last) = last.take().filter(|_| !self.modern) else {
                        return Err(Gone::Refused);
                    };
                    if self.is("resumes-by-post") {
                        return self.request(
                            message["method"].as_str().unwrap_or_default(),
                            message.get("params").cloned().unwrap_or_else(|| json!({})),
                        );
                    }
                    if !self.is("hurries") {
                        thread::sleep(Duration::from_millis(wait));
                    }
                    let mut headers = self.headers(&Value::Null);
                    headers.push(("last-event-id".to_owned(), last));
                    let Wire::Http(http) = &self.wire else {
                        return Err(Gone::Refused);
                    };
                    answer = http
                        .send("GET", &headers, b"", PATIENCE)
                        .ok_or(Gone::Refused)?;
                }
            }
        }
    }

    /// Ends the connection in order.
    pub(crate) fn close(&mut self) {
        let headers = self.headers_of("DELETE", &Value::Null);
        let keeps = self.is("session-not-deleted");
        let kills = self.is("kills-the-server");
        match &mut self.wire {
            Wire::Stdio(stdio) => {
                if kills {
                    let _ = stdio.child.kill();
                }
                stdio.input = None;
                let _ = stdio.child.wait();
            }
            Wire::Http(http) => {
                if http.session.is_some() && !keeps {
                    let _ = http.send("DELETE", &headers, b"", PATIENCE);
                }
            }
        }
    }
}
