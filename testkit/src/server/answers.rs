//! The answers of the server to one message.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};

use crate::server::changes::Changes;
use crate::server::faults::Fault;
use crate::server::jobs::Job;
use crate::server::modern;
use crate::server::resources;
use crate::server::tasks::Task;
use crate::server::tools;

/// The ids of requests that the client gave up.
pub(crate) type Cancelled = Arc<Mutex<Vec<Value>>>;

/// The revisions with a handshake, oldest first.
pub(crate) const LEGACY: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

/// How long the slow tool takes.
pub(crate) const SLOW: Duration = Duration::from_millis(300);

/// Whether a request was cancelled.
pub(crate) fn is_in(cancelled: &Cancelled, id: &Value) -> bool {
    let cancelled = cancelled.lock().unwrap_or_else(PoisonError::into_inner);
    cancelled.contains(id)
}

/// One session.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a fact of its own about the session, which some fault needs"
)]
pub(crate) struct Server {
    pub(crate) fault: Fault,
    pub(crate) version: Option<&'static str>,
    /// Tasks that were started.
    pub(crate) tasks: Vec<Task>,
    /// Tasks of the extension.
    pub(crate) jobs: Vec<Job>,
    /// Changes, and who wants to hear of them.
    pub(crate) changes: Changes,
    pub(crate) cancelled: Cancelled,
    /// Whether messages that belong to no request have a way of their own.
    pub(crate) over_http: bool,
    /// Whether the client declared no capability.
    is_bare: bool,
    /// The least level of log messages.
    level: usize,
    /// The last call that takes its time.
    running: Value,
    /// Whether a cancellation made the server reject the next request.
    sulks: bool,
    /// Whether an earlier request of a stateless client said what it can do.
    pub(crate) heard: bool,
    /// Whether this message is a ping, and whether the one before was.
    pinged: bool,
    hasty: bool,
}

/// The reaction to a message.
pub(crate) enum Said {
    /// These messages go out, in this order.
    Messages(Vec<Value>),
    /// These messages go out after a while, unless the request with this id is cancelled.
    Later(Vec<Value>, Value),
    /// The server dies.
    Death,
}

impl Server {
    pub(crate) fn new(fault: Fault) -> Self {
        Self {
            fault,
            version: None,
            tasks: Vec::new(),
            jobs: Vec::new(),
            changes: Changes::default(),
            cancelled: Cancelled::default(),
            over_http: false,
            is_bare: false,
            level: 0,
            running: Value::Null,
            sulks: false,
            heard: false,
            pinged: false,
            hasty: false,
        }
    }

    /// Answers the bytes of a message.
    pub(crate) fn hear(&mut self, bytes: &[u8]) -> Said {
        let fault = self.fault;
        self.hasty = std::mem::replace(&mut self.pinged, false);
        if bytes.len() > 1 << 20 && fault.is("dies-of-long-messages") {
            return Said::Death;
        }
        let Ok(message) = serde_json::from_slice::<Value>(bytes) else {
            return self.unreadable(bytes);
        };
        if let Value::Array(messages) = message {
            if self.version != Some("2025-03-26") || fault.is("refuses-batches") {
                return Said::Messages(vec![self.no_id(-32600, "no batches")]);
            }
            let mut answers = Vec::new();
            for message in &messages {
                match self.answer(message) {
                    Said::Messages(more) | Said::Later(more, _) => answers.extend(more),
                    Said::Death => return Said::Death,
                }
            }
            return Said::Messages(vec![Value::Array(answers)]);
        }
        self.answer(&message)
    }

    fn unreadable(&self, bytes: &[u8]) -> Said {
        let fault = self.fault;
        // serde_json refuses deep nesting, which is a fair way to deal with it.
        let deep = bytes.starts_with(b"{\"jsonrpc\":\"2.0\"") && bytes.len() > 1000;
        if deep && fault.is("dies-of-deep-messages") {
            return Said::Death;
        }
        if fault.is("dies-of-text") && !deep {
            return Said::Death;
        }
        if fault.is("ignores-text") {
            return Said::Messages(Vec::new());
        }
        let code = if fault.is("text-is-a-bad-request") {
            -32600
        } else {
            -32700
        };
        Said::Messages(vec![self.no_id(code, "not JSON")])
    }

    /// An error for a message whose id is not known.
    fn no_id(&self, code: i64, message: &str) -> Value {
        let mut error = json!({"jsonrpc": "2.0", "error": {"code": code, "message": message}});
        if self.version.is_some_and(|version| version < "2025-11-25") {
            error["id"] = Value::Null;
        }
        error
    }

    fn answer(&mut self, message: &Value) -> Said {
        let fault = self.fault;
        let id = message.get("id").cloned();
        let method = message["method"].as_str();
        let sound = message["jsonrpc"] == "2.0" && method.is_some();
        if let (None, None) = (method, message.get("method"))
            && (message.get("result").is_some() || message.get("error").is_some())
        {
            return Said::Messages(Vec::new());
        }
        let taken = sound || (fault.is("accepts-any-envelope") && method.is_some());
        if !taken {
            if fault.is("ignores-bad-envelopes") {
                return Said::Messages(Vec::new());
            }
            let code = if fault.is("bad-envelope-is-internal") {
                -32603
            } else {
                -32600
            };
            let mut error = error(code, "not a request");
            error["id"] = id.unwrap_or_default();
            return Said::Messages(vec![error]);
        }
        let method = method.unwrap_or_default();
        let Some(id) = id else {
            return self.notified(method, &message["params"]);
        };
        if std::mem::take(&mut self.sulks) {
            let mut refusal = error(-32603, "who cancelled?");
            refusal["id"] = id;
            return Said::Messages(vec![refusal]);
        }
        if method == "prompts/list" && fault.is("hangs-on-prompts") {
            return Said::Messages(Vec::new());
        }
        if method == "prompts/list" && fault.is("dies-of-prompts") {
            return Said::Death;
        }
        match self.fault.0.split_once(' ') {
            Some(("hangs-on", of)) if of == method => return Said::Messages(Vec::new()),
            Some(("dies-on", of)) if of == method => return Said::Death,
            Some(("lacks", of)) if of == method => {
                let mut refusal = error(-32601, "method not found");
                refusal["id"] = id;
                return Said::Messages(vec![refusal]);
            }
            _ => {}
        }
        self.pinged = method == "ping";
        if self.pinged && self.hasty && fault.is("loses-hasty-requests") {
            return Said::Messages(Vec::new());
        }
        let params = &message["params"];
        let stateless = params["_meta"]
            .get("io.modelcontextprotocol/protocolVersion")
            .is_some()
            || params["_meta"]
                .get("io.modelcontextprotocol/clientCapabilities")
                .is_some()
            || method == "server/discover";
        let is_modern = stateless && self.version.is_none();
        if method == "subscriptions/listen" && is_modern {
            let filter = params["notifications"].clone();
            self.changes.subscribe(id.clone(), filter);
            return Said::Messages(modern::acknowledge(fault, &id, params));
        }
        if method == "tools/call" && params["name"] == "grow" && params.get("task").is_none() {
            self.changes.grow(is_modern, fault);
        }
        let action = &params["inputResponses"]["who"]["action"];
        if fault.is("hangs-on-declines") && action == "decline"
            || fault.is("hangs-on-cancels") && action == "cancel"
        {
            return Said::Messages(Vec::new());
        }
        let mut answer = if is_modern {
            modern::answer(self, method, params)
        } else {
            self.legacy(method, params)
        };
        answer["jsonrpc"] = json!("2.0");
        answer["id"] = id.clone();
        fault.spoil(method, &mut answer);
        let mut messages = vec![answer];
        self.add_noise(method, params, &mut messages);
        if !self.over_http {
            let notices = self.changes.notices(fault, is_modern);
            messages.splice(0..0, notices);
        }
        if method == "tools/call" && params["name"] == "slow" && params.get("task").is_none() {
            self.running.clone_from(&id);
            return Said::Later(messages, id);
        }
        Said::Messages(messages)
    }

    fn notified(&mut self, method: &str, params: &Value) -> Said {
        if method == "notifications/cancelled" {
            return self.cancel(&params["requestId"]);
        }
        if self.fault.is("lists-change-unannounced") && method == "notifications/initialized" {
            return Said::Messages(vec![json!(
                {"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}
            )]);
        }
        Said::Messages(Vec::new())
    }

    fn cancel(&mut self, id: &Value) -> Said {
        let is_running = !self.running.is_null() && *id == self.running;
        match self.fault.0 {
            "dies-of-cancellations" => return Said::Death,
            "dies-of-running-cancellations" if is_running => return Said::Death,
            "sulks-after-cancellations" => self.sulks = true,
            _ => {}
        }
        if !self.fault.is("cancelled-and-subscribed") {
            self.changes.unsubscribe(id);
        }
        if !self.fault.is("answers-cancelled-calls") {
            let mut cancelled = self
                .cancelled
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            cancelled.push(id.clone());
        }
        Said::Messages(Vec::new())
    }

    /// Messages that nobody asked for.
    fn add_noise(&self, method: &str, params: &Value, messages: &mut Vec<Value>) {
        let progress = |token: &Value, progress: i64| {
            json!({"jsonrpc": "2.0", "method": "notifications/progress",
                "params": {"progressToken": token, "progress": progress}})
        };
        let token = &params["_meta"]["progressToken"];
        if method == "tools/call" && params["name"] == "slow" && !token.is_null() {
            messages.insert(0, progress(token, 2));
            messages.insert(0, progress(token, 1));
        }
        if method == "tools/call" && params["name"] == "log" && self.version.is_some() {
            let levels = [(1, "info"), (4, "error")];
            let sent = |(number, _): &(usize, &str)| {
                *number >= self.level || self.fault.is("logs-at-any-level")
            };
            let logs = levels.into_iter().filter(sent).map(|(_, level)| {
                json!({"jsonrpc": "2.0", "method": "notifications/message",
                    "params": {"level": level, "data": "it was called"}})
            });
            messages.splice(0..0, logs);
        }
        match (self.fault.0, method) {
            ("asks-incapable-clients", "tools/call") if self.is_bare => {
                let id = format!("s{}", messages[0]["id"]);
                messages.insert(0, json!({"jsonrpc": "2.0", "id": id, "method": "roots/list"}));
            }
            ("progress-for-nobody", "prompts/list") => {
                messages.insert(0, progress(&json!("nobody"), 1));
            }
            ("progress-falls", "tools/call") if !token.is_null() => {
                messages.insert(0, progress(token, 1));
                messages.insert(0, progress(token, 2));
            }
            ("progress-after-answer", "tools/call") if !token.is_null() => {
                messages.push(progress(token, 1));
            }
            ("answers-twice", "prompts/list") => messages.push(messages[0].clone()),
            ("asks-too-early", "initialize") if !self.is_bare => messages.push(json!(
                {"jsonrpc": "2.0", "id": "s1", "method": "roots/list"}
            )),
            ("asks-what-it-may-not", "prompts/list") => messages.insert(0, json!(
                {"jsonrpc": "2.0", "id": "s1", "method": "elicitation/create",
                    "params": {"message": "m", "requestedSchema": {"type": "object", "properties": {}}}}
            )),
            ("logs-at-no-level", "prompts/list") => messages.insert(0, json!(
                {"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "loud", "data": 1}}
            )),
            ("progress-token-of-another-type", "tools/call") if token.is_string() => {
                messages.insert(0, progress(&json!(1), 1));
            }
            ("asks-twice-under-one-id", "prompts/get") => {
                let ping = json!({"jsonrpc": "2.0", "id": "s1", "method": "ping"});
                messages.insert(0, ping);
            }
            ("sends-what-clients-send", "prompts/get") => messages.insert(0, json!(
                {"jsonrpc": "2.0", "method": "notifications/initialized"}
            )),
            ("asks-without-id", "prompts/get") => messages.insert(0, json!(
                {"jsonrpc": "2.0", "method": "roots/list"}
            )),
            ("unknown-notice", "prompts/list") => messages.insert(0, json!(
                {"jsonrpc": "2.0", "method": "notifications/unheard-of"}
            )),
            _ => {}
        }
    }

    fn legacy(&mut self, method: &str, params: &Value) -> Value {
        let fault = self.fault;
        match method {
            "initialize" => return self.initialize(params),
            "ping" if self.version.is_none() && fault.is("no-early-ping") => {
                return error(-32600, "initialize first");
            }
            "ping" => return result(json!({})),
            _ if self.version.is_none() => return error(-32600, "initialize first"),
            _ => {}
        }
        let version = self.version.unwrap_or(LEGACY[3]);
        match method {
            "resources/subscribe" | "resources/unsubscribe"
                if fault.is("subscriptions-missing") =>
            {
                error(-32601, "method not found")
            }
            "resources/subscribe" | "resources/unsubscribe" => {
                self.changes.watch(method == "resources/subscribe", fault);
                if fault.is("subscriptions-say-more") {
                    return result(json!({"subscribed": true}));
                }
                result(json!({}))
            }
            "logging/setLevel" if fault.is("levels-missing") => error(-32601, "method not found"),
            "logging/setLevel" => {
                let level = params["level"].as_str().unwrap_or_default();
                self.level = LEVELS
                    .iter()
                    .position(|known| *known == level)
                    .unwrap_or(self.level);
                let known = params["level"].as_str().is_some_and(is_level);
                if known || fault.is("any-log-level") {
                    result(json!({}))
                } else {
                    error(-32602, "no such level")
                }
            }
            "tasks/get" | "tasks/result" | "tasks/cancel" | "tasks/list"
                if version == "2025-11-25" =>
            {
                self.task(method, params)
            }
            "tools/call" if params.get("task").is_some() && version == "2025-11-25" => {
                self.start_task()
            }
            "tools/list" => list_tools(fault, params, version, self.changes.grown),
            _ => common(fault, method, params, version),
        }
    }

    fn initialize(&mut self, params: &Value) -> Value {
        let fault = self.fault;
        if fault.is("refuses-initialize") || fault.is("refuses-initialize-bare") {
            return if fault.is("refuses-initialize") {
                error(-32601, "this server speaks 2026-07-28 only")
            } else {
                error(-32601, "method not found")
            };
        }
        let offered = params["protocolVersion"].as_str().unwrap_or_default();
        let known = LEGACY.into_iter().find(|version| *version == offered);
        self.is_bare = params["capabilities"] == json!({});
        let version = match (fault.0, known) {
            ("wrong-echo", Some("2025-06-18")) => "2025-03-26",
            ("wrong-echo", Some("2024-11-05")) => "2025-06-18",
            (_, Some(version)) => version,
            (_, None) => LEGACY[3],
        };
        self.version = Some(version);
        let mut chosen = version;
        if fault.is("agrees-to-anything") && known.is_none() {
            chosen = offered.to_owned().leak();
        }
        if fault.is("speaks-the-future") {
            chosen = "2099-01-01";
        }
        if fault.is("refuses-strange-versions") && known.is_none() {
            return error(-32603, "no such version");
        }
        result(json!({
            "protocolVersion": chosen,
            "capabilities": capabilities(fault, version),
            "serverInfo": {"name": "probe-server", "version": "1"},
        }))
    }
}

fn capabilities(fault: Fault, version: &str) -> Value {
    let mut all = json!({"tools": {"listChanged": true}, "resources": {"subscribe": true}, "prompts": {}, "logging": {}});
    if fault.is("lists-change-unannounced") {
        all["tools"] = json!({});
    }
    if version >= "2025-03-26" {
        all["completions"] = json!({});
    }
    if version == "2025-11-25" {
        all["tasks"] = json!({"list": {}, "cancel": {}, "requests": {"tools": {"call": {}}}});
    }
    hide(fault, &mut all);
    all
}

/// Takes away a capability that is served all the same, or the tools for a server that has none.
pub(crate) fn hide(fault: Fault, capabilities: &mut Value) {
    if let Some(what) = fault.0.strip_prefix("undeclared-")
        && let Some(capabilities) = capabilities.as_object_mut()
    {
        capabilities.remove(what.split('-').next().unwrap_or_default());
    }
}

/// Answers that are the same in all revisions.
pub(crate) fn common(fault: Fault, method: &str, params: &Value, version: &str) -> Value {
    if matches!(
        method,
        "resources/list" | "resources/templates/list" | "prompts/list"
    ) && params.get("cursor").is_some()
        && !fault.is("any-cursor")
    {
        return error(-32602, "no such cursor");
    }
    match method {
        "tools/call" => call(fault, params, version),
        "resources/list" => resources::list(fault),
        "resources/templates/list" => result(json!({"resourceTemplates": [
            {"uriTemplate": "test://{name}", "name": "any"}
        ]})),
        "resources/read" => resources::read(fault, params, version),
        "prompts/list" if fault.is("undeclared-prompts-empty") => result(json!({"prompts": []})),
        "prompts/list" if fault.is("undeclared-prompts-internal") => error(-32603, "none"),
        "prompts/list" => {
            let mut name = "greet".to_owned();
            if fault.is("prompts-differ") {
                name = format!("greet-{}", std::process::id());
            }
            let mut prompts =
                vec![json!({"name": name, "arguments": [{"name": "who", "required": true}]})];
            if version >= "2026-07-28" {
                prompts.push(json!({"name": "advise"}));
            }
            result(json!({"prompts": prompts}))
        }
        "prompts/get" if params["name"] == "advise" && version >= "2026-07-28" => {
            modern::advise(fault, params)
        }
        "prompts/get" => prompt(fault, params),
        "completion/complete" if version >= "2025-03-26" => complete(fault, params),
        _ if fault.is("serves-unknown-methods") => result(json!({})),
        _ if fault.is("unknown-method-is-internal") => error(-32603, "method not found"),
        _ => error(-32601, "method not found"),
    }
}

/// The tools; one more once the list has grown.
pub(crate) fn list_tools(fault: Fault, params: &Value, version: &str, grown: bool) -> Value {
    if fault.is("lies-about-tools") {
        return error(-32601, "method not found");
    }
    if let Some(cursor) = params.get("cursor")
        && cursor != "two"
        && !fault.is("any-cursor")
    {
        return error(-32602, "no such cursor");
    }
    let mut echo = json!({
        "name": "echo",
        "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]},
    });
    if version >= "2025-03-26" {
        echo["annotations"] = json!({"readOnlyHint": true});
    }
    if version >= "2025-06-18" {
        echo["outputSchema"] = json!({"type": "object", "properties": {"echoed": {"type": "string"}}, "required": ["echoed"]});
    }
    if version == "2025-11-25" {
        echo["execution"] = json!({"taskSupport": "optional"});
    }
    if fault.is("tools-differ") {
        echo["title"] = json!("Echo");
        echo["name"] = json!(format!("echo-{}", std::process::id()));
    }
    let erase = json!({"name": "erase", "inputSchema": {"type": "object"}});
    if fault.is("endless-pages") {
        return result(json!({"tools": [], "nextCursor": "two"}));
    }
    match params["cursor"].as_str() {
        Some("two") => {
            let mut tools = tools::listed(fault, version);
            tools.push(erase);
            if version >= "2026-07-28" {
                tools.extend(modern::listed());
            }
            if grown {
                tools.push(json!({"name": "grown", "inputSchema": {"type": "object"}}));
            }
            result(json!({"tools": tools}))
        }
        _ => result(json!({"tools": [echo], "nextCursor": "two"})),
    }
}

fn call(fault: Fault, params: &Value, version: &str) -> Value {
    let failed =
        |text: &str| result(json!({"content": [{"type": "text", "text": text}], "isError": true}));
    let Some(name) = params["name"].as_str() else {
        let code = if fault.is("missing-params-are-internal") {
            -32603
        } else {
            -32602
        };
        return error(code, "which tool?");
    };
    // Nobody may call it without being asked to.
    assert_ne!(name, "erase", "something was erased");
    if version >= "2026-07-28"
        && let Some(answer) = modern::call(fault, name, params)
    {
        return answer;
    }
    if name == "batch" && version == "2025-11-25" && !fault.is("tasks-run-plainly") {
        return error(-32601, "only as a task");
    }
    if let Some(answer) = tools::call(fault, name, &params["arguments"]) {
        return answer;
    }
    if !name.starts_with("echo") {
        return if fault.is("unknown-tool-in-result") {
            failed("no such tool")
        } else {
            error(-32602, "no such tool")
        };
    }
    let text = &params["arguments"]["text"];
    if !text.is_string() && !fault.is("any-arguments") {
        return if version >= "2025-11-25" && !fault.is("bad-arguments-are-errors") {
            failed("`text` is a string")
        } else {
            error(-32602, "`text` is a string")
        };
    }
    let structured = json!({"echoed": text.as_str().unwrap_or("anything")});
    let mut answer = json!({"content": [{"type": "text", "text": structured.to_string()}]});
    if version >= "2025-06-18" {
        answer["structuredContent"] = structured;
    }
    result(answer)
}

fn prompt(fault: Fault, params: &Value) -> Value {
    let said = |text: &str| {
        result(json!({"messages": [{"role": "user", "content": {"type": "text", "text": text}}]}))
    };
    let known = params["name"]
        .as_str()
        .is_some_and(|name| name.starts_with("greet"));
    if !known {
        return if fault.is("any-prompt") && params["name"].is_string() {
            said("Hello nobody")
        } else {
            error(-32602, "no such prompt")
        };
    }
    match params["arguments"]["who"].as_str() {
        Some(who) => said(&format!("Hello {who}")),
        None if fault.is("arguments-optional") => said("Hello undefined"),
        None => error(-32602, "`who` is required"),
    }
}

fn complete(fault: Fault, params: &Value) -> Value {
    let values = result(json!({"completion": {"values": ["1"]}}));
    match params["ref"]["name"].as_str() {
        Some("greet") => values,
        Some(_) if fault.is("completes-anything") || fault.is("undeclared-completions") => values,
        _ => error(-32602, "no such prompt"),
    }
}

const LEVELS: [&str; 8] = [
    "debug",
    "info",
    "notice",
    "warning",
    "error",
    "critical",
    "alert",
    "emergency",
];

pub(crate) fn is_level(level: &str) -> bool {
    LEVELS.contains(&level)
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "answers are made where they are given"
)]
pub(crate) fn result(result: Value) -> Value {
    json!({"result": result})
}

pub(crate) fn error(code: i64, message: &str) -> Value {
    json!({"jsonrpc": "2.0", "error": {"code": code, "message": message}})
}
