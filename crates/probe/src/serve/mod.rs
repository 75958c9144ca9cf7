//! The other way round: a server that a client under test connects to, right, wrong and odd by turns, which judges what the client says.
//!
//! The client cannot be told what to do. It is started once for every scenario, does what it always does, and each scenario changes one
//! thing about the server it meets.

mod answers;
mod asks;
mod http;
mod link;
mod lures;
mod oauth;
mod relay;
mod run;
mod scenarios;
mod script;
mod stage;
mod subject;
mod verdicts;

pub use self::relay::relay;
pub(crate) use self::run::run;
pub(crate) use self::scenarios::shows;

/// A name that nobody guesses.
fn unguessable(number: u64) -> String {
    use std::hash::{BuildHasher as _, RandomState};
    let state = RandomState::new();
    format!(
        "{:016x}{:016x}",
        state.hash_one(number),
        state.hash_one(!number)
    )
}
