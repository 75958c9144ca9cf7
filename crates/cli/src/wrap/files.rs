//! Pipes that are read and written without waiting.

use std::fs::{File, FileType, OpenOptions};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::io::Errno;
use rustix::net::{RecvFlags, recv};

/// Bytes that a pipe takes without waiting, once it takes anything.
const ATOMIC: usize = 4096;

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

/// The result of a write.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Written {
    /// The number of bytes.
    Some(usize),
    /// Nothing for now.
    Later,
    /// Nobody reads any more.
    Gone,
}

impl Input {
    /// A pipe of our own.
    pub(super) fn own(file: OwnedFd) -> io::Result<Self> {
        set_non_blocking(&file)?;
        Ok(Self {
            file,
            kind: Kind::Own,
        })
    }

    /// Our standard input. Where it can be opened anew, the new one is ours alone.
    pub(super) fn standard() -> io::Result<Self> {
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
    pub(super) fn own(file: OwnedFd) -> io::Result<Self> {
        set_non_blocking(&file)?;
        Ok(Self {
            file,
            may_wait: false,
        })
    }

    /// Our standard output. Where it can be opened anew, the new one is ours alone.
    pub(super) fn standard() -> io::Result<Self> {
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

    fn is_ready(&self) -> bool {
        let mut fds = [PollFd::new(&self.file, PollFlags::OUT)];
        let now = rustix::event::Timespec::default();
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

/// The result of a read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Read {
    Some(usize),
    Later,
    End,
}
