//! Ctrl-C: the first one ends the probe, which reports what is known so far; the second one ends
//! the program.

use anyhow::Context as _;
use mcp_assay_probe::Interrupt;

use crate::exit::Exit;

/// Ends the probe on Ctrl-C.
pub(super) fn on_signal(interrupt: &Interrupt) -> anyhow::Result<()> {
    set_flag(interrupt).context("failed to handle Ctrl-C")
}

#[cfg(unix)]
fn set_flag(interrupt: &Interrupt) -> std::io::Result<()> {
    use signal_hook::consts::SIGINT;
    use signal_hook::flag;

    let flag = interrupt.flag();
    // In this order: the first signal finds the flag unset.
    flag::register_conditional_shutdown(SIGINT, Exit::Interrupted.code(), flag.clone())?;
    flag::register(SIGINT, flag)?;
    Ok(())
}

#[cfg(windows)]
fn set_flag(interrupt: &Interrupt) -> std::io::Result<()> {
    crate::interrupts::set_flag(interrupt.flag(), Exit::Interrupted.code())
}
