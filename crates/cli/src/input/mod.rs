//! From arguments to bytes: which files there are, how they are opened, and where their lines end.
//!
//! What a line means is the business of `capture`.

mod source;
mod walk;
mod zstd;

pub(crate) use self::source::{Meter, Source, is_packed};
pub(crate) use self::walk::find;
