//! The SDK that a server is written with, and the findings that are those of the SDK.

mod find;
mod profile;

pub use self::profile::{Sdk, UnknownSdk};

use crate::options::Options;
use crate::report::Report;

impl Sdk {
    /// The SDK of a command and of what its server said: the package next to the command, else the
    /// wording of its errors.
    ///
    /// ```
    /// use mcp_assay_probe::{Options, Sdk, Target};
    ///
    /// let options = Options::new(Target::Command(vec!["./no-such-server".to_owned()]));
    /// assert!(Sdk::find(&options, &Default::default()).is_none());
    /// ```
    #[must_use]
    pub fn find(options: &Options, report: &Report) -> Option<Self> {
        find::by_package(options).or_else(|| find::by_wording(&report.errors))
    }
}
