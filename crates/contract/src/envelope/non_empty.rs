//! A text that is not empty.

use core::fmt;
use std::borrow::Cow;

/// A string of at least one character.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NonEmpty(Cow<'static, str>);

impl NonEmpty {
    /// The text, unless it is empty.
    ///
    /// ```
    /// use mcp_assay_contract::envelope::NonEmpty;
    ///
    /// assert_eq!(NonEmpty::new("a").unwrap().as_str(), "a");
    /// assert_eq!(NonEmpty::new(""), None);
    /// ```
    #[must_use]
    pub fn new(text: impl Into<Box<str>>) -> Option<Self> {
        let text = text.into();
        (!text.is_empty()).then(|| Self(Cow::Owned(text.into())))
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Many texts are made here and cannot be empty: hexadecimal digits, a sentence of a table.
    pub(crate) fn known(text: impl Into<Cow<'static, str>>) -> Self {
        let text = text.into();
        debug_assert!(!text.is_empty());
        Self(text)
    }
}

impl fmt::Display for NonEmpty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}
