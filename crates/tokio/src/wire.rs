//! The state that both halves of a connection share: the session, and the lines that wait to be
//! read or written.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker, ready};
use std::time::Instant;

use mcp_assay::{Direction, Line, Lines};
use mcp_assay_live::guard::Mode;
use mcp_assay_live::lines::LineSession;
#[cfg(feature = "metrics")]
use mcp_assay_live::metrics::FacadeCounters;
use tokio::io::AsyncWrite;

use crate::options::Options;
use crate::wakers::{Half, Wakers};

/// Bytes that may wait to be read or written before nothing more is taken.
const HIGH: usize = 256 << 10;

/// The stream that is written to.
pub(crate) type Sink = Pin<Box<dyn AsyncWrite + Send>>;

/// The state that both halves of a connection share.
pub(crate) struct Wire {
    judge: Judge,
    /// Lines that are being read, and written.
    read: Lines,
    written: Lines,
    /// Whole lines that the program reads next.
    pub(crate) inbound: Queue,
    /// Whole lines that are to be written.
    outbound: Queue,
    /// Something was written that may not be on its way yet.
    unflushed: bool,
    pub(crate) sink: Sink,
    wakers: Arc<Wakers>,
    waker: Waker,
}

impl Wire {
    pub(crate) fn new(options: Options, sink: Sink) -> Self {
        let limit = options.policy.limits.bytes;
        let wakers = Arc::new(Wakers::default());
        Self {
            judge: Judge {
                session: LineSession::new(options.guard()),
                options,
                begun: Instant::now(),
                #[cfg(feature = "metrics")]
                counters: FacadeCounters::new(),
            },
            read: Lines::new(limit),
            written: Lines::new(limit),
            inbound: Queue::default(),
            outbound: Queue::default(),
            unflushed: false,
            sink,
            waker: Waker::from(Arc::clone(&wakers)),
            wakers,
        }
    }

    pub(crate) fn enforces(&self) -> bool {
        self.judge.options.mode == Mode::Enforce
    }

    /// Bytes were read. In `enforce`, what goes on is put into `inbound`, and answers to what does
    /// not into `outbound`.
    pub(crate) fn read(&mut self, bytes: &[u8]) {
        let Self {
            judge,
            read,
            inbound,
            outbound,
            ..
        } = self;
        let direction = judge.options.inbound();
        read.feed(bytes, |line| judge.line(direction, line, inbound, outbound));
    }

    /// Nothing more will be read.
    pub(crate) fn read_end(&mut self) {
        let Self {
            judge,
            read,
            inbound,
            outbound,
            ..
        } = self;
        let direction = judge.options.inbound();
        read.end(|line| judge.line(direction, line, inbound, outbound));
    }

    /// The program wrote bytes. In `enforce`, what goes on is put into `outbound`, and answers to
    /// what does not into `inbound`.
    pub(crate) fn wrote(&mut self, bytes: &[u8]) {
        let Self {
            judge,
            written,
            inbound,
            outbound,
            ..
        } = self;
        let direction = judge.options.inbound().reverse();
        written.feed(bytes, |line| judge.line(direction, line, outbound, inbound));
        self.wake_reader();
    }

    /// The program will write nothing more.
    pub(crate) fn wrote_end(&mut self) {
        let Self {
            judge,
            written,
            inbound,
            outbound,
            ..
        } = self;
        let direction = judge.options.inbound().reverse();
        written.end(|line| judge.line(direction, line, outbound, inbound));
        self.wake_reader();
    }

    /// Closes the stream that is written to.
    pub(crate) fn close(&mut self) {
        self.unflushed = false;
        self.outbound = Queue::default();
        self.sink = Box::pin(tokio::io::sink());
    }

    /// Takes note that a half waits for the other.
    pub(crate) fn wait(&self, half: Half, context: &Context<'_>) {
        self.wakers.register(half, context);
    }

    /// Whether so much waits to be written that nothing more is taken.
    pub(crate) fn is_full(&self) -> bool {
        self.outbound.rest().len() >= HIGH || self.inbound.rest().len() >= HIGH
    }

    /// Writes what waits, and sees it on its way.
    pub(crate) fn poll_write_out(
        &mut self,
        half: Half,
        context: &Context<'_>,
    ) -> Poll<std::io::Result<()>> {
        if self.outbound.rest().is_empty() && !self.unflushed {
            return Poll::Ready(Ok(()));
        }
        self.unflushed = true;
        self.wakers.register(half, context);
        let mut context = Context::from_waker(&self.waker);
        while !self.outbound.rest().is_empty() {
            let rest = self.outbound.rest();
            let count = ready!(self.sink.as_mut().poll_write(&mut context, rest))?;
            if count == 0 {
                return Poll::Ready(Err(std::io::ErrorKind::WriteZero.into()));
            }
            self.outbound.advance(count);
        }
        ready!(self.sink.as_mut().poll_flush(&mut context))?;
        self.unflushed = false;
        Poll::Ready(Ok(()))
    }

    /// Ends the stream that is written to.
    pub(crate) fn poll_shutdown(&mut self, context: &Context<'_>) -> Poll<std::io::Result<()>> {
        ready!(self.poll_write_out(Half::Write, context))?;
        self.wakers.register(Half::Write, context);
        let mut context = Context::from_waker(&self.waker);
        ready!(self.sink.as_mut().poll_shutdown(&mut context))?;
        self.close();
        Poll::Ready(Ok(()))
    }

    /// The program reads what it is told in place of an answer.
    fn wake_reader(&self) {
        if !self.inbound.rest().is_empty() {
            self.waker.wake_by_ref();
        }
    }
}

struct Judge {
    session: LineSession,
    options: Options,
    begun: Instant,
    #[cfg(feature = "metrics")]
    counters: FacadeCounters,
}

impl Judge {
    /// Checks a line; in `enforce`, puts what goes on into `on`, and what goes back to its sender
    /// into `back`. Text that belongs on standard error is dropped: the reporter gets it.
    fn line(&mut self, direction: Direction, line: Line<'_>, on: &mut Queue, back: &mut Queue) {
        let (on, back) = (&mut on.bytes, &mut back.bytes);
        let time = self.begun.elapsed();
        self.session
            .line(direction, time, line, on, back, |judged| {
                #[cfg(feature = "metrics")]
                mcp_assay_live::metrics::count(judged, &self.counters);
                self.options.reporter.report_safely(None, judged);
            });
    }
}

/// Bytes that wait.
#[derive(Default)]
pub(crate) struct Queue {
    bytes: Vec<u8>,
    gone: usize,
}

impl Queue {
    pub(crate) fn rest(&self) -> &[u8] {
        self.bytes.get(self.gone..).unwrap_or_default()
    }

    pub(crate) fn advance(&mut self, count: usize) {
        self.gone += count;
        if self.gone >= self.bytes.len() {
            self.bytes.clear();
            self.gone = 0;
            // One long line must not keep its memory for ever.
            self.bytes.shrink_to(HIGH);
        }
    }
}
