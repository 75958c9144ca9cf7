//! One HTTP/1.1 request a connection.

use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

pub(crate) struct Http {
    pub(crate) address: String,
    pub(crate) path: String,
    pub(crate) session: Option<String>,
}

pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    reader: BufReader<TcpStream>,
}

/// An event, or what there is in its place.
pub(crate) enum Event {
    Data {
        id: Option<String>,
        retry: Option<u64>,
        data: String,
    },
    End,
    Nothing,
}

impl Http {
    pub(crate) fn new(url: &str) -> Self {
        let rest = url.strip_prefix("http://").expect("a URL");
        let (address, path) = rest.split_once('/').expect("a path");
        Self {
            address: address.to_owned(),
            path: format!("/{path}"),
            session: None,
        }
    }

    pub(crate) fn send(
        &self,
        method: &str,
        headers: &[(String, String)],
        body: &[u8],
        patience: Duration,
    ) -> Option<Answer> {
        request(&self.address, method, &self.path, headers, body, patience)
    }
}

pub(crate) fn request(
    address: &str,
    method: &str,
    path: &str,
    headers: &[(String, String)],
    body: &[u8],
    patience: Duration,
) -> Option<Answer> {
    let mut stream = TcpStream::connect(address).ok()?;
    stream.set_read_timeout(Some(patience)).ok()?;
    let mut head = format!("{method} {path} HTTP/1.1\r\nhost: {address}\r\n");
    for (name, value) in headers {
        // Writing to a string cannot fail.
        let _ = write!(head, "{name}: {value}\r\n");
    }
    let _ = write!(head, "content-length: {}\r\n\r\n", body.len());
    stream.write_all(head.as_bytes()).ok()?;
    stream.write_all(body).ok()?;
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let status = line.split(' ').nth(1)?.parse().ok()?;
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        match line.trim_end().split_once(':') {
            Some((name, value)) => {
                headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
            }
            None => break,
        }
    }
    Some(Answer {
        status,
        headers,
        reader,
    })
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }

    pub(crate) fn is_stream(&self) -> bool {
        self.header("content-type") == Some("text/event-stream")
    }

    pub(crate) fn body(mut self) -> Vec<u8> {
        let mut body = Vec::new();
        // What came is what there is.
        let _ = self.reader.read_to_end(&mut body);
        body
    }

    pub(crate) fn event(&mut self) -> Event {
        let (mut id, mut retry, mut data) = (None, None, String::new());
        let mut any = false;
        loop {
            let mut line = String::new();
            match self.reader.read_line(&mut line) {
                Ok(0) => return Event::End,
                Ok(_) => {}
                Err(_) => return Event::Nothing,
            }
            let line = line.trim_end_matches(['\r', '\n']);
            if line.is_empty() {
                if any {
                    return Event::Data { id, retry, data };
                }
                continue;
            }
            any = true;
            match line.split_once(": ") {
                Some(("id", value)) => id = Some(value.to_owned()),
                Some(("retry", value)) => retry = value.parse().ok(),
                Some(("data", value)) => data.push_str(value),
                _ => {}
            }
        }
    }
}
