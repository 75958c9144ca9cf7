//! What was broken in a message, and what is known about it.

/// One change to a valid message.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Fault {
    /// What was done, in a few words.
    pub change: String,
    /// The JSON Pointer of the value that was changed, added or taken away.
    pub place: String,
    /// What comes of it.
    pub expected: Expected,
}

/// What comes of a change.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expected {
    /// The message stays valid.
    Valid,
    /// The message is broken.
    Broken {
        /// The JSON Pointer at which it is reported: the place itself, or what lacks a member.
        at: String,
        /// The rules of which one reports it.
        rules: &'static [&'static str],
    },
    /// The tables alone do not tell.
    Open,
}
