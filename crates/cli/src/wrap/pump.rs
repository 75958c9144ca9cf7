//! Waits for both pipes and for signals, and copies.

use std::fs::File;
use std::io::{self, Read as _};
use std::os::fd::AsFd as _;
use std::os::unix::net::UnixStream;
use std::process::{ExitCode, ExitStatus};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use mcp_assay::{Direction, Limits, Lines, Party};
use mcp_assay_live::lines::Joiner;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::Signal;
use signal_hook::consts::{SIGCHLD, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2};

use super::checking::Checking;
use super::child::{Child, code};
use super::copy::Copy;
use super::enforce::Enforcer;
use super::files::{Input, Output, Read};
use crate::live::MetricsFile;
use crate::schema_override::Refresher;

/// Bytes that are read at a time: what a pipe holds.
const CHUNK: usize = 64 << 10;

/// How long to spin after the last message.
const SPIN_AFTER_MESSAGE: Duration = Duration::from_micros(50);

/// How long without traffic until deferred checks run.
const CHECK_AFTER: Duration = Duration::from_micros(5);

/// How long to read on without output after the server has ended.
const OUTPUT_TIMEOUT: Duration = Duration::from_millis(500);

/// Signals that are passed on.
const PASSED_ON: [(i32, Signal); 6] = [
    (SIGHUP, Signal::HUP),
    (SIGINT, Signal::INT),
    (SIGQUIT, Signal::QUIT),
    (SIGTERM, Signal::TERM),
    (SIGUSR1, Signal::USR1),
    (SIGUSR2, Signal::USR2),
];

/// The client on one side, the server on the other.
pub(super) struct Pump {
    child: Child,
    to_server: Copy,
    to_client: Copy,
    checking: Checking,
    /// Signals come as bytes: their numbers.
    signals: Signals,
    grace: Duration,
    /// Whether everything ends when one party has closed its stream.
    is_once: bool,
    metrics: Option<Arc<MetricsFile>>,
    buffer: Vec<u8>,
    text: Vec<u8>,
    begun: Instant,
    /// The time and the way in which the server is ended.
    deadline: Option<(Instant, Signal)>,
    status: Option<ExitStatus>,
    /// Reads the definitions again on SIGHUP, which then is not passed on.
    pub(super) refresher: Option<Arc<Refresher>>,
}

impl Pump {
    pub(super) fn new(
        mut child: Child,
        checking: Checking,
        limit: usize,
        grace: Duration,
    ) -> io::Result<Self> {
        let signals = Signals::new()?;
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        let stdout = stdout.map(Input::own).transpose()?;
        let stdin = stdin.map(Output::own).transpose()?;
        // They may be shared with others: they are used only when that does not wait. What holds
        // them here is all that does, so that letting go of it closes them, and nothing else in
        // this program can write to the client.
        let (ours, theirs) = (Input::standard()?, Output::standard()?);
        let nowhere = File::options().read(true).write(true).open("/dev/null")?;
        rustix::stdio::dup2_stdin(&nowhere)?;
        rustix::stdio::dup2_stdout(&nowhere)?;
        Ok(Self {
            to_server: Copy::new(Direction::ClientToServer, Some(ours), stdin, limit),
            to_client: Copy::new(Direction::ServerToClient, stdout, Some(theirs), limit),
            child,
            checking,
            signals,
            grace,
            is_once: false,
            metrics: None,
            buffer: vec![0; CHUNK],
            text: Vec::new(),
            begun: Instant::now(),
            deadline: None,
            status: None,
            refresher: None,
        })
    }

    /// Joins messages that are written over several lines.
    pub(super) fn join_lines(&mut self, limits: &Limits) {
        self.to_server.joiner = Some(Joiner::new(limits));
        self.to_client.joiner = Some(Joiner::new(limits));
    }

    /// Ends the server when the client or the server has closed its stream.
    pub(super) fn end_with_session(&mut self) {
        self.is_once = true;
    }

    /// Writes numbers to a file when a signal asks for them.
    pub(super) fn write_metrics(&mut self, file: Arc<MetricsFile>) {
        self.metrics = Some(file);
    }

    /// Copies until the server has ended and everything that it said was passed on.
    pub(super) fn run(mut self, begun: Instant) -> (ExitCode, Checking) {
        self.begun = begun;
        // It may have ended before we listened.
        self.status = self.child.ended();
        let mut last_words = None;
        while !self.is_over() {
            let ready = self.wait(last_words);
            if ready.signals {
                self.heed_signals();
            }
            for (copy, ready) in [
                (&mut self.to_server, ready.to_server),
                (&mut self.to_client, ready.to_client),
            ] {
                match ready {
                    Room::Unknown => {}
                    Room::Some => copy.flush(),
                    Room::Gone => copy.to = None,
                }
            }
            if ready.from_server {
                self.copy(Side::FromServer);
            }
            if ready.from_client {
                self.copy(Side::FromClient);
            }
            let heard = self.keep_up() || ready.from_server;
            self.settle(&mut last_words, heard);
            self.release();
        }
        let status = self.status.or_else(|| self.child.wait().ok());
        (status.map_or(ExitCode::FAILURE, code), self.checking)
    }

    /// Whether nothing is left to do.
    fn is_over(&self) -> bool {
        let silent = self.to_client.from.is_none()
            && (!self.to_client.is_behind() || self.to_client.to.is_none());
        silent && self.status.is_some()
    }

    /// Waits until something can be done.
    fn wait(&self, last_words: Option<Instant>) -> Ready {
        let mut fds = vec![PollFd::new(&self.signals.pipe, PollFlags::IN)];
        let mut what = vec![Item::Signals];
        for (side, item) in [
            (Side::FromClient, Item::FromClient),
            (Side::FromServer, Item::FromServer),
        ] {
            if let Some(from) = self.open(side) {
                fds.push(PollFd::new(from, PollFlags::IN));
                what.push(item);
            }
        }
        for (copy, item) in [
            (&self.to_server, Item::ToServer),
            (&self.to_client, Item::ToClient),
        ] {
            if let Some(to) = &copy.to {
                // Without a wish for room it is still told when nobody reads any more.
                let wish = if copy.is_behind() {
                    PollFlags::OUT
                } else {
                    PollFlags::empty()
                };
                fds.push(PollFd::from_borrowed_fd(to.as_fd(), wish));
                what.push(item);
            }
        }
        let until = [
            self.deadline.map(|(at, _)| at),
            last_words,
            self.to_server.held_until,
            self.to_client.held_until,
        ]
        .into_iter()
        .flatten()
        .min();
        let timeout = until.map(|at| {
            let left = at.saturating_duration_since(Instant::now());
            Timespec::try_from(left + Duration::from_millis(1)).unwrap_or_default()
        });
        let mut ready = Ready::default();
        if poll(&mut fds, timeout.as_ref()).is_ok() {
            for (fd, item) in fds.iter().zip(&what) {
                if !fd.revents().is_empty() {
                    ready.note(*item, fd.revents());
                }
            }
        }
        ready
    }

    /// The input that may be read now, if there is room for its bytes.
    fn open(&self, side: Side) -> Option<&Input> {
        let (copy, back) = match side {
            Side::FromClient => (&self.to_server, &self.to_client),
            Side::FromServer => (&self.to_client, &self.to_server),
        };
        let room = if self.checking.enforces() {
            // Refusals go back the other way. A party that reads nothing before its own words are
            // read must still be heard, or both would wait for ever.
            !copy.is_full() && !back.is_full_of_refusals()
        } else {
            !copy.is_behind()
        };
        copy.from.as_ref().filter(|_| room)
    }

    /// Spins briefly before parking, and forwards meanwhile: replies usually arrive within
    /// microseconds, and a wake-up takes longer than forwarding one. Says whether the server spoke.
    fn keep_up(&mut self) -> bool {
        let mut heard = false;
        let mut last = Instant::now();
        // Signals and deadlines must be heeded now and then.
        let mut left = 100;
        while left > 0 {
            for side in [Side::FromServer, Side::FromClient] {
                if self.open(side).is_some_and(Input::never_waits) && self.copy(side) {
                    left -= 1;
                    heard |= side == Side::FromServer;
                    last = Instant::now();
                }
            }
            let silence = last.elapsed();
            if silence >= CHECK_AFTER {
                self.checking.catch_up();
            }
            if silence >= SPIN_AFTER_MESSAGE {
                break;
            }
            // The other side may need this core for what we wait for.
            thread::yield_now();
        }
        self.checking.catch_up();
        heard
    }

    /// Reads from one side and passes on. Says whether anything was there, if only the end.
    fn copy(&mut self, side: Side) -> bool {
        let Self {
            to_server,
            to_client,
            checking,
            buffer,
            text,
            begun,
            deadline,
            ..
        } = self;
        let (copy, back) = match side {
            Side::FromClient => (to_server, to_client),
            Side::FromServer => (to_client, to_server),
        };
        let bytes = match copy.read(buffer) {
            Read::Later => return false,
            Read::Some(count) => buffer.get(..count).unwrap_or_default(),
            Read::End => {
                copy.from = None;
                &[]
            }
        };
        let (time, direction) = (begun.elapsed(), copy.direction);
        let is_asked_to_end = deadline.is_some();
        let mut lines = std::mem::replace(&mut copy.lines, Lines::new(0));
        let is_end = bytes.is_empty();
        if checking.enforces() {
            let mut judge = Enforcer {
                checking,
                time,
                copy,
                back,
                text,
            };
            lines.feed(bytes, |line| judge.line(line));
            if is_end {
                lines.end(|line| judge.line(line));
                judge.release();
            }
            judge.flush();
        } else {
            copy.write(bytes);
            if !checking.is_idle() {
                lines.feed(bytes, |line| checking.defer(time, direction, line));
            }
            if is_end {
                lines.end(|line| checking.defer(time, direction, line));
                copy.flush();
                back.flush();
            }
        }
        if is_end {
            // A server that was asked to end only follows the client.
            let by = match side {
                Side::FromServer if !is_asked_to_end => Party::Server,
                _ => Party::Client,
            };
            checking.close(time, direction, by);
        }
        match side {
            Side::FromClient => self.to_server.lines = lines,
            Side::FromServer => self.to_client.lines = lines,
        }
        true
    }

    /// Releases the beginnings of messages that were held back for too long.
    fn release(&mut self) {
        for side in [Side::FromClient, Side::FromServer] {
            let (copy, back) = match side {
                Side::FromClient => (&mut self.to_server, &mut self.to_client),
                Side::FromServer => (&mut self.to_client, &mut self.to_server),
            };
            let is_over = |until| copy.from.is_none() || Instant::now() >= until;
            if copy.held_until.is_some_and(is_over) {
                let mut judge = Enforcer {
                    checking: &mut self.checking,
                    time: self.begun.elapsed(),
                    copy,
                    back,
                    text: &mut self.text,
                };
                judge.release();
                judge.flush();
            }
        }
    }

    /// Draws the consequences: ends what is at its end.
    fn settle(&mut self, last_words: &mut Option<Instant>, heard: bool) {
        // The server listens no more: the client learns it as it would without us.
        if self.to_server.to.is_none() {
            self.to_server.from = None;
        }
        // The client has said all: so does the server hear.
        if self.to_server.from.is_none() && !self.to_server.is_behind() {
            self.to_server.to = None;
        }
        // Nobody reads what the server says: it is asked to end.
        if self.to_client.to.is_none() && self.deadline.is_none() && self.status.is_none() {
            self.to_server.from = None;
            self.to_server.to = None;
            self.deadline = Some((Instant::now() + self.grace, Signal::TERM));
        }
        // The session is over, and with it the server.
        let is_over = self.to_server.from.is_none() || self.to_client.from.is_none();
        if self.is_once && is_over && self.deadline.is_none() && self.status.is_none() {
            self.deadline = Some((Instant::now() + self.grace, Signal::TERM));
        }
        if let Some((at, signal)) = self.deadline
            && Instant::now() >= at
        {
            self.child.signal(signal);
            self.deadline = Some((Instant::now() + self.grace, Signal::KILL));
        }
        if self.status.is_some() {
            self.to_server.from = None;
            self.to_server.to = None;
            let silent = last_words.is_some_and(|at| Instant::now() >= at);
            if silent && !self.to_client.is_behind() {
                // A process that it started may hold its output open forever.
                self.to_client.from = None;
            } else if heard || last_words.is_none() || self.to_client.is_behind() {
                *last_words = Some(Instant::now() + OUTPUT_TIMEOUT);
            }
        }
    }

    fn heed_signals(&mut self) {
        for number in self.signals.take() {
            if number == SIGCHLD {
                self.status = self.status.or_else(|| self.child.ended());
            }
            if let (SIGUSR1, Some(metrics)) = (number, &self.metrics) {
                self.checking.catch_up();
                metrics.write_soon();
                continue;
            }
            if number == SIGHUP
                && let Some(refresher) = &self.refresher
            {
                refresher.wake();
                continue;
            }
            if let Some((_, signal)) = PASSED_ON.iter().find(|(known, _)| *known == number) {
                self.child.signal(*signal);
                if matches!(number, SIGHUP | SIGINT | SIGQUIT | SIGTERM) {
                    self.deadline
                        .get_or_insert((Instant::now() + self.grace, Signal::KILL));
                }
            }
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    FromClient,
    FromServer,
}

/// An event to wait for.
#[derive(Clone, Copy)]
enum Item {
    Signals,
    FromClient,
    FromServer,
    ToServer,
    ToClient,
}

/// The events that came.
#[derive(Default)]
struct Ready {
    signals: bool,
    from_client: bool,
    from_server: bool,
    to_server: Room,
    to_client: Room,
}

/// The state of a reader.
#[derive(Clone, Copy, Default)]
enum Room {
    #[default]
    Unknown,
    /// It takes bytes.
    Some,
    /// It is gone.
    Gone,
}

impl Ready {
    fn note(&mut self, item: Item, flags: PollFlags) {
        let gone = flags.intersects(PollFlags::ERR | PollFlags::HUP | PollFlags::NVAL);
        let room = if gone { Room::Gone } else { Room::Some };
        match item {
            Item::Signals => self.signals = true,
            Item::FromClient => self.from_client = true,
            Item::FromServer => self.from_server = true,
            Item::ToServer => self.to_server = room,
            Item::ToClient => self.to_client = room,
        }
    }
}

/// Signals that came: a flag each, and a pipe that wakes us.
struct Signals {
    pipe: UnixStream,
    flags: Vec<(i32, Arc<AtomicBool>)>,
}

impl Signals {
    fn new() -> io::Result<Self> {
        let (mut flags, (pipe, wake)) = (Vec::new(), UnixStream::pair()?);
        pipe.set_nonblocking(true)?;
        wake.set_nonblocking(true)?;
        for signal in PASSED_ON.iter().map(|(number, _)| *number).chain([SIGCHLD]) {
            let flag = Arc::new(AtomicBool::new(false));
            // The flag first: whoever is woken finds it.
            signal_hook::flag::register(signal, Arc::clone(&flag))?;
            signal_hook::low_level::pipe::register(signal, wake.try_clone()?)?;
            flags.push((signal, flag));
        }
        Ok(Self { pipe, flags })
    }

    /// Those that came since the last time.
    fn take(&self) -> Vec<i32> {
        let mut bytes = [0; 64];
        while let Ok(64) = (&self.pipe).read(&mut bytes) {}
        let came = |flag: &AtomicBool| flag.swap(false, Ordering::Relaxed);
        self.flags
            .iter()
            .filter(|(_, flag)| came(flag))
            .map(|(number, _)| *number)
            .collect()
    }
}
