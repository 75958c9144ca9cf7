//! A server that reads requests, and whose answers are written byte by byte.

use std::io::{BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use super::request::{Request, Response, read};
use super::sound;
use crate::wait::until;

/// Whether a connection goes on after an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Then {
    /// It waits for the next request.
    Keep,
    /// It is closed.
    Close,
}

/// A stream that can be read and written.
pub trait Wire: Read + Write + Send {}
impl<T: Read + Write + Send> Wire for T {}

type Handler = dyn Fn(&Request, &mut dyn Wire) -> Then + Send + Sync;

/// A running server; it ends with the test.
pub struct Server {
    /// Where it listens.
    pub address: SocketAddr,
    seen: Arc<Mutex<Seen>>,
}

#[derive(Default)]
struct Seen {
    requests: Vec<Request>,
    connections: usize,
    /// Of those, the ones that are over.
    ended: usize,
}

impl Server {
    /// A server that speaks MCP without faults.
    pub fn sound() -> Self {
        Self::new(|request, wire| {
            write(wire, &sound::answer_to(request));
            if request.method == "GET" && !request.path.starts_with("/.well-known") {
                Then::Close
            } else {
                Then::Keep
            }
        })
    }

    /// A server that speaks MCP without faults, but for these answers.
    pub fn except(answer: impl Fn(&Request) -> Option<Vec<u8>> + Send + Sync + 'static) -> Self {
        Self::new(move |request, wire| {
            let sent = answer(request).unwrap_or_else(|| sound::answer_to(request));
            write(wire, &sent);
            Then::Keep
        })
    }

    /// A server that answers with a function.
    pub fn new(handler: impl Fn(&Request, &mut dyn Wire) -> Then + Send + Sync + 'static) -> Self {
        Self::over(handler, |stream| Box::new(stream))
    }

    /// A server whose connections are something more than TCP.
    ///
    /// # Panics
    ///
    /// If there is no port.
    pub fn over(
        handler: impl Fn(&Request, &mut dyn Wire) -> Then + Send + Sync + 'static,
        wrap: impl Fn(TcpStream) -> Box<dyn Wire> + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        let server = Self {
            address,
            seen: Arc::default(),
        };
        let (seen, handler): (_, Arc<Handler>) = (Arc::clone(&server.seen), Arc::new(handler));
        let wrap = Arc::new(wrap);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                lock(&seen).connections += 1;
                let (seen, handler, wrap) =
                    (Arc::clone(&seen), Arc::clone(&handler), Arc::clone(&wrap));
                let thread = thread::Builder::new().stack_size(128 << 10);
                let spawned = thread.spawn(move || {
                    converse(stream, &seen, &*handler, &*wrap);
                    lock(&seen).ended += 1;
                });
                spawned.expect("a thread");
            }
        });
        server
    }

    /// The URL of its endpoint.
    pub fn url(&self) -> String {
        format!("http://{}/mcp", self.address)
    }

    /// Waits for a request with this in its body.
    ///
    /// # Panics
    ///
    /// Never: it is waited for.
    pub fn wait_for(&self, part: &str) -> Request {
        let mut found = None;
        until(|| {
            let has = |request: &Request| request.text().contains(part);
            found = self.requests().into_iter().rfind(has);
            found.is_some()
        });
        found.expect("it was waited for")
    }

    /// All requests that came in.
    pub fn requests(&self) -> Vec<Request> {
        lock(&self.seen).requests.clone()
    }

    /// The requests that came in since the last call.
    pub fn take_requests(&self) -> Vec<Request> {
        std::mem::take(&mut lock(&self.seen).requests)
    }

    /// The number of connections that were made.
    pub fn connections(&self) -> usize {
        lock(&self.seen).connections
    }

    /// The number of connections that are over.
    pub fn ended(&self) -> usize {
        lock(&self.seen).ended
    }
}

/// Serves at a port of its own until the tests are over, each connection in a thread; returns the
/// URL of the endpoint.
///
/// # Panics
///
/// If there is no port.
pub fn serve(answer: impl Fn(&Request) -> Response + Send + Sync + 'static) -> String {
    let server = Server::new(move |request, wire| {
        // The client may be gone.
        let _ = answer(request).write(wire);
        Then::Close
    });
    server.url()
}

fn converse(
    stream: TcpStream,
    seen: &Mutex<Seen>,
    handler: &Handler,
    wrap: &dyn Fn(TcpStream) -> Box<dyn Wire>,
) {
    // Without it the test only takes longer.
    let _ = stream.set_nodelay(true);
    let mut wire = BufReader::new(wrap(stream));
    while let Ok(Some(request)) = read(&mut wire) {
        lock(seen).requests.push(request.clone());
        if handler(&request, &mut **wire.get_mut()) == Then::Close {
            break;
        }
    }
}

fn lock(seen: &Mutex<Seen>) -> MutexGuard<'_, Seen> {
    seen.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The other side may be gone: then it sees nothing of this.
fn write(wire: &mut dyn Wire, bytes: &[u8]) {
    let _ = wire.write_all(bytes);
}

/// Waits until the other side hangs up.
pub fn until_gone(wire: &mut dyn Wire) {
    let mut byte = [0];
    while matches!(wire.read(&mut byte), Ok(1)) {}
}
