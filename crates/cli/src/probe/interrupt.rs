//! Ctrl-C: the first one ends the probe, which reports what is known so far; the second one ends
//! the program.

use mcp_assay_probe::Interrupt;

#[cfg(unix)]
use super::INTERRUPTED;

/// Ends the probe on SIGINT.
#[cfg(unix)]
pub(super) fn on_signal(interrupt: &Interrupt) -> anyhow::Result<()> {
    use anyhow::Context as _;
    use signal_hook::consts::SIGINT;
    use signal_hook::flag;

    let flag = interrupt.flag();
    // In this order: the first signal finds the flag unset.
    flag::register_conditional_shutdown(SIGINT, INTERRUPTED.into(), flag.clone())
        .and_then(|_| flag::register(SIGINT, flag))
        .context("failed to handle Ctrl-C")?;
    Ok(())
}

/// Elsewhere Ctrl-C ends the program at once.
#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "it can fail on other systems")]
pub(super) fn on_signal(_: &Interrupt) -> anyhow::Result<()> {
    Ok(())
}
