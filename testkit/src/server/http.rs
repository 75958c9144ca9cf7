//! One endpoint of HTTP/1.1, one request a connection, one at a time.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::{self, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::thread;

use serde_json::Value;

use crate::http::{Request, Response, read};
use crate::server::answers::{Cancelled, LEGACY, SLOW, Said, Server, is_in};
use crate::server::changes::{notice, wanted};
use crate::server::door::Door;
use crate::server::faults::Fault;
use crate::server::hostile::NOISE;
use crate::server::modern::VERSION;
use crate::server::streams::Streams;

pub(crate) fn serve(fault: Fault, stream: bool, wants_token: bool) {
    let address = if fault.is("open-to-all") {
        "0.0.0.0:0"
    } else {
        "127.0.0.1:0"
    };
    let listener = TcpListener::bind(address).expect("a port");
    let port = listener.local_addr().expect("an address").port();
    println!("{port}");
    let mut endpoint = Endpoint {
        fault,
        stream: stream || fault.0.starts_with("resume"),
        door: wants_token.then_some(Door { fault, port }),
        streams: Streams::default(),
        sessions: HashMap::new(),
        ended: Vec::new(),
        wants_capitals: false,
        next: 0,
        modern: Server::new(fault),
        listening: HashMap::new(),
        subscribed: Vec::new(),
        open: None,
    };
    endpoint.modern.over_http = true;
    for connection in listener.incoming().flatten() {
        // A client may go away at any time.
        let _ = endpoint.connection(&connection);
    }
}

/// A connection that stays open after its request was read.
enum Open {
    /// The answer comes after a while, unless the request is cancelled.
    Later(Value, Cancelled),
    /// The stream of a session for messages that belong to no request.
    Listening(String),
    /// The stream of a subscription, with its filter.
    Subscribed(Value, Value),
}

struct Endpoint {
    fault: Fault,
    stream: bool,
    door: Option<Door>,
    streams: Streams,
    sessions: HashMap<String, Server>,
    ended: Vec<String>,
    /// Whether the next request is refused whose mirrored headers are in lower case: one that
    /// refused every one of them would not seem to speak the revision.
    wants_capitals: bool,
    next: u64,
    /// The server of all requests without a session.
    modern: Server,
    /// The streams of sessions.
    listening: HashMap<String, TcpStream>,
    /// Subscriptions: the id of the request, the filter, the stream.
    subscribed: Vec<(Value, Value, TcpStream)>,
    /// Whether the connection of the request that was just read stays open.
    open: Option<Open>,
}

impl Endpoint {
    fn connection(&mut self, connection: &TcpStream) -> io::Result<()> {
        let mut reader = BufReader::new(connection);
        let Some(request) = read(&mut reader)? else {
            return Ok(());
        };
        let response = self.respond(&request);
        match self.open.take() {
            Some(Open::Later(id, cancelled)) => {
                let connection = connection.try_clone()?;
                thread::spawn(move || {
                    thread::sleep(SLOW);
                    if !is_in(&cancelled, &id) {
                        // The client may be gone.
                        let _ = response.write(&connection);
                    }
                });
                return Ok(());
            }
            Some(Open::Listening(session)) => {
                let stream = open(connection, &response)?;
                self.listening.insert(session, stream);
                return Ok(());
            }
            Some(Open::Subscribed(id, filter)) => {
                let stream = open(connection, &response)?;
                self.subscribed.push((id, filter, stream));
                return Ok(());
            }
            None => {}
        }
        let stateless = request.header("mcp-protocol-version") == Some(VERSION);
        if self.fault.0.starts_with("resume") && !stateless {
            let resumable = self
                .streams
                .carry(self.fault, connection, &request, &response)?;
            if resumable {
                return Ok(());
            }
        }
        let mut writer = connection;
        let floods = self.fault.is("floods-stream")
            && request
                .body
                .windows(12)
                .any(|part| part == b"\"tools/list\"");
        if floods {
            write!(
                writer,
                "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n"
            )?;
            // Until nobody listens any more.
            loop {
                write!(writer, "data: {NOISE}\n\n")?;
            }
        }
        response.write(writer)
    }

    fn respond(&mut self, request: &Request) -> Response {
        let fault = self.fault;
        if let Some(response) = self.door.as_ref().and_then(|door| door.stop(request)) {
            return response;
        }
        if fault.is("wants-a-token") {
            let mut response = Response::bare(401);
            response
                .headers
                .push(("www-authenticate", "Bearer".to_owned()));
            return response;
        }
        if request.header("origin").is_some() && !fault.is("any-origin") {
            return Response::bare(if fault.is("bad-origin-is-400") {
                400
            } else {
                403
            });
        }
        let stateless = request.header("mcp-protocol-version") == Some(VERSION);
        match request.method.as_str() {
            "POST" => {}
            "GET" if fault.is("get-elsewhere") => return Response::bare(404),
            "GET" if fault.is("get-streams") && stateless => {
                let mut response = Response::bare(200);
                response
                    .headers
                    .push(("x-accel-buffering", "no".to_owned()));
                response
                    .headers
                    .push(("content-type", "text/event-stream".to_owned()));
                return response;
            }
            "GET" if self.stream && !stateless && request.header("last-event-id").is_none() => {
                if let Some(session) = request.header("mcp-session-id") {
                    self.open = Some(Open::Listening(session.to_owned()));
                    let server = self.sessions.get(session);
                    let version = server.and_then(|server| server.version);
                    return events(&[], version == Some("2025-11-25"));
                }
                return Response::bare(400);
            }
            "DELETE" if !stateless => return self.delete(request),
            _ => {
                self.wants_capitals = fault.is("headers-by-case") && request.method == "DELETE";
                let mut response = Response::bare(405);
                response.headers.push(("allow", "POST".to_owned()));
                return response;
            }
        }
        let message: Value = serde_json::from_slice(&request.body).unwrap_or_default();
        let in_body =
            !message["params"]["_meta"].is_null() || message["method"] == "server/discover";
        if stateless || (in_body && request.header("mcp-session-id").is_none()) {
            self.stateless(request, &message)
        } else {
            self.legacy(request, &message)
        }
    }

    fn delete(&mut self, request: &Request) -> Response {
        let Some(session) = request.header("mcp-session-id") else {
            return Response::bare(400);
        };
        if !self.fault.is("sessions-never-end") {
            self.sessions.remove(session);
            self.ended.push(session.to_owned());
        }
        Response::bare(204)
    }

    fn legacy(&mut self, request: &Request, message: &Value) -> Response {
        let fault = self.fault;
        let mut opened = None;
        let session = if message["method"] == "initialize" {
            self.next += 1;
            let mut session = unguessable(self.next);
            if fault.is("session-id-with-space") {
                session.insert(8, ' ');
            }
            let mut server = Server::new(fault);
            server.over_http = true;
            self.sessions.insert(session.clone(), server);
            opened = Some(session.clone());
            session
        } else {
            match request.header("mcp-session-id") {
                Some(session) => session.to_owned(),
                None if fault.is("session-not-needed") => match self.sessions.keys().next() {
                    Some(session) => session.clone(),
                    None => return Response::bare(400),
                },
                None if fault.is("no-session-is-404") => return Response::bare(404),
                None => return Response::bare(400),
            }
        };
        match request.header("mcp-protocol-version") {
            Some(version) if !LEGACY.contains(&version) && !fault.is("any-version-header") => {
                return Response::bare(400);
            }
            None if fault.is("version-header-needed") && opened.is_none() => {
                let server = self.sessions.get(&session);
                if server
                    .and_then(|server| server.version)
                    .is_some_and(|version| version >= "2025-06-18")
                {
                    return Response::bare(400);
                }
            }
            _ => {}
        }
        let Some(server) = self.sessions.get_mut(&session) else {
            return Response::bare(404);
        };
        let (mut messages, later) = match server.hear(&request.body) {
            Said::Death => std::process::exit(9),
            Said::Messages(messages) => (messages, None),
            Said::Later(messages, id) => {
                let cancelled = Cancelled::clone(&server.cancelled);
                (messages, Some(Open::Later(id, cancelled)))
            }
        };
        self.open = later;
        let primed = server.version == Some("2025-11-25");
        let notices = server.changes.notices(fault, false);
        if let Some(stream) = self.listening.get_mut(&session) {
            for notice in &notices {
                // The client may be gone.
                let _ = write!(stream, "{}", event(notice, primed));
            }
            if fault.is("broadcasts") {
                messages.splice(0..0, notices);
            }
            if fault.is("answers-elsewhere") && message["method"] == "prompts/get" {
                for message in messages {
                    let _ = write!(stream, "{}", event(&message, primed));
                }
                return events(&[], primed);
            }
        }
        let mut response = self.answer(message, &messages, primed);
        if let Some(session) = opened {
            response.headers.push(("mcp-session-id", session));
        }
        response
    }

    fn stateless(&mut self, request: &Request, message: &Value) -> Response {
        let fault = self.fault;
        if message["id"].is_number() && !fault.is("headers-ignored") {
            let wrong = |why: &str| {
                let mut error = crate::server::answers::error(-32020, why);
                error["id"] = message["id"].clone();
                Response::json(400, &error)
            };
            let version = &message["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"];
            if let (Some(header), Some(body)) =
                (request.header("mcp-protocol-version"), version.as_str())
                && header != body
            {
                return wrong("MCP-Protocol-Version");
            }
            let is_lower = request.headers.iter().any(|(name, _)| name == "mcp-method");
            if std::mem::take(&mut self.wants_capitals) && is_lower {
                return wrong("Mcp-Method");
            }
            let method = message["method"].as_str();
            let header = request.header("mcp-method");
            if method.is_some() && header != method {
                return wrong("Mcp-Method");
            }
            let name = match method {
                Some("tools/call" | "prompts/get") => message["params"]["name"].as_str(),
                Some("resources/read") => message["params"]["uri"].as_str(),
                Some("tasks/get" | "tasks/update" | "tasks/cancel") => {
                    message["params"]["taskId"].as_str()
                }
                _ => None,
            };
            let region = &message["params"]["arguments"]["region"];
            let region = region.as_str().filter(|_| name == Some("route"));
            let plain = |header: &str, fault_name: &str| {
                if fault.is(fault_name) {
                    header.to_owned()
                } else {
                    decode(header)
                }
            };
            let fits = |value: Option<&str>, header: &str, ignored: &str, plainly: &str| {
                let found = request.header(header);
                let unneeded = found.is_none() && fault.is("absent-headers-accepted");
                let fits = found.map(|found| plain(found, plainly));
                value.is_none() || fault.is(ignored) || unneeded || fits.as_deref() == value
            };
            if !fits(name, "mcp-name", "names-ignored", "base64-not-decoded") {
                let mut response = wrong("Mcp-Name");
                if fault.is("wrong-names-are-404") {
                    response.status = 404;
                }
                return response;
            }
            if !fits(
                region,
                "mcp-param-region",
                "params-ignored",
                "params-not-decoded",
            ) {
                return wrong("Mcp-Param-Region");
            }
        }
        let said = self.modern.hear(&request.body);
        let waiting = self.modern.changes.take();
        for (id, filter, stream) in &mut self.subscribed {
            for notice in wanted(fault, &waiting, id, filter) {
                // The client may be gone.
                let _ = write!(stream, "{}", event(&notice, false));
            }
        }
        if message["method"] == "subscriptions/listen" && !fault.is("never-acknowledges") {
            let filter = message["params"]["notifications"].clone();
            self.open = Some(Open::Subscribed(message["id"].clone(), filter));
        }
        match said {
            Said::Death => std::process::exit(9),
            Said::Later(messages, id) => {
                self.open = Some(Open::Later(id, Cancelled::default()));
                self.answer(message, &messages, false)
            }
            Said::Messages(mut messages) => {
                if fault.is("changes-for-all") {
                    messages.splice(0..0, waiting.iter().map(|method| notice(method, None)));
                }
                let mut response = self.answer(message, &messages, false);
                if let [only] = &messages[..] {
                    response.status = match only["error"]["code"].as_i64() {
                        Some(-32601) if fault.is("unknown-method-is-200") => 200,
                        Some(-32601) => 404,
                        Some(-32022) if fault.is("unsupported-version-is-200") => 200,
                        Some(-32700 | -32600 | -32602 | -32021 | -32022) => 400,
                        _ => response.status,
                    };
                }
                response
            }
        }
    }

    /// Messages as a body or as a stream.
    fn answer(&self, asked: &Value, messages: &[Value], primed: bool) -> Response {
        let fault = self.fault;
        let is_request =
            asked.get("id").is_some() && asked.get("method").is_some() || asked.is_array();
        if asked["method"] == "subscriptions/listen" && messages.is_empty() {
            return events(messages, primed);
        }
        if messages.is_empty() {
            return Response::bare(if fault.is("notifications-are-200") {
                200
            } else {
                202
            });
        }
        let [only] = messages else {
            return events(messages, primed);
        };
        if asked["method"] == "subscriptions/listen" && only.get("method").is_some() {
            return events(messages, primed);
        }
        if asked.is_null()
            || (only.get("error").is_some() && asked["jsonrpc"] != "2.0" && !asked.is_array())
        {
            return Response::json(400, only);
        }
        if self.stream && is_request && only.get("result").is_some() {
            return events(messages, primed);
        }
        let mut response = Response::json(200, only);
        if fault.is("results-are-500") && asked["method"] == "prompts/get" {
            response.status = 500;
        }
        if fault.is("content-type-is-text") && asked["method"] == "prompts/list" {
            "text/plain".clone_into(&mut response.headers[0].1);
        }
        response
    }
}

/// Looks random enough.
pub(crate) fn unguessable(number: u64) -> String {
    use std::hash::{BuildHasher as _, RandomState};
    let state = RandomState::new();
    format!(
        "{:016x}{:016x}",
        state.hash_one(number),
        state.hash_one(!number)
    )
}

/// Sends the head of a stream and its first events, and keeps it open.
fn open(connection: &TcpStream, response: &Response) -> io::Result<TcpStream> {
    let mut stream = connection.try_clone()?;
    write!(stream, "HTTP/1.1 {} Status\r\n", response.status)?;
    for (name, value) in &response.headers {
        write!(stream, "{name}: {value}\r\n")?;
    }
    write!(stream, "connection: close\r\n\r\n")?;
    stream.write_all(&response.body)?;
    Ok(stream)
}

/// An event with a message; with an id where streams can be taken up again.
fn event(message: &Value, primed: bool) -> String {
    let id = if primed {
        format!("id: {}\n", unguessable(0))
    } else {
        String::new()
    };
    format!("{id}event: message\ndata: {message}\n\n")
}

/// One revision wants an event with an id first.
fn events(messages: &[Value], primed: bool) -> Response {
    let mut body = String::new();
    if primed {
        // Writing to a string cannot fail.
        let _ = write!(body, "id: {}\ndata:\n\n", unguessable(0));
    }
    for message in messages {
        let _ = write!(body, "event: message\ndata: {message}\n\n");
    }
    Response {
        status: 200,
        headers: vec![
            ("content-type", "text/event-stream".to_owned()),
            ("x-accel-buffering", "no".to_owned()),
        ],
        body: body.into_bytes(),
    }
}

/// `=?base64?...?=` as it was meant; everything else as it is.
fn decode(header: &str) -> String {
    let Some(text) = header
        .strip_prefix("=?base64?")
        .and_then(|text| text.strip_suffix("?="))
    else {
        return header.to_owned();
    };
    let mut bytes = Vec::new();
    let (mut bits, mut count) = (0_u32, 0);
    for byte in text.bytes() {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => break,
        };
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
