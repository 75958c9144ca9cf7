//! The reason why a source was not checked to its end.

use std::io;

/// The reason why a source was not checked to its end.
#[derive(Debug)]
pub(super) enum Failure {
    /// It could not be read.
    Read(io::Error),
    /// The report could not be written.
    Write(io::Error),
}
