//! The validation log: JSON Lines, one event for each message that was validated, and one for each
//! exchange.
//!
//! Everything that checks traffic can write one: it opens a [`Log`], adds each message, and ends
//! sessions. The log itself finds the messages of an exchange. It never fails the traffic: lines
//! that cannot be written are counted. Clocks and random numbers are read here, so that the library
//! need not. `docs/validation-log.md` has the format.

mod attempts;
mod clock;
mod content;
mod event;
mod exchanges;
mod file;
mod ids;
mod item;
mod latest;
mod name;
mod outcome;
mod redact;
#[cfg(test)]
mod tests;
mod writer;

pub(crate) use self::clock::file_stamp;
pub(crate) use self::event::{Event, Mended};
pub(crate) use self::redact::{Redaction, key_pattern};
pub(crate) use self::writer::{Bodies, Log, Mode, Notices, Options};
