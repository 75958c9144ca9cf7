//! As much of HTTP/1.1 as a server needs: one request a connection, a body or a stream of events as
//! the answer.

use std::fmt::Write as _;
use std::io::{self, BufRead, Read as _, Write as _};
use std::net::{Shutdown, TcpStream};

use crate::record::Pairs;
use crate::transport::MOST_BYTES;

/// Bytes of the head of a request.
const MOST_HEAD: u64 = 64 << 10;

/// A request as it came.
#[derive(Debug)]
pub(crate) struct Request {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) headers: Pairs,
    pub(crate) body: Vec<u8>,
}

/// Reads what follows the first line of a request.
pub(crate) fn read(first: &str, reader: &mut impl BufRead) -> io::Result<Request> {
    let bad = |why: &str| io::Error::new(io::ErrorKind::InvalidData, why);
    let mut words = first.split_ascii_whitespace();
    let (Some(method), Some(path)) = (words.next(), words.next()) else {
        return Err(bad("no request line"));
    };
    let mut headers = Pairs::new();
    let mut head = reader.by_ref().take(MOST_HEAD);
    loop {
        let mut line = Vec::new();
        head.read_until(b'\n', &mut line)?;
        if !line.ends_with(b"\n") {
            return Err(bad("the head is too long or broken off"));
        }
        let line = String::from_utf8_lossy(&line);
        let line = line.trim_end_matches(['\r', '\n']);
        if line.is_empty() {
            break;
        }
        let (name, value) = line.split_once(':').ok_or_else(|| bad("no header"))?;
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    let header = |wanted: &str| {
        let found = headers.iter().find(|(name, _)| name == wanted);
        found.map(|(_, value)| value.as_str())
    };
    let mut body = Vec::new();
    if let Some(length) = header("content-length").and_then(|length| length.parse().ok()) {
        if length > MOST_BYTES as u64 {
            return Err(bad("the body is too long"));
        }
        reader.take(length).read_to_end(&mut body)?;
    } else if header("transfer-encoding").is_some() {
        chunks(reader, &mut body)?;
    }
    Ok(Request {
        method: method.to_owned(),
        path: path.to_owned(),
        headers,
        body,
    })
}

fn chunks(reader: &mut impl BufRead, body: &mut Vec<u8>) -> io::Result<()> {
    loop {
        let mut line = String::new();
        reader.by_ref().take(1024).read_line(&mut line)?;
        let size = line.split(';').next().unwrap_or_default().trim();
        let size = u64::from_str_radix(size, 16)
            .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "no chunk"))?;
        if size == 0 {
            return Ok(());
        }
        if body.len() as u64 + size > MOST_BYTES as u64 {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "too long"));
        }
        reader.by_ref().take(size).read_to_end(body)?;
        reader.by_ref().take(2).read_line(&mut line)?;
    }
}

/// Writes the head of an answer, and its body unless it is a stream.
pub(crate) fn respond(
    mut stream: &TcpStream,
    status: u16,
    headers: &Pairs,
    body: Option<&[u8]>,
) -> io::Result<()> {
    let mut head = format!("HTTP/1.1 {status} {}\r\n", reason(status));
    // Writing to a string cannot fail.
    for (name, value) in headers {
        let _ = write!(head, "{name}: {value}\r\n");
    }
    if let Some(body) = body {
        let _ = write!(head, "content-length: {}\r\n", body.len());
    }
    head.push_str("connection: close\r\n\r\n");
    stream.write_all(head.as_bytes())?;
    if let Some(body) = body {
        stream.write_all(body)?;
        let _ = stream.shutdown(Shutdown::Write);
    }
    stream.flush()
}

/// Writes an event.
pub(crate) fn event(
    mut stream: &TcpStream,
    id: Option<&str>,
    retry: Option<u64>,
    data: &[u8],
) -> io::Result<()> {
    let mut text = Vec::new();
    if let Some(id) = id {
        text.extend_from_slice(format!("id: {id}\n").as_bytes());
    }
    if let Some(retry) = retry {
        text.extend_from_slice(format!("retry: {retry}\n").as_bytes());
    }
    text.extend_from_slice(b"data: ");
    text.extend_from_slice(data);
    text.extend_from_slice(b"\n\n");
    stream.write_all(&text)?;
    stream.flush()
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        201 => "Created",
        202 => "Accepted",
        302 => "Found",
        400 => "Bad Request",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        _ => "Status",
    }
}
