//! Compares a log with a golden one, event by event.
//!
//! Both are read twice, line by line: once for a fingerprint of each event, from which they are
//! aligned, and once for those events that differ. Memory grows by a few words per event, whatever
//! its content.

mod align;
mod compare;
mod event;
mod fields;
mod show;
mod stream;
mod update;

pub(crate) use self::compare::{OnDifference, Request, run};
pub(crate) use self::fields::Ids;
