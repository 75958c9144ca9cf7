//! A client that writes requests byte by byte and reads answers as they come.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};

use super::request::{header, read_chunk, read_chunks, read_headers};

/// A connection. Its methods panic if the other side breaks off where it must not.
pub struct Client {
    wire: BufReader<TcpStream>,
}

/// An answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// `200 OK`
    pub status: String,
    /// The headers as they were written, without those between neighbours.
    pub headers: Vec<(String, String)>,
    /// The body, decoded if it came in chunks.
    pub body: Vec<u8>,
}

impl Answer {
    /// The value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        header(&self.headers, name)
    }

    /// The body as a text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

#[expect(clippy::missing_panics_doc, reason = "the type says it")]
impl Client {
    /// Connects.
    pub fn new(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).expect("a connection");
        stream.set_nodelay(true).expect("a connection");
        Self {
            wire: BufReader::new(stream),
        }
    }

    /// Posts a message, as the specification wants it.
    pub fn post(&mut self, headers: &str, body: impl AsRef<[u8]>) -> Answer {
        self.send("POST", "/mcp", &format!("{POST}{headers}"), body);
        self.answer()
    }

    /// Makes a request without a body.
    pub fn ask(&mut self, method: &str, path: &str, headers: &str) -> Answer {
        self.send(method, path, headers, "");
        self.answer()
    }

    /// Writes a request.
    pub fn send(&mut self, method: &str, path: &str, headers: &str, body: impl AsRef<[u8]>) {
        let body = body.as_ref();
        let host = if headers.to_ascii_lowercase().contains("host:") {
            ""
        } else {
            "Host: localhost\r\n"
        };
        let length = if body.is_empty() {
            String::new()
        } else {
            format!("Content-Length: {}\r\n", body.len())
        };
        let head = format!("{method} {path} HTTP/1.1\r\n{host}{headers}{length}\r\n");
        self.raw(&[head.as_bytes(), body].concat());
    }

    /// Writes bytes as they are.
    pub fn raw(&mut self, bytes: &[u8]) {
        self.wire.get_mut().write_all(bytes).expect("a reader");
    }

    /// Reads the head of an answer; its body is still to come.
    pub fn head(&mut self) -> Answer {
        let mut line = String::new();
        self.wire.read_line(&mut line).expect("a line");
        let status = line
            .trim_end()
            .strip_prefix("HTTP/1.1 ")
            .unwrap_or_else(|| panic!("an answer: {line:?}"));
        Answer {
            status: status.to_owned(),
            headers: read_headers(&mut self.wire).expect("a head"),
            body: Vec::new(),
        }
    }

    /// Reads a whole answer.
    pub fn answer(&mut self) -> Answer {
        let mut answer = self.head();
        if answer.header("transfer-encoding").is_some() {
            answer.body = read_chunks(&mut self.wire).expect("a whole body");
        } else if let Some(length) = answer.header("content-length") {
            answer.body = vec![0; length.parse().expect("a length")];
            self.wire
                .read_exact(&mut answer.body)
                .expect("a whole body");
        }
        answer.headers.retain(|(name, _)| {
            let name = name.to_ascii_lowercase();
            !matches!(
                name.as_str(),
                "connection" | "transfer-encoding" | "keep-alive"
            )
        });
        answer
    }

    /// The next piece of a streamed body; `None` if it broke off, empty at its end.
    pub fn piece(&mut self) -> Option<String> {
        let piece = read_chunk(&mut self.wire).ok()?;
        Some(String::from_utf8(piece).expect("a text"))
    }

    /// Reads until nothing more comes.
    pub fn until_end(&mut self) {
        // However it ends.
        let _ = self.wire.read_to_end(&mut Vec::new());
    }
}

/// The headers of a POST.
pub const POST: &str =
    "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n";
