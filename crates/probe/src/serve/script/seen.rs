//! Everything that a script saw, for the checks.

use std::time::Instant;

use serde_json::Value;

use crate::serve::oauth::{ProofUse, Refusal, Visit};

/// A request of the client.
pub(crate) struct Call {
    /// The conversation, and its place there.
    pub(crate) talk: usize,
    pub(crate) at: usize,
    pub(crate) method: String,
    pub(crate) params: Value,
    /// Whether it came after the handshake and is none of its parts.
    pub(crate) is_feature: bool,
}

/// Something that the server said of its own accord.
pub(crate) struct Asked {
    pub(crate) name: &'static str,
    pub(crate) id: Option<Value>,
    pub(crate) talk: usize,
    pub(crate) at: usize,
    /// The answer and its place.
    pub(crate) reply: Option<(Value, usize)>,
    /// Whether it was waited for as long as a step may take, or while the client did other things.
    pub(crate) in_vain: bool,
    pub(crate) sent: Instant,
    pub(crate) owed: bool,
}

/// Everything that a script saw, for the checks.
#[derive(Default)]
pub(crate) struct Seen {
    pub(crate) calls: Vec<Call>,
    /// Notifications: the conversation, the place and the method.
    pub(crate) notices: Vec<(usize, usize, String)>,
    pub(crate) asked: Vec<Asked>,
    /// How many messages there are that may harm a client.
    pub(crate) harms: usize,
    /// Answers to nothing that was asked: the conversation and the place.
    pub(crate) strays: Vec<(usize, usize)>,
    /// How many calls there were when the odd thing happened.
    pub(crate) twisted: Option<usize>,
    /// Paths where nobody has any business.
    pub(crate) baited: Vec<String>,
    /// The texts of the resource that is new each time.
    pub(crate) texts: Vec<String>,
    /// Whether the client went on after the handshake, or needed none.
    pub(crate) agreed: bool,
    /// Requests for metadata, registration and tokens.
    pub(crate) visits: Vec<Visit>,
    /// The ids that were handed out to clients, each with its door.
    pub(crate) clients: Vec<(usize, String)>,
    /// The id that the client was given before it started.
    pub(crate) given_client: Option<String>,
    /// The first exchange that was refused for want of a token.
    pub(crate) refused: Option<i64>,
    /// The requests for and with tokens that are bound to a key.
    pub(crate) proof_uses: Vec<ProofUse>,
    /// The requests that were refused for want of a scope.
    pub(crate) refusals: Vec<Refusal>,
    /// The capabilities that it declared last.
    pub(crate) capabilities: Value,
}
