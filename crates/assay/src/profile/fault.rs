//! Why a profile cannot be made.

use core::fmt;

/// What is wrong with a part of a profile, in one sentence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProfileFault(String);

impl ProfileFault {
    pub(super) fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }
}

impl fmt::Display for ProfileFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl core::error::Error for ProfileFault {}
