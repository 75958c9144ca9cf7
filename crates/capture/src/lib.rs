//! What a source means: records of what was seen on the wire, whatever program wrote them down.
//!
//! Our own format and bare messages (`native`), logs of clients (`claude`, `vscode`), exports of tools (`inspector`, `har`, `trace`).
//! Nothing is judged here but whether a record can be read.

mod broken;
mod claude;
mod detect;
mod document;
mod epochs;
mod exchange;
mod fidelity;
mod format;
mod guess;
mod har;
mod http;
mod inspector;
mod likeness;
mod lines;
mod native;
mod order;
mod places;
mod reader;
mod record;
mod sessions;
mod sse;
mod stamp;
#[cfg(test)]
mod tests;
mod text;
mod trace;
mod vscode;
mod web;

pub use self::broken::{Broken, Lost};
pub use self::detect::detect;
pub use self::document::{DOCUMENT_LIMIT, read_document};
pub use self::fidelity::{Fidelity, Missing, Reading};
pub use self::format::Format;
pub use self::http::{Headers, RequestHead, ResponseHead};
pub use self::lines::{Line, Lines, Prefix};
pub use self::reader::LineReader;
pub use self::record::{Content, Event, Gap, Payload, Record, Sink};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
