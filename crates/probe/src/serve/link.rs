//! The port that clients connect to: one for the servers that they start and for their HTTP
//! requests.

use std::io::{self, BufRead, BufReader, Read};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use super::http::{self, Request};
use crate::transport::{MOST_BYTES, Unreachable};

/// Connections open at a time; a client that wants more is turned away.
const MOST_CONNECTIONS: usize = 32;

/// Messages that wait to be read: each may be long.
const MOST_UNHEARD: usize = 4;

/// How long a write may be held up by a client that does not read, and a request by one that does
/// not write.
const PATIENCE: Duration = Duration::from_secs(10);

/// A message from a client, or its end.
#[derive(Debug)]
pub(crate) enum Heard {
    /// It started a server, whose output goes here.
    Started { pipe: usize, output: TcpStream },
    /// It wrote a line, without its newline.
    Line {
        pipe: usize,
        bytes: Vec<u8>,
        unterminated: bool,
    },
    /// It closed the input of the server.
    InputClosed { pipe: usize },
    /// The server was ended while its input was still open.
    Killed { pipe: usize },
    /// It sent a request, which is answered here.
    Request {
        /// The port at which it came.
        door: usize,
        request: Request,
        stream: TcpStream,
    },
}

/// The ports, and what is heard there.
pub(crate) struct Link {
    /// The first port.
    pub(crate) address: SocketAddr,
    /// All of them.
    addresses: Vec<SocketAddr>,
    pub(crate) token: String,
    pub(crate) heard: Receiver<(Heard, Duration)>,
    over: Arc<AtomicBool>,
}

impl Link {
    /// Opens the first port and so many more.
    pub(crate) fn open(begun: Instant, more: usize) -> Result<Self, Unreachable> {
        let bind = || TcpListener::bind(("127.0.0.1", 0)).map_err(Unreachable::Listen);
        let first = bind()?;
        let address = first.local_addr().map_err(Unreachable::Listen)?;
        let (mut listeners, mut addresses) = (vec![first], vec![address]);
        for _ in 0..more {
            let listener = bind()?;
            addresses.push(listener.local_addr().map_err(Unreachable::Listen)?);
            listeners.push(listener);
        }
        let (sender, heard) = sync_channel(MOST_UNHEARD);
        let over = Arc::new(AtomicBool::new(false));
        let desk = Arc::new(Desk {
            begun,
            token: token(address),
            over: Arc::clone(&over),
            pipes: AtomicUsize::new(0),
            open: AtomicUsize::new(0),
        });
        let token = desk.token.clone();
        for (door, listener) in listeners.into_iter().enumerate() {
            let (desk, sender) = (Arc::clone(&desk), sender.clone());
            thread::spawn(move || listen(&listener, door, &desk, &sender));
        }
        Ok(Self {
            address,
            addresses,
            token,
            heard,
            over,
        })
    }

    /// The origin at each port.
    pub(crate) fn origins(&self) -> Vec<String> {
        let addresses = self.addresses.iter();
        addresses
            .map(|address| format!("http://{address}"))
            .collect()
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        // Wakes the threads that wait for connections.
        for address in &self.addresses {
            let _ = TcpStream::connect_timeout(address, Duration::from_millis(200));
        }
    }
}

/// Takes what comes at a port.
fn listen(
    listener: &TcpListener,
    door: usize,
    desk: &Arc<Desk>,
    sender: &SyncSender<(Heard, Duration)>,
) {
    for stream in listener.incoming().flatten() {
        if desk.over.load(Ordering::Relaxed) {
            return;
        }
        if desk.open.fetch_add(1, Ordering::Relaxed) >= MOST_CONNECTIONS {
            desk.open.fetch_sub(1, Ordering::Relaxed);
            continue;
        }
        let (desk, sender) = (Arc::clone(desk), sender.clone());
        thread::spawn(move || {
            // A connection that breaks off is the client's affair; the script sees that nothing
            // came.
            let _ = desk.attend(stream, door, &sender);
            desk.open.fetch_sub(1, Ordering::Relaxed);
        });
    }
}

struct Desk {
    begun: Instant,
    token: String,
    over: Arc<AtomicBool>,
    pipes: AtomicUsize,
    open: AtomicUsize,
}

impl Desk {
    fn attend(
        &self,
        stream: TcpStream,
        door: usize,
        sender: &SyncSender<(Heard, Duration)>,
    ) -> io::Result<()> {
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        let mut reader = BufReader::new(stream.try_clone()?);
        let mut first = String::new();
        reader.by_ref().take(8 << 10).read_line(&mut first)?;
        let first = first.trim_end();
        if first == self.token {
            // A client may be silent for as long as it likes.
            stream.set_read_timeout(None)?;
            let pipe = self.pipes.fetch_add(1, Ordering::Relaxed);
            let tell = |heard| sender.send((heard, self.begun.elapsed())).is_ok();
            tell(Heard::Started {
                pipe,
                output: stream,
            });
            read_pipe(&mut reader, pipe, &tell);
            return Ok(());
        }
        let request = http::read(first, &mut reader)?;
        let request = Heard::Request {
            door,
            request,
            stream,
        };
        // Nobody may be listening any more.
        let _ = sender.send((request, self.begun.elapsed()));
        Ok(())
    }
}

/// Puts the pieces that the relay sends together to lines.
fn read_pipe(reader: &mut impl Read, pipe: usize, tell: &impl Fn(Heard) -> bool) {
    let mut pending: Vec<u8> = Vec::new();
    loop {
        let mut length = [0; 4];
        if reader.read_exact(&mut length).is_err() {
            tell(Heard::Killed { pipe });
            return;
        }
        let length = u32::from_be_bytes(length);
        if length == 0 {
            if !pending.is_empty() {
                tell(Heard::Line {
                    pipe,
                    bytes: pending,
                    unterminated: true,
                });
            }
            tell(Heard::InputClosed { pipe });
            return;
        }
        let from = pending.len();
        let read = reader.take(u64::from(length)).read_to_end(&mut pending);
        if read.is_err() {
            tell(Heard::Killed { pipe });
            return;
        }
        let mut begin = 0;
        while let Some(at) = pending[begin.max(from)..]
            .iter()
            .position(|byte| *byte == b'\n')
        {
            let end = begin.max(from) + at;
            let bytes = pending[begin..end].to_vec();
            begin = end + 1;
            let line = Heard::Line {
                pipe,
                bytes,
                unterminated: false,
            };
            if !tell(line) {
                return;
            }
        }
        pending.drain(..begin);
        if pending.len() > MOST_BYTES {
            // A longer line is cut, which makes it unreadable.
            let line = Heard::Line {
                pipe,
                bytes: std::mem::take(&mut pending),
                unterminated: true,
            };
            if !tell(line) {
                return;
            }
        }
    }
}

/// Something that no other program on this machine knows.
fn token(address: SocketAddr) -> String {
    use std::hash::{BuildHasher as _, RandomState};
    let state = RandomState::new();
    format!(
        "{:016x}{:016x}",
        state.hash_one(address),
        state.hash_one(std::process::id())
    )
}
