//! What a script saw, for those who judge.

use std::time::Instant;

use serde_json::Value;

use crate::serve::oauth::Visit;

/// A request of the client.
pub(in crate::serve) struct Call {
    /// The conversation, and its place there.
    pub(in crate::serve) talk: usize,
    pub(in crate::serve) at: usize,
    pub(in crate::serve) method: String,
    pub(in crate::serve) params: Value,
    /// Whether it came after the handshake and is none of its parts.
    pub(in crate::serve) is_feature: bool,
}

/// Something that the server said of its own accord.
pub(in crate::serve) struct Asked {
    pub(in crate::serve) name: &'static str,
    pub(in crate::serve) id: Option<Value>,
    pub(in crate::serve) talk: usize,
    pub(in crate::serve) at: usize,
    /// The answer and its place.
    pub(in crate::serve) reply: Option<(Value, usize)>,
    /// Whether it was waited for as long as a step may take, or while the client did other things.
    pub(in crate::serve) in_vain: bool,
    pub(in crate::serve) sent: Instant,
    pub(in crate::serve) owed: bool,
}

/// What the script saw, for those who judge.
#[derive(Default)]
pub(in crate::serve) struct Seen {
    pub(in crate::serve) calls: Vec<Call>,
    /// Notifications: the conversation, the place and the method.
    pub(in crate::serve) notices: Vec<(usize, usize, String)>,
    pub(in crate::serve) asked: Vec<Asked>,
    /// Answers to nothing that was asked: the conversation and the place.
    pub(in crate::serve) strays: Vec<(usize, usize)>,
    /// How many calls there were when the odd thing happened.
    pub(in crate::serve) twisted: Option<usize>,
    /// Paths where nobody has any business.
    pub(in crate::serve) lured: Vec<String>,
    /// What was read of the resource that is new each time.
    pub(in crate::serve) texts: Vec<String>,
    /// Whether the client went on after the handshake, or needed none.
    pub(in crate::serve) agreed: bool,
    /// What the client wanted from those who hand out tokens.
    pub(in crate::serve) visits: Vec<Visit>,
    /// The ids that were handed out to clients, each with its door.
    pub(in crate::serve) clients: Vec<(usize, String)>,
    /// The first exchange that was refused for want of a token.
    pub(in crate::serve) refused: Option<i64>,
    /// The capabilities that it declared last.
    pub(in crate::serve) capabilities: Value,
}
