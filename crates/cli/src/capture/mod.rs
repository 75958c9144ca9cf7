//! What a source means: records of what was seen on the wire, whatever program wrote them down.
//!
//! Our own format and bare messages (`native`), logs of clients (`claude`, `vscode`), exports of tools (`inspector`, `har`, `trace`).
//! Nothing is judged here but whether a record can be read.

mod broken;
mod claude;
mod detect;
mod document;
mod epochs;
mod fidelity;
mod format;
mod guess;
mod har;
mod http;
mod inspector;
mod native;
mod order;
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

pub(crate) use self::broken::{Broken, Lost};
pub(crate) use self::detect::detect;
pub(crate) use self::document::{DOCUMENT_LIMIT, read_document};
pub(crate) use self::fidelity::{Fidelity, Missing, Reading};
pub(crate) use self::format::Format;
pub(crate) use self::reader::LineReader;
pub(crate) use self::record::{Content, Gap, Record, Sink};
