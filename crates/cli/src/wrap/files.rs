//! Pipes that are read and written without waiting.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::io::Errno;

/// What a pipe takes without waiting, once it takes anything.
const ATOMIC: usize = 4096;

/// Where bytes go.
pub(super) struct Output {
    file: OwnedFd,
    /// Whether writing may wait. Standard output may be shared with others, who must not find it changed.
    may_wait: bool,
}

/// How far a write came.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Written {
    /// So many bytes.
    Some(usize),
    /// Nothing for now.
    Later,
    /// Nobody reads any more.
    Gone,
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
        if let Some(file) = reopened(&inherited, 1) {
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

/// Standard output opened a second time, if it is a pipe: so its flags are not those of the others who have it.
fn reopened(file: &OwnedFd, number: u32) -> Option<File> {
    let kind = File::from(file.try_clone().ok()?)
        .metadata()
        .ok()?
        .file_type();
    if !kind.is_fifo() {
        return None;
    }
    OpenOptions::new()
        .write(true)
        .custom_flags(OFlags::NONBLOCK.bits().cast_signed())
        .open(format!("/proc/self/fd/{number}"))
        .ok()
}

pub(super) fn set_non_blocking(file: &impl AsFd) -> io::Result<()> {
    let flags = fcntl_getfl(file)?;
    fcntl_setfl(file, flags | OFlags::NONBLOCK)?;
    Ok(())
}

/// Reads what is there.
pub(super) fn read(file: &impl AsFd, buffer: &mut [u8]) -> Read {
    loop {
        match rustix::io::read(file, &mut *buffer) {
            Ok(0) => return Read::End,
            Ok(count) => return Read::Some(count),
            Err(Errno::INTR) => {}
            Err(Errno::AGAIN) => return Read::Later,
            Err(_) => return Read::End,
        }
    }
}

/// How far a read came.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Read {
    Some(usize),
    Later,
    End,
}
