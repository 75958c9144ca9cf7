//! Wishes of the user or the system that the program ends: SIGINT and SIGTERM on Unix; Ctrl-C,
//! Ctrl-Break, the end of the console and that of the system on Windows.

use std::io;

#[cfg(unix)]
use tokio::signal::unix::{Signal, SignalKind, signal};
#[cfg(windows)]
use tokio::signal::windows::{
    CtrlBreak, CtrlC, CtrlClose, CtrlShutdown, ctrl_break, ctrl_c, ctrl_close, ctrl_shutdown,
};

/// The wishes that come from now on.
#[cfg(unix)]
pub(crate) struct Interrupts {
    interrupt: Signal,
    terminate: Signal,
}

#[cfg(unix)]
impl Interrupts {
    pub(crate) fn new() -> io::Result<Self> {
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
        })
    }

    /// Waits for one.
    pub(crate) async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}

/// The wishes that come from now on.
#[cfg(windows)]
pub(crate) struct Interrupts {
    c: CtrlC,
    stop: CtrlBreak,
    close: CtrlClose,
    shutdown: CtrlShutdown,
}

#[cfg(windows)]
impl Interrupts {
    pub(crate) fn new() -> io::Result<Self> {
        Ok(Self {
            c: ctrl_c()?,
            stop: ctrl_break()?,
            close: ctrl_close()?,
            shutdown: ctrl_shutdown()?,
        })
    }

    /// Waits for one.
    pub(crate) async fn next(&mut self) {
        tokio::select! {
            _ = self.c.recv() => {}
            _ = self.stop.recv() => {}
            _ = self.close.recv() => {}
            _ = self.shutdown.recv() => {}
        }
    }
}

/// Calls a function for each of them, in a thread of its own.
#[cfg(windows)]
pub(crate) fn on_each(mut react: impl FnMut() + Send + 'static) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    // From here on none is missed.
    let mut interrupts = Interrupts::new()?;
    std::thread::Builder::new()
        .name("interrupts".to_owned())
        .spawn(move || {
            runtime.block_on(async {
                loop {
                    interrupts.next().await;
                    react();
                }
            });
        })?;
    Ok(())
}

/// Sets a flag at the first of them, and ends the program at the second.
#[cfg(windows)]
pub(crate) fn set_flag(
    flag: std::sync::Arc<std::sync::atomic::AtomicBool>,
    second: i32,
) -> io::Result<()> {
    on_each(move || {
        if flag.swap(true, std::sync::atomic::Ordering::Relaxed) {
            std::process::exit(second);
        }
    })
}
