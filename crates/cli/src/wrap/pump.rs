//! Waits for both pipes and for signals, and copies.

use std::io;
use std::process::ExitStatus;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use mcp_assay::{Direction, Limits, Lines, Party};
use mcp_assay_live::lines::Joiner;

use super::checking::Checking;
use super::child::Child;
use super::copy::Copy;
use super::enforce::Enforcer;
use super::events::{Read, Ready, Room};
use super::system::{Events, Input, ask_to_end};
use crate::exit::Exit;
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

/// The client on one side, the server on the other.
pub(super) struct Pump {
    child: Child,
    to_server: Copy,
    to_client: Copy,
    checking: Checking,
    events: Events,
    grace: Duration,
    /// Whether everything ends when one party has closed its stream.
    is_once: bool,
    metrics: Option<Arc<MetricsFile>>,
    buffer: Vec<u8>,
    text: Vec<u8>,
    begun: Instant,
    /// The time and the way in which the server is ended.
    deadline: Option<(Instant, Ending)>,
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
        let events = Events::new(&child.process)?;
        let (stdin, stdout) = (child.process.stdin.take(), child.process.stdout.take());
        let (stdout, stdin) = events.server(stdin, stdout)?;
        let (ours, theirs) = events.client()?;
        Ok(Self {
            to_server: Copy::new(Direction::ClientToServer, Some(ours), stdin, limit),
            to_client: Copy::new(Direction::ServerToClient, stdout, Some(theirs), limit),
            child,
            checking,
            events,
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
    pub(super) fn run(mut self, begun: Instant) -> (Exit, Checking) {
        self.begun = begun;
        // It may have ended before we listened.
        self.status = self.child.ended();
        let mut last_words = None;
        while !self.is_over() {
            let ready = self.wait(last_words);
            if ready.events {
                self.heed_events();
            }
            for (copy, room) in [&mut self.to_server, &mut self.to_client]
                .into_iter()
                .zip(ready.outputs)
            {
                match room {
                    Room::Unknown => {}
                    Room::Some => copy.flush(),
                    Room::Gone => copy.to = None,
                }
            }
            let [from_client, from_server] = ready.inputs;
            if from_server {
                self.copy(Side::FromServer);
            }
            if from_client {
                self.copy(Side::FromClient);
            }
            let heard = self.keep_up() || from_server;
            self.settle(&mut last_words, heard);
            self.release();
        }
        let status = self.status.or_else(|| self.child.process.wait().ok());
        let exit = status.map_or(Exit::Other(1), Exit::of_process);
        (exit, self.checking)
    }

    /// Whether nothing is left to do.
    fn is_over(&self) -> bool {
        let silent = self.to_client.from.is_none()
            && (!self.to_client.is_behind() || self.to_client.to.is_none());
        silent && self.status.is_some()
    }

    /// Waits until something can be done.
    fn wait(&self, last_words: Option<Instant>) -> Ready {
        let inputs = [Side::FromClient, Side::FromServer].map(|side| self.open(side));
        let outputs = [&self.to_server, &self.to_client]
            .map(|copy| copy.to.as_ref().map(|to| (to, copy.is_behind())));
        let until = [
            self.deadline.map(|(at, _)| at),
            last_words,
            self.to_server.held_until,
            self.to_client.held_until,
        ]
        .into_iter()
        .flatten()
        .min();
        let timeout = until.map(|at| at.saturating_duration_since(Instant::now()));
        self.events.wait(inputs, outputs, timeout)
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
            self.deadline = Some((Instant::now() + self.grace, Ending::Asked));
        }
        // The session is over, and with it the server.
        let is_over = self.to_server.from.is_none() || self.to_client.from.is_none();
        if self.is_once && is_over && self.deadline.is_none() && self.status.is_none() {
            self.deadline = Some((Instant::now() + self.grace, Ending::Asked));
        }
        if let Some((at, ending)) = self.deadline
            && Instant::now() >= at
        {
            match ending {
                Ending::Asked => ask_to_end(&self.child.tree),
                Ending::Killed => self.child.tree.kill(),
            }
            self.deadline = Some((Instant::now() + self.grace, Ending::Killed));
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

    fn heed_events(&mut self) {
        // Events after this look wake us again.
        let signals = self.events.signals();
        self.status = self.status.or_else(|| self.child.ended());
        for signal in signals {
            if signal.asks_for_metrics()
                && let Some(metrics) = &self.metrics
            {
                self.checking.catch_up();
                metrics.write_soon();
                continue;
            }
            if signal.asks_for_definitions()
                && let Some(refresher) = &self.refresher
            {
                refresher.wake();
                continue;
            }
            signal.pass_on(&self.child.tree);
            if signal.asks_to_end() {
                self.deadline
                    .get_or_insert((Instant::now() + self.grace, Ending::Killed));
            }
        }
    }
}

/// The way in which the server is ended.
#[derive(Clone, Copy)]
enum Ending {
    /// It is asked.
    Asked,
    /// It is not.
    Killed,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    FromClient,
    FromServer,
}
