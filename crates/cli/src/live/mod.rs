//! Live checking in the program, whatever carries the traffic: reports, recordings, the summary.

mod dropped;
mod judge;
mod metrics_file;
mod recorder;
mod report;
mod shared;
mod summary;
mod watch;

pub(crate) use self::dropped::dropped;
pub(crate) use self::judge::Judge;
pub(crate) use self::metrics_file::MetricsFile;
pub(crate) use self::recorder::Recorder;
pub(crate) use self::report::ReportFile;
pub(crate) use self::shared::Shared;
pub(crate) use self::summary::Summary;
pub(crate) use self::watch::Watch;
