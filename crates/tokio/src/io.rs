//! The two halves of a connection, as a program reads and writes them.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};

use pin_project_lite::pin_project;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf, Stdin};

use crate::options::Options;
use crate::wakers::Half;
use crate::wire::Wire;

/// Bytes that are read at once, in `enforce`.
const CHUNK: usize = 16 << 10;

/// Stands between a program and a pair of streams: what is read and written is judged, line by
/// line.
///
/// ```
/// # let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
/// # runtime.block_on(async {
/// use mcp_assay_live::guard::Mode;
/// use mcp_assay_tokio::{Options, assay_io};
/// use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
///
/// let (client, server) = tokio::io::duplex(4096);
/// let (read, write) = tokio::io::split(server);
/// let (read, _write) = assay_io(read, write, Options::server().mode(Mode::Enforce));
///
/// let (answers, mut requests) = tokio::io::split(client);
/// requests.write_all(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\"}\n").await.unwrap();
/// requests.write_all(b"{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}\n").await.unwrap();
///
/// // The program sees only what is valid; the call without a name was answered.
/// let mut line = String::new();
/// BufReader::new(read).read_line(&mut line).await.unwrap();
/// assert!(line.contains("\"ping\""));
/// line.clear();
/// BufReader::new(answers).read_line(&mut line).await.unwrap();
/// assert!(line.starts_with("{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32602,"));
/// # });
/// ```
pub fn assay_io<R, W>(read: R, write: W, options: Options) -> (AssayRead<R>, AssayWrite)
where
    R: AsyncRead,
    W: AsyncWrite + Send + 'static,
{
    let wire = Arc::new(Mutex::new(Wire::new(options, Box::pin(write))));
    let read = AssayRead {
        inner: read,
        wire: Arc::clone(&wire),
        is_over: false,
    };
    (read, AssayWrite { wire })
}

/// Standard input and output, judged: what a server on stdio serves on.
pub fn stdio(options: Options) -> (AssayRead<Stdin>, AssayWrite) {
    assay_io(tokio::io::stdin(), tokio::io::stdout(), options)
}

pin_project! {
    /// The stream that is read from the peer.
    pub struct AssayRead<R> {
        #[pin]
        inner: R,
        wire: Arc<Mutex<Wire>>,
        is_over: bool,
    }
}

/// The stream that is written to the peer.
pub struct AssayWrite {
    wire: Arc<Mutex<Wire>>,
}

impl<R: AsyncRead> AsyncRead for AssayRead<R> {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.project();
        let mut wire = lock(this.wire);
        if !wire.enforces() {
            let before = buffer.filled().len();
            ready!(this.inner.poll_read(context, buffer))?;
            match buffer.filled().get(before..).unwrap_or_default() {
                [] if buffer.remaining() > 0 => wire.read_end(),
                bytes => wire.read(bytes),
            }
            return Poll::Ready(Ok(()));
        }
        let mut inner = this.inner;
        // Answers to what was refused go out even if the program has nothing to write. If they
        // cannot, the program learns that when it writes.
        let written = wire.poll_write_out(Half::Read, context);
        loop {
            let rest = wire.inbound.rest();
            if !rest.is_empty() {
                let count = rest.len().min(buffer.remaining());
                buffer.put_slice(&rest[..count]);
                wire.inbound.advance(count);
                return Poll::Ready(Ok(()));
            }
            if *this.is_over {
                // A program ends when its input does: nothing would be written any more.
                return wire.poll_write_out(Half::Read, context).map(|_| Ok(()));
            }
            // The program may refuse itself something, and so may we be asked to write.
            wire.wait(Half::Read, context);
            if written.is_pending() && wire.is_full() {
                return Poll::Pending;
            }
            let mut chunk = [0; CHUNK];
            let mut chunk = ReadBuf::new(&mut chunk);
            ready!(inner.as_mut().poll_read(context, &mut chunk))?;
            if chunk.filled().is_empty() {
                *this.is_over = true;
                wire.read_end();
            } else {
                wire.read(chunk.filled());
            }
            let _ = wire.poll_write_out(Half::Read, context);
        }
    }
}

impl AsyncWrite for AssayWrite {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let mut wire = lock(&self.wire);
        if !wire.enforces() {
            let count = ready!(wire.sink.as_mut().poll_write(context, bytes))?;
            wire.wrote(bytes.get(..count).unwrap_or(bytes));
            return Poll::Ready(Ok(count));
        }
        if wire.is_full() {
            ready!(wire.poll_write_out(Half::Write, context))?;
        }
        wire.wrote(bytes);
        match wire.poll_write_out(Half::Write, context) {
            Poll::Ready(Err(error)) => Poll::Ready(Err(error)),
            _ => Poll::Ready(Ok(bytes.len())),
        }
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let mut wire = lock(&self.wire);
        if wire.enforces() {
            return wire.poll_write_out(Half::Write, context);
        }
        wire.sink.as_mut().poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let mut wire = lock(&self.wire);
        wire.wrote_end();
        wire.poll_shutdown(context)
    }
}

impl Drop for AssayWrite {
    /// The other half still holds the stream, but the peer must see that it is over.
    fn drop(&mut self) {
        let mut wire = lock(&self.wire);
        wire.wrote_end();
        wire.close();
    }
}

impl<R> std::fmt::Debug for AssayRead<R> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("AssayRead").finish_non_exhaustive()
    }
}

impl std::fmt::Debug for AssayWrite {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("AssayWrite").finish_non_exhaustive()
    }
}

/// The wire catches what goes wrong in a check.
fn lock(wire: &Mutex<Wire>) -> MutexGuard<'_, Wire> {
    wire.lock().unwrap_or_else(PoisonError::into_inner)
}
