//! From arguments to bytes: finds files, opens them, and splits lines.
//!
//! The module `capture` interprets a line.

mod source;
mod walk;
mod zstd;

pub(crate) use self::source::{Meter, Source, is_packed};
pub(crate) use self::walk::find;
