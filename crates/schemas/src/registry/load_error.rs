//! Errors of schemas that are given by name or as text.

use core::fmt;

/// The reason why there is no compiled schema.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct LoadError {
    /// Whether a schema exists.
    pub kind: LoadErrorKind,
    /// The fault, with the name of the file.
    pub message: String,
}

/// Whether a schema exists.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LoadErrorKind {
    /// There is none of this name.
    NotFound,
    /// There is one that cannot be read or compiled.
    Unusable,
}

impl LoadError {
    pub(super) fn not_found(message: String) -> Self {
        Self {
            kind: LoadErrorKind::NotFound,
            message,
        }
    }

    pub(super) fn unusable(message: String) -> Self {
        Self {
            kind: LoadErrorKind::Unusable,
            message,
        }
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl core::error::Error for LoadError {}
