//! Unix: pipes that are read and written without waiting, and signals. One thread waits for all of
//! them with `poll`.

use std::fs::{File, FileType, OpenOptions};
use std::io::{self, Read as _};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
use std::os::unix::net::UnixStream;
use std::process::{Child, ChildStdin, ChildStdout};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use mcp_assay_system::{ProcessTree, Signal as Number};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::io::Errno;
use rustix::net::{RecvFlags, recv};
use signal_hook::consts::{SIGCHLD, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2};

use super::events::{Read, Ready, Room, Written};

/// Bytes that a pipe takes without waiting, once it takes anything.
const ATOMIC: usize = 4096;

/// Signals that are passed on.
const PASSED_ON: [(i32, Number); 6] = [
    (SIGHUP, Number::HUP),
    (SIGINT, Number::INT),
    (SIGQUIT, Number::QUIT),
    (SIGTERM, Number::TERM),
    (SIGUSR1, Number::USR1),
    (SIGUSR2, Number::USR2),
];

/// A signal to this program.
#[derive(Clone, Copy)]
pub(super) struct Signal(Number);

impl Signal {
    /// Whether it can ask for the numbers of the session.
    pub(super) fn asks_for_metrics(self) -> bool {
        self.0 == Number::USR1
    }

    /// Whether it can ask to read the definitions again.
    pub(super) fn asks_for_definitions(self) -> bool {
        self.0 == Number::HUP
    }

    /// Whether it asks a program to end.
    pub(super) fn asks_to_end(self) -> bool {
        matches!(
            self.0,
            Number::HUP | Number::INT | Number::QUIT | Number::TERM
        )
    }

    /// Gives it to the server.
    pub(super) fn pass_on(self, server: &ProcessTree) {
        server.signal(self.0);
    }
}

/// Asks the server to end.
pub(super) fn ask_to_end(server: &ProcessTree) {
    server.signal(Number::TERM);
}

/// Everything that the pump waits for: pipes are waited for as they are, and a signal sets a flag
/// and wakes with a byte in a pipe of its own.
pub(super) struct Events {
    pipe: UnixStream,
    flags: Vec<(Signal, Arc<AtomicBool>)>,
}

impl Events {
    pub(super) fn new(_: &Child) -> io::Result<Self> {
        let (mut flags, (pipe, wake)) = (Vec::new(), UnixStream::pair()?);
        pipe.set_nonblocking(true)?;
        wake.set_nonblocking(true)?;
        for (number, signal) in PASSED_ON {
            let flag = Arc::new(AtomicBool::new(false));
            // The flag first: whoever is woken finds it.
            signal_hook::flag::register(number, Arc::clone(&flag))?;
            signal_hook::low_level::pipe::register(number, wake.try_clone()?)?;
            flags.push((Signal(signal), flag));
        }
        signal_hook::low_level::pipe::register(SIGCHLD, wake)?;
        Ok(Self { pipe, flags })
    }

    /// The pipes of the server.
    #[expect(clippy::unused_self, reason = "elsewhere they ring a bell of it")]
    pub(super) fn server(
        &self,
        stdin: Option<ChildStdin>,
        stdout: Option<ChildStdout>,
    ) -> io::Result<(Option<Input>, Option<Output>)> {
        let stdout = stdout.map(|it| Input::own(it.into())).transpose()?;
        let stdin = stdin.map(|it| Output::own(it.into())).transpose()?;
        Ok((stdout, stdin))
    }

    /// Our own pipes. They may be shared with others: they are used only when that does not wait.
    /// What holds them here is all that does, so that letting go of it closes them, and nothing
    /// else in this program can write to the client.
    #[expect(clippy::unused_self, reason = "elsewhere they ring a bell of it")]
    pub(super) fn client(&self) -> io::Result<(Input, Output)> {
        let (input, output) = (Input::standard()?, Output::standard()?);
        let nowhere = File::options().read(true).write(true).open("/dev/null")?;
        rustix::stdio::dup2_stdin(&nowhere)?;
        rustix::stdio::dup2_stdout(&nowhere)?;
        Ok((input, output))
    }

    /// Waits until something can be done. Outputs come with whether bytes wait for them.
    pub(super) fn wait(
        &self,
        inputs: [Option<&Input>; 2],
        outputs: [Option<(&Output, bool)>; 2],
        timeout: Option<Duration>,
    ) -> Ready {
        enum Item {
            Signals,
            Input(usize),
            Output(usize),
        }
        let mut fds = vec![PollFd::new(&self.pipe, PollFlags::IN)];
        let mut what = vec![Item::Signals];
        for (number, input) in inputs.into_iter().enumerate() {
            if let Some(input) = input {
                fds.push(PollFd::new(input, PollFlags::IN));
                what.push(Item::Input(number));
            }
        }
        for (number, output) in outputs.into_iter().enumerate() {
            if let Some((output, is_behind)) = output {
                // Without a wish for room it is still told when nobody reads any more.
                let wish = if is_behind {
                    PollFlags::OUT
                } else {
                    PollFlags::empty()
                };
                fds.push(PollFd::new(output, wish));
                what.push(Item::Output(number));
            }
        }
        let timeout = timeout
            .map(|left| Timespec::try_from(left + Duration::from_millis(1)).unwrap_or_default());
        let mut ready = Ready::default();
        if poll(&mut fds, timeout.as_ref()).is_ok() {
            for (fd, item) in fds.iter().zip(&what) {
                let flags = fd.revents();
                if flags.is_empty() {
                    continue;
                }
                match *item {
                    Item::Signals => ready.events = true,
                    Item::Input(number) => ready.inputs[number] = true,
                    Item::Output(number) => ready.outputs[number] = room(flags),
                }
            }
        }
        ready
    }

    /// The signals that came since the last time.
    pub(super) fn signals(&self) -> Vec<Signal> {
        let mut bytes = [0; 64];
        while let Ok(64) = (&self.pipe).read(&mut bytes) {}
        let came = |flag: &AtomicBool| flag.swap(false, Ordering::Relaxed);
        self.flags
            .iter()
            .filter(|(_, flag)| came(flag))
            .map(|(signal, _)| *signal)
            .collect()
    }
}

fn room(flags: PollFlags) -> Room {
    if flags.intersects(PollFlags::ERR | PollFlags::HUP | PollFlags::NVAL) {
        Room::Gone
    } else {
        Room::Some
    }
}

/// A file that is written.
pub(super) struct Output {
    file: OwnedFd,
    /// Whether writing may wait. Standard output may be shared with others, who must not find it
    /// changed.
    may_wait: bool,
}

/// A file that is read.
pub(super) struct Input {
    file: OwnedFd,
    kind: Kind,
}

/// The mode in which it is read without waiting.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Reading never waits.
    Own,
    /// A socket is told each time not to wait.
    Socket,
    /// Only when it is known that something is there. It may be shared with others, who must not
    /// find it changed.
    Asked,
}

impl Input {
    /// A pipe of our own.
    fn own(file: OwnedFd) -> io::Result<Self> {
        set_non_blocking(&file)?;
        Ok(Self {
            file,
            kind: Kind::Own,
        })
    }

    /// Our standard input. Where it can be opened anew, the new one is ours alone.
    fn standard() -> io::Result<Self> {
        let inherited = rustix::io::dup(rustix::stdio::stdin())?;
        if let Some(file) = reopened(&inherited, OpenOptions::new().read(true), 0) {
            return Ok(Self {
                file: file.into(),
                kind: Kind::Own,
            });
        }
        let is_socket = kind(&inherited).is_some_and(|kind| kind.is_socket());
        Ok(Self {
            file: inherited,
            kind: if is_socket { Kind::Socket } else { Kind::Asked },
        })
    }

    /// Whether it can be read without knowing that something is there.
    pub(super) fn never_waits(&self) -> bool {
        self.kind != Kind::Asked
    }

    /// Reads what is there.
    pub(super) fn read(&self, buffer: &mut [u8]) -> Read {
        loop {
            let count = if self.kind == Kind::Socket {
                recv(&self.file, &mut *buffer, RecvFlags::DONTWAIT).map(|(count, _)| count)
            } else {
                rustix::io::read(&self.file, &mut *buffer)
            };
            match count {
                Ok(0) => return Read::End,
                Ok(count) => return Read::Some(count),
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => return Read::Later,
                Err(_) => return Read::End,
            }
        }
    }
}

impl AsFd for Input {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.file.as_fd()
    }
}

impl Output {
    /// A pipe of our own.
    fn own(file: OwnedFd) -> io::Result<Self> {
        set_non_blocking(&file)?;
        Ok(Self {
            file,
            may_wait: false,
        })
    }

    /// Our standard output. Where it can be opened anew, the new one is ours alone.
    fn standard() -> io::Result<Self> {
        let inherited = rustix::io::dup(rustix::stdio::stdout())?;
        if let Some(file) = reopened(&inherited, OpenOptions::new().write(true), 1) {
            return Ok(Self {
                file: file.into(),
                may_wait: false,
            });
        }
        Ok(Self {
            file: inherited,
            may_wait: true,
        })
    }

    pub(super) fn write(&self, bytes: &[u8]) -> Written {
        let mut bytes = bytes;
        if self.may_wait {
            bytes = bytes.get(..ATOMIC).unwrap_or(bytes);
            if !self.is_ready() {
                return Written::Later;
            }
        }
        loop {
            match rustix::io::write(&self.file, bytes) {
                Ok(count) => return Written::Some(count),
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => return Written::Later,
                Err(_) => return Written::Gone,
            }
        }
    }

    /// Whether bytes that it took are not written yet: never, the system has them.
    #[expect(clippy::unused_self, reason = "elsewhere it depends on it")]
    pub(super) fn is_busy(&self) -> bool {
        false
    }

    fn is_ready(&self) -> bool {
        let mut fds = [PollFd::new(&self.file, PollFlags::OUT)];
        let now = Timespec::default();
        poll(&mut fds, Some(&now)).is_ok_and(|ready| ready > 0)
    }
}

impl AsFd for Output {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.file.as_fd()
    }
}

/// A standard stream opened a second time, if it is a pipe: so its flags are not those of the
/// others who have it.
fn reopened(file: &OwnedFd, options: &mut OpenOptions, number: u32) -> Option<File> {
    if !kind(file)?.is_fifo() {
        return None;
    }
    options
        .custom_flags(OFlags::NONBLOCK.bits().cast_signed())
        .open(format!("/proc/self/fd/{number}"))
        .ok()
}

/// The type of a file.
fn kind(file: &OwnedFd) -> Option<FileType> {
    let file = File::from(file.try_clone().ok()?);
    Some(file.metadata().ok()?.file_type())
}

fn set_non_blocking(file: &impl AsFd) -> io::Result<()> {
    let flags = fcntl_getfl(file)?;
    fcntl_setfl(file, flags | OFlags::NONBLOCK)?;
    Ok(())
}
