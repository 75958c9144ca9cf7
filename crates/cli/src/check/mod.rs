//! Runs a check over sources and reports in their order.
//!
//! One source is checked on this thread; several are shared out (`ordered`).

mod checkers;
mod connections;
mod detection;
mod documents;
mod failure;
mod ordered;
mod progress;
mod report;
mod run;
mod screen;
mod source;
mod tools;

pub(crate) use self::run::run;
pub(crate) use self::tools::tools_of;
