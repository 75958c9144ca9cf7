//! Sources of schemas that have a name. The registry reads no files itself.

use core::fmt;

use super::load_error::LoadError;

/// A place that has schemas by name: folders, an archive, a service.
pub trait SchemaSource: Send + Sync + fmt::Debug {
    /// Reads the schema of a name. Names are words joined by `/`, as `tools/search.input`.
    ///
    /// # Errors
    ///
    /// There is none, or it cannot be read.
    fn read(&self, name: &str) -> Result<SchemaText, SourceFault>;
}

/// A schema as its source has it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SchemaText {
    /// The text.
    pub bytes: Vec<u8>,
    /// Any text that changes whenever the bytes do: a digest, a version.
    pub stamp: String,
    /// Its place, for people: the path of the file.
    pub location: String,
}

/// The reason why a source has no schema of a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SourceFault {
    /// There is none.
    Missing {
        /// The file that was searched for, and the folders.
        looked_for: String,
    },
    /// There is one, but it cannot be read.
    Unreadable {
        /// Its place.
        location: String,
        /// The reason why it cannot be read.
        reason: String,
    },
}

impl From<SourceFault> for LoadError {
    fn from(fault: SourceFault) -> Self {
        match fault {
            SourceFault::Missing { looked_for } => {
                Self::not_found(format!("there is no schema {looked_for}"))
            }
            SourceFault::Unreadable { location, reason } => {
                Self::unusable(format!("failed to read the schema {location}: {reason}"))
            }
        }
    }
}
