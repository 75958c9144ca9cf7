//! The adapter for byte streams without I/O: `mcp-assay-tokio` over two buffers.
//!
//! Both ends of the adapter are ready at once, so it is polled until it waits for more input, and
//! nothing has to be woken.

use std::io;
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use mcp_assay_live::guard::Judged;
use mcp_assay_tokio::{AssayRead, AssayWrite, Options as Settings, assay_io};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyDict};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use crate::checked::Checked;
use crate::options::{Options, mode};

/// Bytes that are read from the adapter at once.
const CHUNK: usize = 16 << 10;

/// Results of messages with violations that nobody has taken yet.
pub(crate) const MAX_REPORTS: usize = 10_000;

/// The traffic of one connection, seen from the server or the client.
#[pyclass(frozen, module = "mcp_assay._native")]
pub(crate) struct Lines {
    state: Mutex<State>,
    reports: Reports,
}

struct State {
    read: AssayRead<Source>,
    write: Option<AssayWrite>,
    source: Source,
    sink: Sink,
}

/// Results of messages with violations, in their order.
#[derive(Clone, Default)]
pub(crate) struct Reports(Arc<Mutex<Vec<Checked>>>);

impl Reports {
    /// Keeps the result of a message with violations. Beyond [`MAX_REPORTS`] it is dropped.
    pub(crate) fn add(&self, judged: &Judged<'_>) {
        let mut reports = lock(&self.0);
        if !judged.checked.violations().is_empty() && reports.len() < MAX_REPORTS {
            reports.push(Checked::new(judged, 0, false));
        }
    }

    pub(crate) fn take(&self) -> Vec<Checked> {
        std::mem::take(&mut *lock(&self.0))
    }
}

/// Bytes for the program, and bytes for its peer.
type Ready<'py> = (Bound<'py, PyBytes>, Bound<'py, PyBytes>);

#[pymethods]
impl Lines {
    #[new]
    fn new(mode_name: &str, options: &Bound<'_, PyDict>) -> PyResult<Self> {
        let reports = Reports::default();
        let kept = reports.clone();
        let settings = Settings::server()
            .policy(Options::read(options)?.policy()?)
            .mode(mode(mode_name)?)
            .reporter(move |_: Option<&str>, judged: &Judged<'_>| kept.add(judged));
        let (source, sink) = (Source::default(), Sink::default());
        let (read, write) = assay_io(source.clone(), sink.clone(), settings);
        let write = Some(write);
        Ok(Self {
            state: Mutex::new(State {
                read,
                write,
                source,
                sink,
            }),
            reports,
        })
    }

    /// Bytes came from the peer; none of them mean the end of the stream.
    fn read<'py>(&self, py: Python<'py>, bytes: PyBackedBytes) -> PyResult<Ready<'py>> {
        self.run(py, |state| {
            let mut source = lock(&state.source.0);
            if bytes.is_empty() {
                source.is_over = true;
            } else {
                source.bytes.extend_from_slice(&bytes);
            }
            Ok(())
        })
    }

    /// The program wrote bytes.
    fn write<'py>(&self, py: Python<'py>, bytes: PyBackedBytes) -> PyResult<Ready<'py>> {
        self.run(py, |state| {
            let mut context = Context::from_waker(Waker::noop());
            let Some(write) = &mut state.write else {
                return Err(io::ErrorKind::BrokenPipe.into());
            };
            let mut write = pin!(write);
            let mut rest: &[u8] = &bytes;
            while !rest.is_empty() {
                match write.as_mut().poll_write(&mut context, rest) {
                    Poll::Ready(count) => rest = &rest[count?..],
                    // The buffers take everything.
                    Poll::Pending => return Err(io::ErrorKind::WouldBlock.into()),
                }
            }
            match write.poll_flush(&mut context) {
                Poll::Ready(flushed) => flushed,
                Poll::Pending => Ok(()),
            }
        })
    }

    /// The program will write nothing more.
    fn close<'py>(&self, py: Python<'py>) -> PyResult<Ready<'py>> {
        self.run(py, |state| {
            if let Some(mut write) = state.write.take() {
                let mut context = Context::from_waker(Waker::noop());
                let _ = Pin::new(&mut write).poll_shutdown(&mut context);
            }
            Ok(())
        })
    }

    /// Takes the results of messages with violations.
    fn reports(&self) -> Vec<Checked> {
        self.reports.take()
    }
}

impl Lines {
    /// Changes the state, and takes the bytes that are ready.
    fn run<'py>(
        &self,
        py: Python<'py>,
        change: impl FnOnce(&mut State) -> io::Result<()> + Send,
    ) -> PyResult<Ready<'py>> {
        let ready = py.detach(|| {
            let mut state = lock(&self.state);
            change(&mut state)?;
            let inbound = state.poll_read()?;
            let outbound = std::mem::take(&mut *lock(&state.sink.0));
            io::Result::Ok((inbound, outbound))
        });
        let (inbound, outbound) = ready?;
        Ok((PyBytes::new(py, &inbound), PyBytes::new(py, &outbound)))
    }
}

impl State {
    /// Everything that the program may read now.
    fn poll_read(&mut self) -> io::Result<Vec<u8>> {
        let mut context = Context::from_waker(Waker::noop());
        let mut read = Vec::new();
        loop {
            let mut chunk = [0; CHUNK];
            let mut chunk = ReadBuf::new(&mut chunk);
            match Pin::new(&mut self.read).poll_read(&mut context, &mut chunk) {
                Poll::Ready(result) => result?,
                Poll::Pending => return Ok(read),
            }
            if chunk.filled().is_empty() {
                return Ok(read);
            }
            read.extend_from_slice(chunk.filled());
        }
    }
}

#[derive(Default)]
struct Pending {
    bytes: Vec<u8>,
    is_over: bool,
}

/// Bytes that came from the peer.
#[derive(Clone, Default)]
struct Source(Arc<Mutex<Pending>>);

impl AsyncRead for Source {
    fn poll_read(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let mut pending = lock(&self.0);
        if pending.bytes.is_empty() && !pending.is_over {
            return Poll::Pending;
        }
        let count = pending.bytes.len().min(buffer.remaining());
        buffer.put_slice(&pending.bytes[..count]);
        pending.bytes.drain(..count);
        Poll::Ready(Ok(()))
    }
}

/// Bytes that go to the peer.
#[derive(Clone, Default)]
struct Sink(Arc<Mutex<Vec<u8>>>);

impl AsyncWrite for Sink {
    fn poll_write(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        lock(&self.0).extend_from_slice(bytes);
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

/// The state behind these locks is consistent whenever one is released.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
