//! What live checking is made of, whatever carries the traffic: cutting lines, judging messages, recording them.

mod judge;
mod lines;
mod recorder;
mod report;
#[cfg(test)]
pub(crate) mod tests;
mod watch;

pub(crate) use self::judge::Judge;
pub(crate) use self::lines::{Line, Lines};
pub(crate) use self::recorder::{HttpRecord, Recorder, counted};
pub(crate) use self::report::ReportFile;
pub(crate) use self::watch::{Joined, Seen, Watch};
