//! The error of a profile that cannot be made.

use core::fmt;

/// A fault in a part of a profile, in one sentence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProfileFault {
    part: &'static str,
    text: String,
}

impl ProfileFault {
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Self::at("", text)
    }

    /// The same, for one part of the input.
    pub(crate) fn at(part: &'static str, text: impl Into<String>) -> Self {
        Self {
            part,
            text: text.into(),
        }
    }

    /// The field of a [`CustomRule`](super::CustomRule) that is at fault; empty if it is the whole.
    #[must_use]
    pub fn part(&self) -> &'static str {
        self.part
    }
}

impl fmt::Display for ProfileFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl core::error::Error for ProfileFault {}
