//! A server as a process with pipes, ended with all that it started.

use std::io::{BufRead as _, BufReader, Read, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use mcp_assay::Direction;
use mcp_assay_system::{Console, ProcessTree, command as command_of};

use super::{Incoming, MOST_BYTES, MOST_WAITING, Unreachable};
use crate::record::Content;

/// Bytes kept of the standard error of a server.
const MOST_STDERR: usize = 8 << 10;

/// Lines of ours that may wait until the server reads them.
const MOST_UNREAD: usize = 256;

/// The reaction to a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sent {
    /// It will be written as soon as the server reads.
    OnItsWay,
    /// The server reads nothing any more.
    Unread,
    /// Its input is closed.
    Closed,
}

/// A running server.
pub(crate) struct Process {
    child: Child,
    tree: ProcessTree,
    /// Lines for its standard input; a thread of its own writes them, because a server may stop
    /// reading.
    stdin: Option<SyncSender<Vec<u8>>>,
    pub(crate) incoming: Receiver<Incoming>,
    stderr: Arc<Mutex<Vec<u8>>>,
    /// Reads standard error to its end.
    listener: Option<JoinHandle<()>>,
}

impl Process {
    pub(crate) fn start(
        command: &[String],
        folder: Option<&Path>,
        environment: &[(String, String)],
        begun: Instant,
    ) -> Result<Self, Unreachable> {
        let (program, arguments) = command.split_first().ok_or(Unreachable::NoCommand)?;
        let mut command = command_of(program);
        if let Some(folder) = folder {
            command.current_dir(folder);
        }
        command
            .args(arguments)
            .envs(environment.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let spawned = ProcessTree::spawn(&mut command, Console::Separate);
        let (mut child, tree) = spawned.map_err(|error| {
            let named = format!("`{program}`: {error}");
            Unreachable::Start(std::io::Error::new(error.kind(), named))
        })?;
        let (sender, incoming) = sync_channel(MOST_WAITING);
        if let Some(stdout) = child.stdout.take() {
            thread::spawn(move || read_lines(stdout, &sender, begun));
        }
        let stderr = Arc::new(Mutex::new(Vec::new()));
        let listener = child.stderr.take().map(|mut pipe| {
            let kept = Arc::clone(&stderr);
            thread::spawn(move || {
                let mut buffer = [0; 4096];
                while let Ok(count @ 1..) = pipe.read(&mut buffer) {
                    let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                    kept.extend_from_slice(&buffer[..count]);
                    let excess = kept.len().saturating_sub(MOST_STDERR);
                    kept.drain(..excess);
                }
            })
        });
        let stdin = child.stdin.take().map(|mut pipe: ChildStdin| {
            let (sender, lines) = sync_channel::<Vec<u8>>(MOST_UNREAD);
            thread::spawn(move || {
                for line in lines {
                    if pipe.write_all(&line).and_then(|()| pipe.flush()).is_err() {
                        return;
                    }
                }
            });
            sender
        });
        Ok(Self {
            child,
            tree,
            stdin,
            incoming,
            stderr,
            listener,
        })
    }

    /// Sends bytes as they are.
    pub(crate) fn send(&self, mut bytes: Vec<u8>) -> Sent {
        bytes.push(b'\n');
        match self.stdin.as_ref().map(|stdin| stdin.try_send(bytes)) {
            Some(Ok(())) => Sent::OnItsWay,
            Some(Err(TrySendError::Full(_))) => Sent::Unread,
            Some(Err(TrySendError::Disconnected(_))) | None => Sent::Closed,
        }
    }

    /// Closes its standard input, and says whether it ends in time.
    pub(crate) fn close(&mut self, patience: Duration) -> bool {
        self.stdin = None;
        let until = Instant::now() + patience;
        loop {
            match self.child.try_wait() {
                Ok(None) if Instant::now() < until => {
                    // It may be waiting for somebody to read what it says, and it may never stop.
                    let heard = self.incoming.recv_timeout(Duration::from_millis(5));
                    if matches!(heard, Err(RecvTimeoutError::Disconnected)) {
                        thread::sleep(Duration::from_millis(5));
                    }
                }
                Ok(None) => return false,
                Ok(Some(_)) | Err(_) => return true,
            }
        }
    }

    /// Closes its standard input.
    pub(crate) fn close_input(&mut self) {
        self.stdin = None;
    }

    /// The way it ended, if it did.
    pub(crate) fn status(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().ok().flatten()
    }

    /// The way it ended, if it does in time, once its standard error was read.
    pub(crate) fn last_words(&mut self, patience: Duration) -> Option<ExitStatus> {
        let until = Instant::now() + patience;
        loop {
            let status = self.status();
            let is_over = status.is_some() && self.is_read_out();
            if is_over || Instant::now() >= until {
                return status;
            }
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// Whether all that it said on standard error was read.
    pub(crate) fn is_read_out(&self) -> bool {
        self.listener.as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// Ends it with all that it started.
    pub(crate) fn kill(&mut self) {
        self.tree.kill();
        // It may have ended before.
        let _ = self.child.wait();
    }

    /// Whether the process is gone.
    pub(crate) fn is_over(&mut self) -> bool {
        !matches!(self.child.try_wait(), Ok(None))
    }

    /// The last of what it said on standard error.
    pub(crate) fn stderr(&self) -> String {
        let kept = self.stderr.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&kept).trim().to_owned()
    }
}

/// Nothing that it started outlives the probe.
impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

fn read_lines(stdout: impl Read, sender: &SyncSender<Incoming>, begun: Instant) {
    let mut reader = BufReader::new(stdout);
    loop {
        let mut bytes = Vec::new();
        let read = (&mut reader)
            .take(MOST_BYTES as u64)
            .read_until(b'\n', &mut bytes);
        if !matches!(read, Ok(1..)) {
            break;
        }
        let unterminated = bytes.pop_if(|last| *last == b'\n').is_none();
        if bytes.trim_ascii().is_empty() && !unterminated {
            continue;
        }
        let line = Content::Line {
            direction: Direction::ServerToClient,
            bytes,
            unterminated,
        };
        if sender
            .send(Incoming::Content(line, begun.elapsed()))
            .is_err()
        {
            return;
        }
    }
    // Nobody may be listening any more.
    let _ = sender.send(Incoming::Closed);
}
