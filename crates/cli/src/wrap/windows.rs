//! Windows: pipes that only block, and the console.
//!
//! A thread reads or writes each end of a pipe, so that the pump never waits for one of them: it
//! waits for a bell that they all ring.

use std::fs::File;
use std::io::{self, Write};
use std::os::windows::io::AsHandle as _;
use std::process::{Child, ChildStdin, ChildStdout};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use mcp_assay_system::{ExitWaiter, ProcessTree};

use super::events::{Read, Ready, Room, Written};
use crate::interrupts;

/// Bytes that a thread reads or writes at a time.
const CHUNK: usize = 64 << 10;

/// A wish of the user or the system that this program ends: Ctrl-C, Ctrl-Break, a closed window.
#[derive(Clone, Copy)]
pub(super) struct Signal;

#[expect(clippy::unused_self, reason = "elsewhere it depends on the signal")]
impl Signal {
    pub(super) fn asks_for_metrics(self) -> bool {
        false
    }

    pub(super) fn asks_for_definitions(self) -> bool {
        false
    }

    pub(super) fn asks_to_end(self) -> bool {
        true
    }

    /// The console has told the server, too.
    pub(super) fn pass_on(self, _: &ProcessTree) {}
}

/// Ends the server: nobody but the console can ask a process to end, and that would ask all.
pub(super) fn ask_to_end(server: &ProcessTree) {
    server.kill();
}

/// Everything that the pump waits for.
pub(super) struct Events {
    bell: Arc<Bell>,
    interrupted: Arc<AtomicBool>,
    ended: Arc<AtomicBool>,
}

impl Events {
    pub(super) fn new(server: &Child) -> io::Result<Self> {
        let events = Self {
            bell: Arc::default(),
            interrupted: Arc::default(),
            ended: Arc::default(),
        };
        let (bell, interrupted) = (Arc::clone(&events.bell), Arc::clone(&events.interrupted));
        interrupts::on_each(move || {
            interrupted.store(true, Ordering::Release);
            bell.ring();
        })?;
        let (bell, ended) = (Arc::clone(&events.bell), Arc::clone(&events.ended));
        let waiter = ExitWaiter::new(server)?;
        spawn("server", move || {
            waiter.wait();
            ended.store(true, Ordering::Release);
            bell.ring();
        })?;
        Ok(events)
    }

    /// The pipes of the server.
    pub(super) fn server(
        &self,
        stdin: Option<ChildStdin>,
        stdout: Option<ChildStdout>,
    ) -> io::Result<(Option<Input>, Option<Output>)> {
        let stdout = stdout.map(|it| Input::new(it, &self.bell)).transpose()?;
        let stdin = stdin.map(|it| Output::new(it, &self.bell)).transpose()?;
        Ok((stdout, stdin))
    }

    /// Our own pipes, without the buffers and the character sets of the standard library.
    pub(super) fn client(&self) -> io::Result<(Input, Output)> {
        let input = io::stdin().as_handle().try_clone_to_owned()?;
        let output = io::stdout().as_handle().try_clone_to_owned()?;
        Ok((
            Input::new(File::from(input), &self.bell)?,
            Output::new(File::from(output), &self.bell)?,
        ))
    }

    /// Waits until something can be done. Outputs come with whether bytes wait for them.
    pub(super) fn wait(
        &self,
        inputs: [Option<&Input>; 2],
        outputs: [Option<(&Output, bool)>; 2],
        timeout: Option<Duration>,
    ) -> Ready {
        let look = || Ready {
            events: self.interrupted.load(Ordering::Acquire) || self.ended.load(Ordering::Acquire),
            inputs: inputs.map(|input| input.is_some_and(Input::is_ready)),
            outputs: outputs.map(|output| match output {
                Some((output, is_behind)) => output.room(is_behind),
                None => Room::Unknown,
            }),
        };
        let ready = look();
        if ready.is_any() {
            return ready;
        }
        // Whatever happened since that look has rung.
        self.bell.wait(timeout);
        look()
    }

    /// The signals that came since the last time.
    pub(super) fn signals(&self) -> Vec<Signal> {
        self.ended.store(false, Ordering::Release);
        let came = self.interrupted.swap(false, Ordering::AcqRel);
        Vec::from_iter(came.then_some(Signal))
    }
}

/// Wakes the pump.
#[derive(Default)]
struct Bell {
    has_rung: Mutex<bool>,
    rings: Condvar,
}

impl Bell {
    fn ring(&self) {
        *lock(&self.has_rung) = true;
        self.rings.notify_one();
    }

    /// Waits until it rings, if it has not since the last time.
    fn wait(&self, timeout: Option<Duration>) {
        let mut has_rung = lock(&self.has_rung);
        if !*has_rung {
            has_rung = match timeout {
                Some(timeout) => {
                    let waited = self.rings.wait_timeout(has_rung, timeout);
                    waited.unwrap_or_else(PoisonError::into_inner).0
                }
                None => {
                    let waited = self.rings.wait(has_rung);
                    waited.unwrap_or_else(PoisonError::into_inner)
                }
            };
        }
        *has_rung = false;
    }
}

/// The bytes between a thread and the pump: no more than a chunk.
struct Pipe {
    state: Mutex<State>,
    /// Wakes the thread.
    changed: Condvar,
    /// Wakes the pump.
    bell: Arc<Bell>,
}

#[derive(Default)]
struct State {
    bytes: Vec<u8>,
    /// The thread has taken bytes, and not written them yet.
    is_writing: bool,
    /// The other party is gone, and the thread with it.
    is_over: bool,
    /// The pump is done.
    is_closed: bool,
}

impl Pipe {
    fn new(bell: &Arc<Bell>) -> Arc<Self> {
        Arc::new(Self {
            state: Mutex::default(),
            changed: Condvar::new(),
            bell: Arc::clone(bell),
        })
    }

    /// Waits while a condition holds and the pump is not done.
    fn wait_while(&self, condition: impl Fn(&State) -> bool) -> MutexGuard<'_, State> {
        let waits = |state: &mut State| condition(state) && !state.is_closed;
        let waited = self.changed.wait_while(lock(&self.state), waits);
        waited.unwrap_or_else(PoisonError::into_inner)
    }

    fn end(&self) {
        lock(&self.state).is_over = true;
        self.bell.ring();
    }

    fn close(&self) {
        lock(&self.state).is_closed = true;
        self.changed.notify_one();
    }

    /// Reads a file to its end.
    fn read_from(&self, mut file: impl io::Read) {
        let mut buffer = vec![0; CHUNK];
        loop {
            let bytes = match file.read(&mut buffer) {
                Ok(0) => break,
                Ok(count) => &buffer[..count],
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(_) => break,
            };
            let mut state = self.wait_while(|state| !state.bytes.is_empty());
            if state.is_closed {
                return;
            }
            state.bytes.extend_from_slice(bytes);
            drop(state);
            self.bell.ring();
        }
        self.end();
    }

    /// Writes to a file until the pump is done. Then it is closed.
    fn write_to(&self, mut file: impl Write) {
        let mut bytes = Vec::new();
        loop {
            let mut state = self.wait_while(|state| state.bytes.is_empty());
            if state.bytes.is_empty() {
                return;
            }
            std::mem::swap(&mut state.bytes, &mut bytes);
            state.is_writing = true;
            drop(state);
            if file.write_all(&bytes).and_then(|()| file.flush()).is_err() {
                return self.end();
            }
            bytes.clear();
            lock(&self.state).is_writing = false;
            self.bell.ring();
        }
    }
}

/// A pipe that is read.
pub(super) struct Input(Arc<Pipe>);

impl Input {
    fn new(file: impl io::Read + Send + 'static, bell: &Arc<Bell>) -> io::Result<Self> {
        let pipe = Pipe::new(bell);
        let ours = Arc::clone(&pipe);
        spawn("reader", move || ours.read_from(file))?;
        Ok(Self(pipe))
    }

    /// Whether it can be read without knowing that something is there.
    #[expect(clippy::unused_self, reason = "elsewhere it depends on it")]
    pub(super) fn never_waits(&self) -> bool {
        true
    }

    fn is_ready(&self) -> bool {
        let state = lock(&self.0.state);
        !state.bytes.is_empty() || state.is_over
    }

    /// Reads what is there.
    pub(super) fn read(&self, buffer: &mut [u8]) -> Read {
        let mut state = lock(&self.0.state);
        if state.bytes.is_empty() {
            return if state.is_over {
                Read::End
            } else {
                Read::Later
            };
        }
        let count = state.bytes.len().min(buffer.len());
        buffer[..count].copy_from_slice(&state.bytes[..count]);
        state.bytes.drain(..count);
        drop(state);
        self.0.changed.notify_one();
        Read::Some(count)
    }
}

impl Drop for Input {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// A pipe that is written. Dropping it closes the pipe once everything is written.
pub(super) struct Output(Arc<Pipe>);

impl Output {
    fn new(file: impl Write + Send + 'static, bell: &Arc<Bell>) -> io::Result<Self> {
        let pipe = Pipe::new(bell);
        let ours = Arc::clone(&pipe);
        spawn("writer", move || ours.write_to(file))?;
        Ok(Self(pipe))
    }

    pub(super) fn write(&self, bytes: &[u8]) -> Written {
        let mut state = lock(&self.0.state);
        if state.is_over {
            return Written::Gone;
        }
        if state.is_busy() {
            return Written::Later;
        }
        let bytes = bytes.get(..CHUNK).unwrap_or(bytes);
        state.bytes.extend_from_slice(bytes);
        drop(state);
        self.0.changed.notify_one();
        Written::Some(bytes.len())
    }

    /// Whether bytes that it took are not written yet.
    pub(super) fn is_busy(&self) -> bool {
        let state = lock(&self.0.state);
        state.is_busy() && !state.is_over
    }

    fn room(&self, is_behind: bool) -> Room {
        let state = lock(&self.0.state);
        if state.is_over {
            Room::Gone
        } else if is_behind && !state.is_busy() {
            Room::Some
        } else {
            Room::Unknown
        }
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        self.0.close();
    }
}

impl State {
    fn is_busy(&self) -> bool {
        self.is_writing || !self.bytes.is_empty()
    }
}

fn spawn(name: &str, run: impl FnOnce() + Send + 'static) -> io::Result<()> {
    thread::Builder::new().name(name.to_owned()).spawn(run)?;
    Ok(())
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
