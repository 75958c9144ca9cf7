//! The cores of the processes of a round trip.
//!
//! Waking a process on another virtual core takes longer than forwarding a message, and the
//! scheduler decides at that moment whether it is needed. So both cases are measured, and times are
//! compared within one.

use anyhow::{Context, Result};
use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
use nix::unistd::Pid;

/// The cores of the processes of a round trip.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Placement {
    /// All on the same core: no process has to be woken elsewhere.
    OneCore,
    /// The choice of the scheduler.
    AllCores,
}

/// Restores the cores when it is dropped.
pub(crate) struct Placed {
    before: CpuSet,
}

impl Placement {
    pub(crate) const ALL: [Self; 2] = [Self::OneCore, Self::AllCores];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::OneCore => "one core",
            Self::AllCores => "all cores",
        }
    }

    /// Holds for this thread, and for all threads and processes that it starts from now on.
    pub(crate) fn enter(self) -> Result<Placed> {
        let here = Pid::from_raw(0);
        let before = sched_getaffinity(here).context("cannot tell which cores there are")?;
        if self == Self::OneCore {
            // The last one: the first has more to do with devices.
            let mut cores = (0..CpuSet::count()).rev();
            let last = cores.find(|core| before.is_set(*core).unwrap_or_default());
            let mut one = CpuSet::new();
            one.set(last.context("there is no core")?)?;
            sched_setaffinity(here, &one).context("cannot stay on one core")?;
        }
        Ok(Placed { before })
    }
}

impl Drop for Placed {
    fn drop(&mut self) {
        // They were ours before.
        let _ = sched_setaffinity(Pid::from_raw(0), &self.before);
    }
}
