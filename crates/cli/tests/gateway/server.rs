//! A server for tests: it reads requests, and what it answers is written byte by byte.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use crate::messages;

/// A request that came in.
#[derive(Clone, Debug, Default)]
pub(crate) struct Request {
    pub(crate) method: String,
    pub(crate) path: String,
    /// As they were written.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Request {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        header(&self.headers, name)
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

/// The first header of a name.
pub(crate) fn header<'h>(headers: &'h [(String, String)], name: &str) -> Option<&'h str> {
    let named = |(key, _): &&(String, String)| key.eq_ignore_ascii_case(name);
    headers.iter().find(named).map(|(_, value)| value.as_str())
}

/// Whether a connection goes on after an answer.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Then {
    Keep,
    Close,
}

/// A stream that can be read and written.
pub(crate) trait Wire: Read + Write + Send {}
impl<T: Read + Write + Send> Wire for T {}

type Handler = dyn Fn(&Request, &mut dyn Wire) -> Then + Send + Sync;

/// A running server; it ends with the test.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    /// All requests that came in.
    pub(crate) seen: Arc<Mutex<Vec<Request>>>,
}

impl Server {
    /// A server that speaks MCP without faults.
    pub(crate) fn sound() -> Self {
        Self::new(|request, wire| {
            wire.write_all(&messages::sound_answer(request)).unwrap();
            if request.method == "GET" && !request.path.starts_with("/.well-known") {
                Then::Close
            } else {
                Then::Keep
            }
        })
    }

    /// A server that speaks MCP without faults, but for these answers.
    pub(crate) fn except(
        answer: impl Fn(&Request) -> Option<Vec<u8>> + Send + Sync + 'static,
    ) -> Self {
        Self::new(move |request, wire| {
            let sent = answer(request).unwrap_or_else(|| messages::sound_answer(request));
            wire.write_all(&sent).unwrap();
            Then::Keep
        })
    }

    pub(crate) fn new(
        handler: impl Fn(&Request, &mut dyn Wire) -> Then + Send + Sync + 'static,
    ) -> Self {
        Self::over(handler, |stream| Box::new(stream))
    }

    /// A server whose connections are something more than TCP.
    pub(crate) fn over(
        handler: impl Fn(&Request, &mut dyn Wire) -> Then + Send + Sync + 'static,
        wrap: impl Fn(TcpStream) -> Box<dyn Wire> + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let seen = Arc::new(Mutex::new(Vec::new()));
        let (log, handler): (_, Arc<Handler>) = (Arc::clone(&seen), Arc::new(handler));
        let wrap = Arc::new(wrap);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (log, handler, wrap) =
                    (Arc::clone(&log), Arc::clone(&handler), Arc::clone(&wrap));
                let thread = std::thread::Builder::new().stack_size(128 << 10);
                let spawned = thread.spawn(move || {
                    stream.set_nodelay(true).unwrap();
                    let mut wire = BufReader::new(wrap(stream));
                    while let Some(request) = read_request(&mut wire) {
                        log.lock().unwrap().push(request.clone());
                        if handler(&request, &mut **wire.get_mut()) == Then::Close {
                            break;
                        }
                    }
                });
                spawned.unwrap();
            }
        });
        Self { address, seen }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}/mcp", self.address)
    }

    /// Waits for a request with this in its body.
    pub(crate) fn wait_for(&self, part: &str) -> Request {
        let mut found = None;
        until(|| {
            let has = |request: &Request| request.text().contains(part);
            found = self.requests().into_iter().rfind(has);
            found.is_some()
        });
        found.expect("it was waited for")
    }

    pub(crate) fn requests(&self) -> Vec<Request> {
        self.seen.lock().unwrap().clone()
    }
}

/// Waits until the other side hangs up.
pub(crate) fn until_gone(wire: &mut dyn Wire) {
    let mut byte = [0];
    while matches!(wire.read(&mut byte), Ok(1)) {}
}

/// The answer to a request, with its length.
pub(crate) fn answer(status: &str, headers: &str, body: &[u8]) -> Vec<u8> {
    let mut answer = format!(
        "HTTP/1.1 {status}\r\n{headers}Content-Length: {}\r\n\r\n",
        body.len()
    )
    .into_bytes();
    answer.extend_from_slice(body);
    answer
}

/// A piece of a chunked body.
pub(crate) fn chunk(text: &str) -> Vec<u8> {
    format!("{:x}\r\n{text}\r\n", text.len()).into_bytes()
}

/// The head of a stream of events.
pub(crate) const STREAM: &[u8] =
    b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-cache\r\nTransfer-Encoding: chunked\r\n\r\n";

/// Waits until something holds.
pub(crate) fn until(mut holds: impl FnMut() -> bool) {
    while !holds() {
        std::thread::sleep(POLL);
    }
}

/// How often a condition is tried that nothing announces.
const POLL: Duration = Duration::from_millis(5);

/// A gate between a server and its test: it opens once, for all who wait.
#[derive(Clone, Default)]
pub(crate) struct Gate(Arc<(Mutex<bool>, Condvar)>);

impl Gate {
    pub(crate) fn open(&self) {
        *self.0.0.lock().unwrap() = true;
        self.0.1.notify_all();
    }

    pub(crate) fn wait(&self) {
        let is_open = self.0.0.lock().unwrap();
        drop(self.0.1.wait_while(is_open, |is_open| !*is_open).unwrap());
    }
}

fn read_request(wire: &mut impl BufRead) -> Option<Request> {
    let mut line = String::new();
    wire.read_line(&mut line).ok().filter(|count| *count > 0)?;
    let mut words = line.split_whitespace();
    let mut request = Request {
        method: words.next()?.to_owned(),
        path: words.next()?.to_owned(),
        ..Request::default()
    };
    loop {
        let mut line = String::new();
        wire.read_line(&mut line).ok().filter(|count| *count > 0)?;
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        let (name, value) = line.split_once(':')?;
        request
            .headers
            .push((name.to_owned(), value.trim().to_owned()));
    }
    let length = request
        .header("content-length")
        .and_then(|text| text.parse().ok());
    if let Some(length) = length {
        request.body = vec![0; length];
        wire.read_exact(&mut request.body).ok()?;
    } else if request.header("transfer-encoding").is_some() {
        request.body = read_chunks(wire)?;
    }
    Some(request)
}

pub(crate) fn read_chunks(wire: &mut impl BufRead) -> Option<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let piece = read_chunk(wire)?;
        if piece.is_empty() {
            return Some(body);
        }
        body.extend_from_slice(&piece);
    }
}

/// The next chunk; the last is empty.
pub(crate) fn read_chunk(wire: &mut impl BufRead) -> Option<Vec<u8>> {
    let mut size = String::new();
    wire.read_line(&mut size).ok().filter(|count| *count > 0)?;
    let mut piece = vec![0; usize::from_str_radix(size.trim(), 16).ok()? + 2];
    wire.read_exact(&mut piece).ok()?;
    piece.truncate(piece.len() - 2);
    Some(piece)
}
