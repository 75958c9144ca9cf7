//! From arguments to bytes: finds files, opens them, and splits lines.
//!
//! The module `capture` interprets a line.

mod follow;
mod source;
mod utf16;
mod walk;

pub(crate) use self::follow::{Growing, Signs};
pub(crate) use self::source::{Meter, Source, is_packed};
pub(crate) use self::walk::find;
