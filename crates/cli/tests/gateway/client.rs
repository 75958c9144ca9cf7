//! A client for tests: it writes requests and reads answers as they come.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};

use crate::server::{header, read_chunk, read_chunks};

/// A connection.
pub(crate) struct Client {
    wire: BufReader<TcpStream>,
}

/// An answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Answer {
    /// `200 OK`
    pub(crate) status: String,
    /// As they were written, without those between neighbours.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        header(&self.headers, name)
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

impl Client {
    pub(crate) fn new(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_nodelay(true).unwrap();
        Self {
            wire: BufReader::new(stream),
        }
    }

    /// Posts a message, as the specification wants it.
    pub(crate) fn post(&mut self, headers: &str, body: impl AsRef<[u8]>) -> Answer {
        self.send("POST", "/mcp", &format!("{POST}{headers}"), body);
        self.answer()
    }

    pub(crate) fn ask(&mut self, method: &str, path: &str, headers: &str) -> Answer {
        self.send(method, path, headers, "");
        self.answer()
    }

    pub(crate) fn send(&mut self, method: &str, path: &str, headers: &str, body: impl AsRef<[u8]>) {
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
        let mut text =
            format!("{method} {path} HTTP/1.1\r\n{host}{headers}{length}\r\n").into_bytes();
        text.extend_from_slice(body);
        self.raw(&text);
    }

    pub(crate) fn raw(&mut self, bytes: &[u8]) {
        self.wire.get_mut().write_all(bytes).unwrap();
    }

    /// Reads the head of an answer; its body is still to come.
    pub(crate) fn head(&mut self) -> Answer {
        let mut line = String::new();
        self.wire.read_line(&mut line).unwrap();
        let status = line
            .trim_end()
            .strip_prefix("HTTP/1.1 ")
            .unwrap_or_else(|| panic!("an answer: {line:?}"));
        let mut answer = Answer {
            status: status.to_owned(),
            headers: Vec::new(),
            body: Vec::new(),
        };
        loop {
            let mut line = String::new();
            self.wire.read_line(&mut line).unwrap();
            if line.trim_end().is_empty() {
                return answer;
            }
            let (name, value) = line.trim_end().split_once(": ").unwrap();
            answer.headers.push((name.to_owned(), value.to_owned()));
        }
    }

    /// Reads a whole answer.
    pub(crate) fn answer(&mut self) -> Answer {
        let mut answer = self.head();
        if answer.header("transfer-encoding").is_some() {
            answer.body = read_chunks(&mut self.wire).expect("a whole body");
        } else if let Some(length) = answer.header("content-length") {
            answer.body = vec![0; length.parse().unwrap()];
            self.wire.read_exact(&mut answer.body).unwrap();
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
    pub(crate) fn piece(&mut self) -> Option<String> {
        let piece = read_chunk(&mut self.wire)?;
        Some(String::from_utf8(piece).unwrap())
    }
}

/// The headers of a POST.
pub(crate) const POST: &str =
    "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n";

/// Reads until nothing more comes.
pub(crate) fn until_end(client: &mut Client) {
    let mut rest = Vec::new();
    let _ = client.wire.read_to_end(&mut rest);
}
