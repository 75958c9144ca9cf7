//! One endpoint of HTTP/1.1, one request a connection, one at a time.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::{self, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};

use serde_json::Value;

use crate::http::{Request, Response, read};
use crate::server::answers::{LEGACY, Said, Server};
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
    };
    for connection in listener.incoming().flatten() {
        // A client may go away at any time.
        let _ = endpoint.connection(&connection);
    }
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
}

impl Endpoint {
    fn connection(&mut self, connection: &TcpStream) -> io::Result<()> {
        let mut reader = BufReader::new(connection);
        let Some(request) = read(&mut reader)? else {
            return Ok(());
        };
        let response = self.respond(&request);
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
            self.sessions.insert(session.clone(), Server::new(fault));
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
        let mut response = match server.hear(&request.body) {
            Said::Death => std::process::exit(9),
            Said::Messages(messages) => {
                let primed = server.version == Some("2025-11-25");
                self.answer(message, &messages, primed)
            }
        };
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
                _ => None,
            };
            if let Some(name) = name {
                let header = request.header("mcp-name").unwrap_or_default();
                let decoded = if fault.is("base64-not-decoded") {
                    header.to_owned()
                } else {
                    decode(header)
                };
                if decoded != name {
                    return wrong("Mcp-Name");
                }
            }
        }
        match Server::new(fault).hear(&request.body) {
            Said::Death => std::process::exit(9),
            Said::Messages(messages) => {
                let mut response = self.answer(message, &messages, false);
                if let [only] = &messages[..] {
                    response.status = match only["error"]["code"].as_i64() {
                        Some(-32601) if fault.is("unknown-method-is-200") => 200,
                        Some(-32601) => 404,
                        Some(-32700 | -32600 | -32602 | -32020..=-32020 | -32021 | -32022) => 400,
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
