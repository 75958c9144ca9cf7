//! A change that breaks a message, and its known consequences.

/// One change to a valid message.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Fault {
    /// The change, in a few words.
    pub change: String,
    /// The JSON Pointer of the value that was changed, added or taken away.
    pub place: String,
    /// The consequence.
    pub expected: Expected,
}

/// The consequence of a change.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expected {
    /// The message stays valid.
    Valid,
    /// The message is broken.
    Broken {
        /// The JSON Pointer at which it is reported: the place itself, or the object that lacks a
        /// member.
        at: String,
        /// The rules of which one reports it.
        rules: &'static [&'static str],
    },
    /// The tables alone do not decide.
    Open,
}
