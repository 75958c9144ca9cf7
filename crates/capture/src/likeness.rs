//! How surely a line belongs to a kind of log.

/// How surely a line is one of a kind of log.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Likeness {
    None,
    /// It could be; another program might write the like.
    Some,
    Sure,
}
