//! Readers of recorded traffic, whatever program wrote it down.
//!
//! Our own format and bare messages (`native`), logs of programs (`claude`, `vscode`,
//! `supergateway`), exports and recordings of tools (`inspector`, `har`, `trace`, `recorder`).
//! `format` has the list, `foreign` the kinds that are only named. Nothing is checked here but
//! whether a record can be read.

mod broken;
mod claude;
mod coding;
mod detect;
mod epochs;
mod exchange;
mod fidelity;
mod foreign;
mod format;
mod guess;
mod har;
mod http;
mod inspector;
mod lines;
mod native;
mod order;
mod places;
mod reader;
mod record;
mod recorder;
mod sessions;
mod sse;
mod stamp;
mod supergateway;
#[cfg(test)]
mod tests;
mod text;
mod trace;
mod vscode;
mod web;
mod zstd;

pub use self::broken::{Broken, Lost};
pub use self::detect::{Detected, Detector, detect};
pub use self::fidelity::{About, Fidelity, Missing, Reading};
pub use self::foreign::Foreign;
pub use self::format::{DOCUMENT_LIMIT, Format, LineReader};
pub use self::http::{Headers, RequestHead, ResponseHead};
pub use self::lines::{Line, Lines, Prefix};
pub use self::record::{Content, Event, Gap, Payload, Record, Sink};
pub use self::zstd::ZstdFrames;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
