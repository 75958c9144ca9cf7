//! The revisions of the protocol, and sets of them.
//!
//! The contents of a revision are in `wire/`; this module has only names and order.

use core::fmt;
use core::num::NonZeroU8;
use core::str::FromStr;

use super::{FACTS, Fact, REVISION_COUNT, REVISION_NAMES};

/// A released revision of the Model Context Protocol.
///
/// ```
/// use mcp_assay_model::Revision;
///
/// let revision: Revision = "2025-06-18".parse()?;
/// assert_eq!(revision, Revision::V2025_06_18);
/// # Ok::<(), mcp_assay_model::UnknownRevision>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
// Its place, counted from one: so an optional one is a single byte, too.
pub struct Revision(NonZeroU8);

impl Revision {
    /// The number of revisions.
    pub const COUNT: usize = REVISION_COUNT;

    /// All revisions, oldest first.
    pub const ALL: [Self; Self::COUNT] = {
        let mut all = [Self(NonZeroU8::MIN); Self::COUNT];
        let mut index = 1;
        while index < Self::COUNT {
            all[index] = Self(NonZeroU8::MIN.saturating_add(index as u8));
            index += 1;
        }
        all
    };

    pub(crate) const fn at(index: u8) -> Self {
        assert!((index as usize) < Self::COUNT);
        Self(NonZeroU8::MIN.saturating_add(index))
    }

    /// The newest revision.
    #[must_use]
    pub const fn latest() -> Self {
        Self::ALL[Self::COUNT - 1]
    }

    /// Finds the revision of this name on the wire.
    #[must_use]
    pub fn from_bytes(name: &[u8]) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|revision| revision.name().as_bytes() == name)
    }

    /// The newest revision that has a fact.
    #[must_use]
    pub fn latest_with(fact: Fact) -> Option<Self> {
        Self::ALL
            .into_iter()
            .rev()
            .find(|revision| revision.has(fact))
    }

    /// The revision that is assumed where neither the caller nor a message names one: the newest with a
    /// handshake, 2025-11-25. A later one is always named by the messages themselves.
    #[must_use]
    pub fn assumed() -> Self {
        Self::latest_with(Fact::Handshake).unwrap_or(Self::latest())
    }

    /// The name on the wire: a date.
    #[must_use]
    pub fn name(self) -> &'static str {
        REVISION_NAMES[self.index()]
    }

    /// Position in [`Revision::ALL`].
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0.get() as usize - 1
    }

    /// Whether a named fact holds in this revision.
    #[must_use]
    pub fn has(self, fact: Fact) -> bool {
        FACTS[fact as usize].2.contains(self)
    }
}

impl fmt::Display for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl fmt::Debug for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Revision {
    type Err = UnknownRevision;

    fn from_str(text: &str) -> Result<Self, UnknownRevision> {
        Self::from_bytes(text.as_bytes()).ok_or(UnknownRevision)
    }
}

/// The error for a text that names no released revision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnknownRevision;

impl fmt::Display for UnknownRevision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a released revision; known are ")?;
        for (index, revision) in Revision::ALL.into_iter().enumerate() {
            write!(f, "{}{revision}", if index == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

impl core::error::Error for UnknownRevision {}

/// A set of revisions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct RevisionSet(u8);

impl RevisionSet {
    /// No revision.
    pub const NONE: Self = Self(0);
    /// Every revision.
    pub const ALL: Self = Self(((1u16 << Revision::COUNT) - 1) as u8);

    pub(crate) const fn of_bits(bits: u8) -> Self {
        Self(bits & Self::ALL.0)
    }

    /// From this revision on.
    #[must_use]
    pub const fn since(revision: Revision) -> Self {
        Self(Self::ALL.0 & !((1 << revision.index()) - 1))
    }

    /// Up to and including this revision.
    #[must_use]
    pub const fn until(revision: Revision) -> Self {
        Self(((2u16 << revision.index()) - 1) as u8)
    }

    /// This revision alone.
    #[must_use]
    pub const fn only(revision: Revision) -> Self {
        Self(1 << revision.index())
    }

    /// Whether the revision is in the set.
    #[inline]
    #[must_use]
    pub const fn contains(self, revision: Revision) -> bool {
        self.0 >> revision.index() & 1 == 1
    }

    /// Whether the set is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The revisions in both sets.
    #[must_use]
    pub const fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The revisions of the set, oldest first.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = Revision> {
        Revision::ALL
            .into_iter()
            .filter(move |revision| self.contains(*revision))
    }
}

impl FromIterator<Revision> for RevisionSet {
    fn from_iter<I: IntoIterator<Item = Revision>>(revisions: I) -> Self {
        Self(
            revisions
                .into_iter()
                .fold(0, |bits, revision| bits | 1 << revision.index()),
        )
    }
}

/// "since 2025-06-18", "until 2025-11-25", "in all revisions" and the like.
impl fmt::Display for RevisionSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Some(first), Some(last)) = (self.iter().next(), self.iter().next_back()) else {
            return f.write_str("in no revision");
        };
        if *self == Self::ALL {
            f.write_str("in all revisions")
        } else if first == last {
            write!(f, "only in {first}")
        } else if *self == Self::since(first) {
            write!(f, "since {first}")
        } else if *self == Self::until(last) {
            write!(f, "until {last}")
        } else {
            f.write_str("in ")?;
            for (index, revision) in self.iter().enumerate() {
                write!(f, "{}{revision}", if index == 0 { "" } else { ", " })?;
            }
            Ok(())
        }
    }
}

impl fmt::Debug for RevisionSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_name_their_range() {
        let since = RevisionSet::since(Revision::V2025_06_18);
        assert_eq!(since.to_string(), "since 2025-06-18");
        let until = RevisionSet::until(Revision::V2025_03_26);
        assert_eq!(until.to_string(), "until 2025-03-26");
        assert_eq!(
            RevisionSet::only(Revision::V2025_03_26).to_string(),
            "only in 2025-03-26"
        );
        assert_eq!(since.intersection(until), RevisionSet::NONE);
        assert_eq!(RevisionSet::ALL.iter().count(), Revision::COUNT);
    }
}
