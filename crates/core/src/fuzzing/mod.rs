//! The functions that the fuzz targets and their stable twin in `tests/fuzz.rs` run. Not part of
//! the public interface.
//!
//! Each function takes any bytes and panics only where a promise of the crate is broken.

mod check;
mod mutate;

pub use mcp_assay_json::fuzzing::{lanes_agree, scan_never_panics};

pub use self::check::check_never_panics;
pub use self::mutate::Mutator;
