//! A connection to a server under test.

mod builder;

use std::time::Duration;

use mcp_assay::model::Fact;
use mcp_assay::{Direction, Level, Revision};
use mcp_assay_probe::{Answer, Farewell, Link, Record, Reply, Target, client_info};
use serde_json::{Value, json};

pub use self::builder::Builder;
use crate::handlers::Handlers;
use crate::{Error, Handshake, RpcError, Timing, Violation};

/// How long a server that nobody closed may take to end.
const LAST_PATIENCE: Duration = Duration::from_secs(1);

/// How long a server that closed its output may take until it is known how it ended.
const DYING: Duration = Duration::from_millis(300);

/// Whether a violation fails the call that meets it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    Strict,
    Lenient,
}

/// The violations that fail a test.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Strictness {
    pub(crate) mode: Mode,
    /// The lowest level that fails.
    pub(crate) level: Level,
}

/// A connection to a server under test. The server ends with it.
///
/// ```no_run
/// use mcp_assay_harness::{Error, Harness};
///
/// # fn a_test() -> Result<(), Error> {
/// let mut server = Harness::spawn(["python3", "server.py"])?;
/// let handshake = server.initialize()?;
/// assert_eq!(handshake.server_info.name, "weather");
/// assert!(server.list_tools()?.iter().any(|tool| tool.name == "forecast"));
/// server.close()?;
/// # Ok(())
/// # }
/// ```
pub struct Harness {
    pub(crate) link: Link,
    pub(crate) strictness: Strictness,
    /// The revision that the test asked for.
    chosen: Option<Revision>,
    timeout: Duration,
    pub(crate) handlers: Handlers,
    capabilities: Option<Value>,
    /// Findings of the connection that were reported.
    told: usize,
    timings: Vec<Timing>,
    /// Whether the server offers tools, as far as is known.
    has_tools: bool,
    /// The number of records when the tools were listed last.
    tools_listed: Option<usize>,
    /// Whether there was a handshake, or the revision has none.
    is_ready: bool,
    is_over: bool,
}

impl Harness {
    /// A server that is started with a command and talked to over its pipes.
    pub fn command<T: Into<String>>(command: impl IntoIterator<Item = T>) -> Builder {
        let words = command.into_iter().map(Into::into).collect();
        Builder::new(Target::Command(words))
    }

    /// A server at an endpoint of Streamable HTTP.
    pub fn url(url: impl Into<String>) -> Builder {
        Builder::new(Target::Url {
            url: url.into(),
            headers: Vec::new(),
        })
    }

    /// Starts a server, with everything as usual.
    pub fn spawn<T: Into<String>>(command: impl IntoIterator<Item = T>) -> Result<Self, Error> {
        Self::command(command).start()
    }

    /// Talks to a server over HTTP, with everything as usual.
    pub fn connect(url: impl Into<String>) -> Result<Self, Error> {
        Self::url(url).start()
    }

    pub(crate) fn new(
        link: Link,
        strictness: Strictness,
        chosen: Option<Revision>,
        timeout: Duration,
        handlers: Handlers,
        capabilities: Option<Value>,
    ) -> Self {
        let mut harness = Self {
            link,
            strictness,
            chosen,
            timeout,
            handlers,
            capabilities,
            told: 0,
            timings: Vec::new(),
            has_tools: true,
            tools_listed: None,
            is_ready: false,
            is_over: false,
        };
        let stateless = chosen.filter(|revision| revision.has(Fact::Stateless));
        if let Some(revision) = stateless {
            harness.link.speak(revision);
            harness.is_ready = true;
        }
        harness.declare();
        harness
    }

    /// Opens the session. In a revision without a handshake it asks for what the server can do
    /// instead, and need not be called.
    pub fn initialize(&mut self) -> Result<Handshake, Error> {
        let offered = self.offered();
        if offered.has(Fact::Stateless) {
            return self.discover(offered);
        }
        let params = json!({
            "protocolVersion": offered.name(),
            "capabilities": self.declared(offered),
            "clientInfo": client_info(),
        });
        let result = self.ask("initialize", params)?;
        let handshake = Handshake::of_initialize(&result);
        self.has_tools = result["capabilities"]["tools"].is_object();
        let Ok(revision) = handshake.protocol_version.parse::<Revision>() else {
            return Err(Error::Unmet(format!(
                "the server chose version `{}`, which is not known",
                handshake.protocol_version
            )));
        };
        if let Some(chosen) = self.chosen.filter(|chosen| *chosen != revision) {
            return Err(Error::Unmet(format!(
                "version {chosen} was offered, the server chose {revision}"
            )));
        }
        self.link.speak(revision);
        self.is_ready = true;
        self.notify("notifications/initialized", Value::Null)?;
        Ok(handshake)
    }

    fn discover(&mut self, revision: Revision) -> Result<Handshake, Error> {
        let result = self.ask("server/discover", json!({}))?;
        let handshake = Handshake::of_discovery(&result, revision);
        self.has_tools = result["capabilities"]["tools"].is_object();
        let is_spoken = result["supportedVersions"]
            .as_array()
            .is_some_and(|versions| versions.iter().any(|version| *version == revision.name()));
        if !is_spoken {
            return Err(Error::Unmet(format!(
                "the server does not name {revision} among its versions"
            )));
        }
        Ok(handshake)
    }

    /// Sends a request and gives its result. Whatever the method and the params are, they are sent.
    pub fn request(&mut self, method: &str, params: Value) -> Result<Value, Error> {
        self.ask(method, params)
    }

    /// Sends a notification.
    pub fn notify(&mut self, method: &str, params: Value) -> Result<(), Error> {
        self.link.notify(method, params);
        self.listen(Duration::ZERO)
    }

    /// Listens to what the server says by itself, for so long.
    pub fn listen(&mut self, patience: Duration) -> Result<(), Error> {
        let (from, Strictness { mode, level }) = (self.told, self.strictness);
        self.link.listen(patience, |broken| {
            let mut new = broken[from..].iter();
            mode == Mode::Strict && new.any(|broken| broken.level >= level)
        });
        self.check()
    }

    /// Answers requests of the server from now on, as [`Builder::on_request`] does. What a
    /// handshake has declared stays.
    pub fn on_request(
        &mut self,
        method: &str,
        handler: impl FnMut(&Value) -> Result<Value, RpcError> + Send + 'static,
    ) {
        self.handlers.set(method, Box::new(handler));
        self.declare();
    }

    /// Ends the connection and the server: its standard input is closed, or the session of HTTP
    /// deleted. What it still says is judged. A process that goes on after the timeout is killed,
    /// which strict mode calls a failure.
    pub fn close(&mut self) -> Result<Farewell, Error> {
        let was_over = std::mem::replace(&mut self.is_over, true);
        let farewell = self.link.hang_up(self.timeout);
        self.check()?;
        if farewell.ended_by_itself || was_over || self.strictness.mode == Mode::Lenient {
            Ok(farewell)
        } else {
            Err(Error::StillRunning(self.timeout))
        }
    }

    /// Everything that passed so far, in order.
    pub fn records(&self) -> &[Record] {
        self.link.records()
    }

    /// Everything that passed so far as a capture, which `mcp-assay check` reads.
    pub fn capture(&self) -> String {
        let mut text = String::new();
        for record in self.records() {
            text.push_str(&record.to_capture());
            text.push('\n');
        }
        text
    }

    /// The notifications of a method that the server sent so far.
    pub fn notifications(&self, method: &str) -> Vec<Value> {
        self.records()
            .iter()
            .filter(|record| record.direction() == Direction::ServerToClient)
            .filter_map(Record::message)
            .filter(|message| message["method"] == method && message.get("id").is_none())
            .collect()
    }

    /// Every rule that the server was seen to break so far, notes included.
    pub fn violations(&self) -> Vec<Violation> {
        self.tell(0, Level::Note)
    }

    /// How long each exchange took.
    pub fn timings(&self) -> &[Timing] {
        &self.timings
    }

    /// Whether it was closed.
    pub fn is_closed(&self) -> bool {
        self.is_over
    }

    /// The revision that is spoken; `None` before the handshake.
    pub fn revision(&self) -> Option<Revision> {
        self.link.revision()
    }

    /// The last of what the server said on standard error.
    pub fn stderr(&self) -> String {
        self.link.stderr()
    }

    /// The calls that need a handshake go through here.
    pub(crate) fn ask_ready(&mut self, method: &str, params: Value) -> Result<Value, Error> {
        if !self.is_ready {
            return Err(Error::NoHandshake(method.to_owned()));
        }
        self.ask(method, params)
    }

    pub(crate) fn ask(&mut self, method: &str, params: Value) -> Result<Value, Error> {
        if self.is_over {
            return Err(Error::Gone {
                method: method.to_owned(),
                how: "the connection was closed".to_owned(),
                stderr: String::new(),
            });
        }
        let answer = self.link.request(method, params);
        let timing = Timing::of(method, &answer, self.link.records());
        self.timings.push(timing);
        if let Reply::Status(status @ (401 | 403)) = answer.reply {
            // Whatever is wrong with the refusal, this is what there is to do.
            let method = method.to_owned();
            return Err(Error::Status { method, status });
        }
        self.check()?;
        self.result(method, answer)
    }

    /// Lists the tools before a call, unless they were listed since they changed last: without the
    /// list no rule could compare arguments and results with the schemas of the tool.
    pub(crate) fn know_tools(&mut self) -> Result<(), Error> {
        if !self.is_ready || !self.has_tools || !self.tools_are_stale() {
            return Ok(());
        }
        match self.list_tools() {
            // A server that refuses to list its tools may still be called.
            Ok(_) | Err(Error::Refused { .. }) => {
                self.tools_listed = Some(self.records().len());
                Ok(())
            }
            Err(error) => Err(error),
        }
    }

    pub(crate) fn note_listing(&mut self) {
        self.tools_listed = Some(self.records().len());
    }

    fn tools_are_stale(&self) -> bool {
        let Some(listed) = self.tools_listed else {
            return true;
        };
        let since = self.records().get(listed..).unwrap_or_default().iter();
        let mut messages = since
            .filter(|record| record.direction() == Direction::ServerToClient)
            .filter_map(Record::message);
        messages.any(|message| message["method"] == "notifications/tools/list_changed")
    }

    fn result(&mut self, method: &str, answer: Answer) -> Result<Value, Error> {
        let method = method.to_owned();
        Err(match answer.reply {
            Reply::Result(result) => return Ok(result),
            Reply::Error(code, error) => Error::Refused {
                method,
                error: RpcError::read(code, &error),
            },
            Reply::Status(status) => Error::Status { method, status },
            Reply::Closed => {
                let how = self.how_it_ended();
                Error::Gone {
                    method,
                    how,
                    stderr: self.stderr(),
                }
            }
            Reply::Silence => Error::NoAnswer {
                method,
                after: self.timeout,
                stderr: self.stderr(),
            },
        })
    }

    fn how_it_ended(&mut self) -> String {
        if self.link.is_cut_off() {
            return "the server sent more than is kept of one connection".to_owned();
        }
        if self.link.is_http() {
            return "nobody answers at the URL".to_owned();
        }
        match self.link.last_words(DYING) {
            Some(status) => format!("the server ended ({status})"),
            None => "the server closed its standard output".to_owned(),
        }
    }

    /// In strict mode, fails with what was not told yet.
    fn check(&mut self) -> Result<(), Error> {
        let found = self.tell(self.told, self.strictness.level);
        self.told = self.link.broken().len();
        if found.is_empty() || self.strictness.mode == Mode::Lenient {
            Ok(())
        } else {
            Err(Error::Violations(found))
        }
    }

    /// The findings of a level or graver.
    pub(crate) fn tell(&self, from: usize, level: Level) -> Vec<Violation> {
        self.link.broken()[from..]
            .iter()
            .filter(|broken| broken.level >= level)
            .map(|broken| Violation::new(broken, self.link.records()))
            .collect()
    }

    /// The revision that is asked for.
    fn offered(&self) -> Revision {
        self.chosen
            .or_else(|| Revision::latest_with(Fact::Handshake))
            .unwrap_or_else(Revision::latest)
    }

    fn declared(&self, revision: Revision) -> Value {
        match &self.capabilities {
            // Null is no capabilities object.
            Some(capabilities) if !capabilities.is_null() => capabilities.clone(),
            _ => self.handlers.capabilities(revision),
        }
    }

    /// The members that every request has where there is no handshake.
    fn declare(&mut self) {
        self.link.declare(self.declared(self.offered()));
    }
}

/// A server may still write what it has to: only then it is killed.
impl Drop for Harness {
    fn drop(&mut self) {
        if !self.is_over {
            self.link.hang_up(LAST_PATIENCE.min(self.timeout));
        }
    }
}
