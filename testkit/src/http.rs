//! HTTP/1.1 in a few lines: one request a connection.

use std::collections::HashMap;
use std::io::{self, BufRead, BufReader, Read as _, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;

use serde_json::Value;

/// A request.
pub struct Request {
    /// `POST` and the like.
    pub method: String,
    /// The path with its query.
    pub path: String,
    headers: HashMap<String, String>,
    /// The names of the headers as they were sent.
    pub names: Vec<String>,
    /// The body, decoded if it came in chunks.
    pub body: Vec<u8>,
}

impl Request {
    /// The value of a header, whose name is given in lower case.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(String::as_str)
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

/// Serves at a port of its own until the tests are over, each connection in a thread; returns the
/// URL of the endpoint.
///
/// # Panics
///
/// If there is no port.
pub fn serve(answer: impl Fn(&Request) -> Response + Send + Sync + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    let answer = Arc::new(answer);
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let answer = Arc::clone(&answer);
            thread::spawn(move || converse(&stream, &*answer));
        }
    });
    format!("http://{address}/mcp")
}

fn converse(stream: &TcpStream, answer: &dyn Fn(&Request) -> Response) -> io::Result<()> {
    match read(&mut BufReader::new(stream))? {
        Some(request) => answer(&request).write(stream),
        None => Ok(()),
    }
}

/// Reads a request; nothing if the connection ends before it.
pub fn read(reader: &mut impl BufRead) -> io::Result<Option<Request>> {
    let mut line = String::new();
    if reader.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    let mut words = line.split(' ').map(str::to_owned);
    let method = words.next().unwrap_or_default();
    let path = words.next().unwrap_or_default();
    let (mut headers, mut names) = (HashMap::new(), Vec::new());
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let Some((name, value)) = line.trim_end().split_once(':') else {
            break;
        };
        headers.insert(name.to_ascii_lowercase(), value.trim().to_owned());
        names.push(name.to_owned());
    }
    let mut body = Vec::new();
    if let Some(length) = headers
        .get("content-length")
        .and_then(|text| text.parse().ok())
    {
        reader.take(length).read_to_end(&mut body)?;
    } else if headers.contains_key("transfer-encoding") {
        loop {
            let mut size = String::new();
            reader.read_line(&mut size)?;
            let Ok(size @ 1..) = u64::from_str_radix(size.trim(), 16) else {
                break;
            };
            reader.take(size).read_to_end(&mut body)?;
            reader.read_line(&mut String::new())?;
        }
    }
    Ok(Some(Request {
        method,
        path,
        headers,
        names,
        body,
    }))
}
