//! Requests and responses, read from and written to blocking streams.

use std::io::{self, BufRead, Write};

use serde_json::Value;

/// A request.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// `POST` and the like.
    pub method: String,
    /// The path with its query.
    pub path: String,
    /// The headers, with their names as they were sent.
    pub headers: Vec<(String, String)>,
    /// The body, decoded if it came in chunks.
    pub body: Vec<u8>,
}

impl Request {
    /// The value of a header, in whatever case its name is.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        header(&self.headers, name)
    }

    /// The body as a text.
    #[must_use]
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The body as JSON; null if it is none.
    #[must_use]
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }
}

/// A response.
pub struct Response {
    /// The status code.
    pub status: u16,
    /// The headers, but for the length of the body.
    pub headers: Vec<(&'static str, String)>,
    /// The body.
    pub body: Vec<u8>,
}

impl Response {
    /// A response without a body.
    #[must_use]
    pub fn bare(status: u16) -> Self {
        Self {
            status,
            headers: Vec::new(),
            body: Vec::new(),
        }
    }

    /// A response with a body of a type.
    #[must_use]
    pub fn text(status: u16, content_type: &str, body: impl Into<Vec<u8>>) -> Self {
        Self {
            status,
            headers: vec![("content-type", content_type.to_owned())],
            body: body.into(),
        }
    }

    /// A response whose body is JSON.
    #[must_use]
    pub fn json(status: u16, body: &Value) -> Self {
        Self::text(status, "application/json", body.to_string())
    }

    /// Writes it to a connection that is closed afterwards.
    pub fn write(&self, mut writer: impl Write) -> io::Result<()> {
        write!(writer, "HTTP/1.1 {} Status\r\n", self.status)?;
        for (name, value) in &self.headers {
            write!(writer, "{name}: {value}\r\n")?;
        }
        let length = self.body.len();
        write!(
            writer,
            "content-length: {length}\r\nconnection: close\r\n\r\n"
        )?;
        writer.write_all(&self.body)?;
        writer.flush()
    }
}

/// The first header of a name, in whatever case it is written.
#[must_use]
pub fn header<'h>(headers: &'h [(String, String)], name: &str) -> Option<&'h str> {
    let named = |(key, _): &&(String, String)| key.eq_ignore_ascii_case(name);
    headers.iter().find(named).map(|(_, value)| value.as_str())
}

/// Reads a request; nothing if the connection ends before it.
pub fn read(reader: &mut impl BufRead) -> io::Result<Option<Request>> {
    let mut line = String::new();
    if reader.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    let mut words = line.split_whitespace().map(str::to_owned);
    let mut request = Request {
        method: words.next().unwrap_or_default(),
        path: words.next().unwrap_or_default(),
        ..Request::default()
    };
    request.headers = read_headers(reader)?;
    let length = request.header("content-length");
    if let Some(length) = length.and_then(|text| text.parse().ok()) {
        request.body = vec![0; length];
        reader.read_exact(&mut request.body)?;
    } else if request.header("transfer-encoding").is_some() {
        request.body = read_chunks(reader)?;
    }
    Ok(Some(request))
}

/// Reads headers up to the empty line after them.
pub(crate) fn read_headers(reader: &mut impl BufRead) -> io::Result<Vec<(String, String)>> {
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        if line.trim_end().is_empty() && line.ends_with('\n') {
            return Ok(headers);
        }
        let Some((name, value)) = line.trim_end().split_once(':') else {
            return Err(io::ErrorKind::UnexpectedEof.into());
        };
        headers.push((name.to_owned(), value.trim().to_owned()));
    }
}

/// Reads a chunked body to its end.
pub(crate) fn read_chunks(reader: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let chunk = read_chunk(reader)?;
        if chunk.is_empty() {
            return Ok(body);
        }
        body.extend_from_slice(&chunk);
    }
}

/// Reads the next chunk; the last is empty.
pub(crate) fn read_chunk(reader: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut size = String::new();
    reader.read_line(&mut size)?;
    let size = usize::from_str_radix(size.trim(), 16);
    let size = size.map_err(|_| io::ErrorKind::UnexpectedEof)?;
    let mut chunk = vec![0; size + 2];
    reader.read_exact(&mut chunk)?;
    chunk.truncate(size);
    Ok(chunk)
}
